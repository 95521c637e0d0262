"""Which stored answers to judge again, where the judge or a reference changed since the baseline was made.

No question is asked: only the judge works. Pure: the caller shows the cost, judges, and hands the scores in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ragjudge.metric_specs import MetricSpec
from ragjudge.results.answer import Answer
from ragjudge.results.baseline import Baseline
from ragjudge.results.fingerprint import Fingerprint
from ragjudge.results.outcome import Outcome, Scored, Unscored
from ragjudge.results.run import CaseResult, RunResult, Sample
from ragjudge.suite.case import Case


@dataclass(frozen=True, slots=True)
class Again:
    """One stored answer to judge by these metrics. `case` has today's reference, where there still is one."""

    case: Case
    attempt: str
    answer: Answer
    metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RejudgePlan:
    items: tuple[Again, ...] = ()
    impossible: tuple[str, ...] = ()
    """Cases that would need it and whose answers were not stored: they stay not comparable."""

    @property
    def scores(self) -> int:
        """How many scores will be made: the cost to show before starting."""
        return sum(len(item.metrics) for item in self.items)

    def __bool__(self) -> bool:
        return bool(self.items)


Scores = Mapping[tuple[str, str], Mapping[str, Outcome]]
"""(case id, attempt) → metric → outcome, for every item of a plan."""


def plan(
    stored: Baseline, today: Fingerprint, cases: Sequence[Case], specs: Mapping[str, MetricSpec]
) -> RejudgePlan:
    """Metrics whose fingerprint differs, on every case; metrics that need the reference, where it was edited.

    Cases whose question changed, that are gone or skipped are left alone: they are not compared anyway.
    """
    now = {case.id: case for case in cases if case.skip is None}
    differing = {m for m in stored.run.metrics if stored.run.fingerprint.differences(today, m)}
    items: list[Again] = []
    impossible: list[str] = []
    for result in stored.run.cases:
        case = now.get(result.case.id)
        if case is None or not case.asks_as(result.case):
            continue
        metrics = _affected(result, case, differing, stored.run.metrics, specs)
        if metrics and not stored.answers_stored:
            impossible.append(case.id)
        elif metrics:
            judged = _as_judged(case, result.case)
            items += [
                Again(judged, s.attempt, s.answer, metrics) for s in result.samples if s.answer is not None
            ]
    return RejudgePlan(tuple(items), tuple(impossible))


def rejudged(run: RunResult, done: RejudgePlan, scores: Scores, today: Fingerprint) -> RunResult:
    """The baseline's run as today's judge sees it: what `decide` may compare with.

    Today's fingerprint goes on it only if nothing that needed judging was left out. What could not be scored is in it
    as such: see `lost`.
    """
    cases = {item.case.id: item.case for item in done.items}
    results = tuple(_with_scores(c, cases, scores) if c.case.id in cases else c for c in run.cases)
    fingerprint = run.fingerprint if done.impossible else today
    return run.model_copy(update={"cases": results, "fingerprint": fingerprint})


def lost(stored: RunResult, now: RunResult) -> tuple[str, ...]:
    """Cases that had a score and have none now, in any sample: judging them again failed."""
    return tuple(
        old.case.id
        for old, new in zip(stored.cases, now.cases, strict=True)
        if any(
            isinstance(outcome, Scored) and isinstance(again.scores.get(metric), Unscored)
            for sample, again in zip(old.samples, new.samples, strict=True)
            for metric, outcome in sample.scores.items()
        )
    )


def _affected(
    result: CaseResult,
    case: Case,
    differing: set[str],
    metrics: Sequence[str],
    specs: Mapping[str, MetricSpec],
) -> tuple[str, ...]:
    edited = case.expected is not None and case.reference_digest != result.case.reference_digest
    return tuple(
        m for m in metrics if m in differing or (edited and (m not in specs or specs[m].needs_reference))
    )


def _as_judged(now: Case, then: Case) -> Case:
    """Today's case. A reference or a metric that was taken away since is no reason to judge what was by less."""
    kept = now.model_copy(update={"metrics": then.metrics})
    return kept if now.expected is not None else kept.with_references_of(then)


def _with_scores(result: CaseResult, cases: Mapping[str, Case], scores: Scores) -> CaseResult:
    case = result.case.with_references_of(cases[result.case.id])
    samples = tuple(_with_new(s, scores.get((case.id, s.attempt), {})) for s in result.samples)
    return result.model_copy(update={"case": case, "samples": samples})


def _with_new(sample: Sample, new: Mapping[str, Outcome]) -> Sample:
    return sample.model_copy(update={"scores": {**sample.scores, **new}}) if new else sample
