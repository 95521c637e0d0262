"""What taking a run as the new baseline would change, and when that is refused."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from math import fsum

from ragjudge.baseline.refusal_words import gate_says
from ragjudge.compare.decision import Decision, Verdict
from ragjudge.compare.samples import is_unscored
from ragjudge.errors import CannotTell, Refused, UsageFault
from ragjudge.language import Text
from ragjudge.results.answer import Retrieved
from ragjudge.results.baseline import Baseline, HistoryEntry
from ragjudge.results.run import CaseResult, RunResult
from ragjudge.suite.natural import by_id, natural

LONGEST_HISTORY = 100
SAME = 1e-9


@dataclass(frozen=True, slots=True)
class CaseChange:
    """One case and metric whose mean changes. `before` is None where the old baseline had no score, and so on."""

    case_id: str
    metric: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class MetricChange:
    """One metric's mean over all cases that have a score, then and now."""

    metric: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class Difference:
    """Everything that changes in the stored baseline, largest change first."""

    up: tuple[CaseChange, ...]
    down: tuple[CaseChange, ...]
    new: tuple[str, ...]
    gone: tuple[str, ...]
    changed: tuple[str, ...]
    """Question, reference or checks were edited."""
    means: tuple[MetricChange, ...]

    def __bool__(self) -> bool:
        return bool(self.up or self.down or self.new or self.gone or self.changed)


def difference(old: Baseline | None, run: RunResult) -> Difference:
    """Compare what is stored with what would be stored, score by score and without any tolerance."""
    then = {c.case.id: c for c in old.run.cases if c.case.skip is None} if old else {}
    now = {c.case.id: c for c in run.cases if c.case.skip is None}
    both = by_id(then.keys() & now.keys())
    changes = [change for i in both for change in _changes(then[i], now[i], run.metrics)]
    ordered = sorted(changes, key=lambda c: (-abs(_size(c)), natural(c.case_id), c.metric))
    return Difference(
        up=tuple(c for c in ordered if _size(c) > 0),
        down=tuple(c for c in ordered if _size(c) < 0),
        new=by_id(now.keys() - then.keys()),
        gone=by_id(then.keys() - now.keys()),
        changed=tuple(i for i in both if _edited(then[i], now[i])),
        means=_metric_changes(old, run),
    )


def refuse_part_of_suite(left_out: Collection[str], run: RunResult | None) -> None:
    """Raises UsageFault where cases were chosen, now or for the stored run."""
    if left_out or (run is not None and run.left_out):
        raise UsageFault(
            Text(
                "A baseline is taken from the whole suite, not from chosen cases.",
                "ベースラインは、選んだケースだけではなくテストケース全体から作ります。",
            ),
            hint=Text("Leave the selection out.", "ケースの指定を外してください。"),
        )


def refuse_unless_sound(run: RunResult, decision: Decision | None, *, accept: bool) -> None:
    """A baseline from a bad run would hide the next regression: refuse, unless the user says so (`--accept`).

    `decision` is the gate's finding about this run, where there was something to compare with. Raises Refused where
    it failed, and CannotTell where nobody knows.
    """
    if accept:
        return
    if run.stopped is not None:
        raise _undecided(f"the run ended early: {run.stopped}", f"実行が途中で終わっています({run.stopped})")
    unscored = [c.case.id for c in run.cases if c.case.skip is None and is_unscored(c, run.metrics)]
    if unscored:
        named = _named(unscored)
        raise _undecided(f"cases without a score: {named}", f"採点できなかったケースがあります: {named}")
    if decision is not None and decision.verdict in (Verdict.FAILED, Verdict.INCONCLUSIVE):
        why = gate_says(decision.verdict, decision.reasons)
        refused = _refused if decision.verdict is Verdict.FAILED else _undecided
        raise refused(why.en, why.ja)


def refuse_another_version(run: RunResult, judged_on: Collection[str]) -> None:
    """A new run after a merge must meet the version that the pull request was judged on, where both are known.

    Else another pull request has taken the app meanwhile, and its answers would be stored in this one's name.
    """
    others = [version for version in run.workflow_ids if version not in judged_on]
    if not judged_on or not others:
        return
    raise CannotTell(
        Text(
            f"The baseline was not updated: the app now serves version {', '.join(others)}, but the pull request was"
            f" judged on {', '.join(judged_on)}.",
            f"ベースラインは更新していません。アプリの現在のバージョン({', '.join(others)})が、プルリクエストで"
            f"判定したバージョン({', '.join(judged_on)})と異なります。",
        ),
        hint=Text(
            "Publish the merged app again, or start the workflow by hand (`mode: update-baseline`) to store what the"
            " app serves now.",
            "マージしたアプリを公開し直してください。現在のアプリで保存する場合は、`mode: update-baseline` で"
            "ワークフローを手動で実行してください。",
        ),
    )


def renewed(
    old: Baseline | None,
    run: RunResult,
    *,
    stored_at: datetime,
    store_answers: bool,
    dsl_digest: str | None = None,
    for_commit: str | None = None,
) -> Baseline:
    """The new baseline: this run without its confirmations, and the old one's means in the history."""
    cases = tuple(c.model_copy(update={"confirmations": ()}) for c in run.cases)
    history = (*old.history, entry_of(old.run, at=old.stored_at)) if old else ()
    return Baseline(
        run=run.model_copy(update={"cases": cases}),
        stored_at=stored_at,
        answers_stored=store_answers,
        history=history[-LONGEST_HISTORY:],
        pinned=old.pinned if old else None,
        for_commit=for_commit,
        dsl_digest=dsl_digest,
        knowledge=knowledge_of(run),
    )


def knowledge_of(run: RunResult) -> tuple[str, ...]:
    """Which documents of which data sets the app was seen to use."""
    seen = {
        f"{context.dataset_id or ''}/{context.document_id}"
        for case in run.cases
        for sample in case.samples
        if sample.answer is not None and isinstance(sample.answer.contexts, Retrieved)
        for context in sample.answer.contexts.items
        if context.document_id is not None
    }
    return tuple(sorted(seen))


def entry_of(run: RunResult, *, at: datetime) -> HistoryEntry:
    """A run's means as one line of history."""
    means = {m: mean for m in run.metrics if (mean := mean_over_cases(run, m)) is not None}
    return HistoryEntry(at=at, commit=run.commit, means=means)


def mean_over_cases(run: RunResult, metric: str) -> float | None:
    means = [mean for c in run.cases if (mean := c.mean(metric)) is not None]
    return fsum(means) / len(means) if means else None


def _changes(then: CaseResult, now: CaseResult, metrics: tuple[str, ...]) -> list[CaseChange]:
    found = [CaseChange(now.case.id, m, then.mean(m), now.mean(m)) for m in metrics]
    return [c for c in found if abs(_size(c)) > SAME]


def _size(change: CaseChange) -> float:
    """A score that appears or goes counts like none: it is neither up nor down."""
    return 0.0 if change.before is None or change.after is None else change.after - change.before


def _edited(then: CaseResult, now: CaseResult) -> bool:
    old, new = then.case, now.case
    asked = old.question_digest != new.question_digest
    return asked or old.reference_digest != new.reference_digest or old.checks_digest != new.checks_digest


def _metric_changes(old: Baseline | None, run: RunResult) -> tuple[MetricChange, ...]:
    names = dict.fromkeys((*run.metrics, *(old.run.metrics if old else ())))
    return tuple(
        MetricChange(name, mean_over_cases(old.run, name) if old else None, mean_over_cases(run, name))
        for name in names
    )


def _named(case_ids: list[str], most: int = 10) -> str:
    more = f" … (+{len(case_ids) - most})" if len(case_ids) > most else ""
    return ", ".join(case_ids[:most]) + more


def _refused(en: str, ja: str) -> Refused:
    return Refused(_not_updated(en, ja), hint=_STORE_ANYWAY)


def _undecided(en: str, ja: str) -> CannotTell:
    """Nobody knows whether the app got worse: that is not the exit code of a regression."""
    return CannotTell(_not_updated(en, ja), hint=_STORE_ANYWAY)


def _not_updated(en: str, ja: str) -> Text:
    return Text(f"The baseline was not updated: {en}.", f"ベースラインは更新していません。{ja}。")


_STORE_ANYWAY = Text(
    "Repair the cause and run again. To store it anyway: `ragjudge baseline update --accept`.",
    "原因を直してから実行し直してください。このまま保存する場合は "
    "`ragjudge baseline update --accept` を使います。",
)
