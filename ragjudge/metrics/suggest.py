"""From weak cases to at most three proposals: one call at the end of a run, the model's own words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from ragjudge.compare.decision import CaseStatus, Decision
from ragjudge.language import Language, Text
from ragjudge.metric_specs import CORRECTNESS, NEEDS_IMPROVEMENT, MetricSpec
from ragjudge.metrics import tasks
from ragjudge.metrics.asking import ask
from ragjudge.metrics.prompting import Prompts
from ragjudge.ports import Judge
from ragjudge.results.outcome import Scored
from ragjudge.results.run import CaseResult, RunResult, Sample
from ragjudge.results.usage import Usage

MOST_CASES = 20
MOST_PROPOSALS = 3
_LONGEST = 300
_LONGEST_CHANGE = 4000


@dataclass(frozen=True, slots=True)
class WeakCase:
    """A case that regressed or needs improvement; `problem` is the judge's summary or what was lost."""

    id: str
    question: str
    reference: str
    answer: str
    problem: str


@dataclass(frozen=True, slots=True)
class Suggested:
    """What the model proposes, most useful first. `of_cases` of the weak cases were shown to it."""

    proposals: tuple[tasks.Proposal, ...]
    of_cases: int
    usage: Usage = Usage()


async def suggest(weak: Sequence[WeakCase], change: str, judge: Judge, prompts: Prompts) -> Suggested:
    """Ask for proposals. `weak` is worst first; the first twenty are shown, shortened. No call where there is none.

    Proposals name only cases that were shown. Raises JudgeCouldNotScore.
    """
    shown = weak[:MOST_CASES]
    if not shown:
        return Suggested((), 0)
    fields: dict[str, JsonValue] = {
        "cases": [_entry(case) for case in shown],
        "change": _cut(change, _LONGEST_CHANGE),
    }
    reply = await ask(judge, prompts.task(tasks.SUGGEST, tasks.Proposals, fields, sample="suggest"))
    known = {case.id for case in shown}
    proposals = tuple(
        proposal.model_copy(update={"cases": [case for case in proposal.cases if case in known]})
        for proposal in reply.value.proposals[:MOST_PROPOSALS]
    )
    return Suggested(proposals, len(shown), reply.usage)


def weak_cases(run: RunResult, decision: Decision, specs: Mapping[str, MetricSpec]) -> list[WeakCase]:
    """Regressed cases first, then those that need improvement, each worst first (pure).

    A case needs improvement with a correctness of 3 or less; without a correctness, with any score in the lower half
    of its scale.
    """
    regressed = {case.case_id for case in decision.with_status(CaseStatus.REGRESSED, CaseStatus.SUSPECT)}
    graded = [(result, _level(result, specs)) for result in run.cases]
    chosen = [
        (result.case.id not in regressed, 1.0 if level is None else level, result)
        for result, level in graded
        if result.case.id in regressed or (level is not None and level <= _NEEDS_IMPROVEMENT)
    ]
    ordered = sorted(chosen, key=lambda entry: entry[:2])
    return [weak for _, _, result in ordered if (weak := _weak(result, specs)) is not None]


def _level(result: CaseResult, specs: Mapping[str, MetricSpec]) -> float | None:
    """How good a case is, as a share of the scale: by correctness where it was graded, else by its worst score."""
    grade = result.mean(CORRECTNESS.name)
    if grade is not None:
        return _share(grade, CORRECTNESS)
    found = [(result.mean(name), spec) for name, spec in specs.items()]
    return min((_share(mean, spec) for mean, spec in found if mean is not None), default=None)


def _share(value: float, spec: MetricSpec) -> float:
    return (value - spec.low) / spec.span


_NEEDS_IMPROVEMENT = _share(NEEDS_IMPROVEMENT, CORRECTNESS)


def _weak(result: CaseResult, specs: Mapping[str, MetricSpec]) -> WeakCase | None:
    answered = [sample for sample in result.samples if sample.answer is not None]
    if not answered:
        return None
    worst = min(answered, key=_grade)
    return WeakCase(
        id=result.case.id,
        question=result.case.question,
        reference=result.case.reference or "",
        answer=worst.answer.text if worst.answer else "",
        problem=" / ".join(_reasons(worst, specs)),
    )


def _grade(sample: Sample) -> float:
    grade = sample.scores.get(CORRECTNESS.name)
    return grade.value if isinstance(grade, Scored) else CORRECTNESS.high


def _reasons(sample: Sample, specs: Mapping[str, MetricSpec]) -> Iterator[str]:
    """What each metric that is not perfect says."""
    for name, outcome in sample.scores.items():
        perfect = specs[name].high if name in specs else 1.0
        if isinstance(outcome, Scored) and outcome.reason and outcome.value < perfect:
            yield f"{name} {outcome.value:.2g}: {outcome.reason}"


def shown(suggested: Suggested, language: Language) -> tuple[str, ...]:
    """Lines for the report, the first of which says whose words they are (pure)."""
    if not suggested.proposals:
        return ()
    return (
        _WHOSE.in_language(language),
        *(
            f"{one.problem} → {one.proposal}" + (f" ({', '.join(one.cases)})" if one.cases else "")
            for one in suggested.proposals
        ),
    )


_WHOSE = Text(
    "The judge model wrote these proposals; nobody has checked them.",
    "評価用モデルが書いた提案です。人による確認はされていません。",
)


def _entry(case: WeakCase) -> dict[str, JsonValue]:
    return {
        "id": case.id,
        "question": _cut(case.question),
        "reference": _cut(case.reference),
        "answer": _cut(case.answer),
        "problem": _cut(case.problem),
    }


def _cut(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
