"""Join the shards of one run: each case once, all by the same judge, and nothing missing without being named."""

from collections import Counter
from collections.abc import Collection, Sequence

from ragjudge.errors import UsageFault
from ragjudge.language import Text
from ragjudge.results.run import CaseResult, RunResult, SuiteIdentity
from ragjudge.results.usage import Usage
from ragjudge.suite.case import Suite
from ragjudge.suite.natural import by_id, natural

MOST_NAMED = 10


def merge(runs: Sequence[RunResult], *, expected: Collection[str] | None = None) -> RunResult:
    """One run out of its shards, whatever their order. `expected` are the ids of the whole suite, where known.

    Raises `UsageFault` where the shards do not belong together, a case comes twice or one is missing.
    """
    if not runs:
        raise _fault("no results were given", "結果ファイルが指定されていません")
    ordered = sorted(runs, key=lambda run: (run.started_at, run.run_id))
    first = ordered[0]
    for other in ordered[1:]:
        _refuse_strangers(first, other)
    cases = tuple(case for run in ordered for case in run.cases)
    _refuse_duplicates(cases)
    _refuse_gaps(cases, expected)
    cases = _in_order(cases, expected)
    suite = Suite(name=first.suite.name, cases=tuple(result.case for result in cases))
    return first.model_copy(
        update={
            "finished_at": max(run.finished_at for run in ordered),
            "suite": SuiteIdentity(name=suite.name, digest=suite.digest),
            "cases": cases,
            "app_usage": sum((run.app_usage for run in ordered), Usage()),
            "judge_usage": sum((run.judge_usage for run in ordered), Usage()),
            "left_out": tuple(i for i in first.left_out if i not in {case.case.id for case in cases}),
            "stopped": next((run.stopped for run in ordered if run.stopped), None),
        }
    )


def _refuse_strangers(first: RunResult, other: RunResult) -> None:
    """Scores by two judges, or of two apps, cannot stand in one report."""
    differing = [
        name
        for name in ("fingerprint", "metrics", "repeats", "commit", "app")
        if getattr(first, name) != getattr(other, name)
    ]
    if first.suite.name != other.suite.name:
        differing.append("suite")
    if differing:
        names = ", ".join(differing)
        raise _fault(
            f"{first.run_id} and {other.run_id} differ in: {names}",
            f"{first.run_id} と {other.run_id} で次の項目が異なります: {names}",
        )


def _refuse_duplicates(cases: Sequence[CaseResult]) -> None:
    twice = [case_id for case_id, count in Counter(c.case.id for c in cases).items() if count > 1]
    if twice:
        named = _named(twice)
        raise _fault(f"cases that come more than once: {named}", f"重複しているケースがあります: {named}")


def _refuse_gaps(cases: Sequence[CaseResult], expected: Collection[str] | None) -> None:
    if expected is None:
        return
    have = {c.case.id for c in cases}
    missing = by_id(set(expected) - have)
    if missing:
        named = _named(missing)
        raise _fault(f"cases that no shard has: {named}", f"どの結果にも含まれないケースがあります: {named}")
    strange = by_id(have - set(expected))
    if strange:
        named = _named(strange)
        raise _fault(
            f"cases that the suite does not have: {named}", f"スイートにないケースがあります: {named}"
        )


def _in_order(cases: Sequence[CaseResult], expected: Collection[str] | None) -> tuple[CaseResult, ...]:
    """The suite's order where it is known, else by id: the same shards always give the same file."""
    if expected is None:
        return tuple(sorted(cases, key=lambda c: natural(c.case.id)))
    place = {case_id: n for n, case_id in enumerate(expected)}
    return tuple(sorted(cases, key=lambda c: place[c.case.id]))


def _named(case_ids: Sequence[str]) -> str:
    more = f" … (+{len(case_ids) - MOST_NAMED})" if len(case_ids) > MOST_NAMED else ""
    return ", ".join(case_ids[:MOST_NAMED]) + more


def _fault(en: str, ja: str) -> UsageFault:
    return UsageFault(
        Text(f"These results cannot be joined: {en}.", f"結果を結合できません。{ja}。"),
        hint=Text(
            "Join the results of all shards of one run, each once (`ragjudge merge shard-*/results.json`).",
            "1回の実行のすべてのシャードの結果を、1つずつ指定してください"
            "(`ragjudge merge shard-*/results.json`)。",
        ),
    )
