"""The rule for single cases: who is a suspect, and which suspects are regressed once asked again."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from ragjudge.compare.align import Pair
from ragjudge.compare.decision import CaseComparison, CaseStatus, MetricOnCase
from ragjudge.compare.policy import GatePolicy
from ragjudge.compare.samples import Readings, outcome_of, planned, read, read_all
from ragjudge.results.outcome import NotApplicable, Scored
from ragjudge.results.run import Sample

ROUNDING = 1e-9
"""Means of thirds are not exact: a drop equal to its tolerance counts as reaching it."""

_GRAVITY = (
    CaseStatus.REGRESSED,
    CaseStatus.SUSPECT,
    CaseStatus.UNSCORED,
    CaseStatus.ACCEPTED,
    CaseStatus.NOISE,
    CaseStatus.REFERENCE_CHANGED,
    CaseStatus.NOT_COMPARABLE,
    CaseStatus.WORSE,
    CaseStatus.BETTER,
    CaseStatus.SAME,
    CaseStatus.NEW,
)
"""Which of a case's metrics speaks for the case: the first of these."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What judging a case needs besides the pair: the gate, today's date (for `accept:`), and both runs' frames."""

    policy: GatePolicy
    today: date | None
    metrics: tuple[str, ...]
    baseline_metrics: frozenset[str]
    differing: Mapping[str, tuple[str, ...]]
    """What differs in the fingerprint, for each metric whose scores cannot be compared between the runs."""
    repeats: int

    def comparable(self, metric: str, *, same_reference: bool) -> bool:
        if metric in self.differing:
            return False
        return same_reference or not self.policy.spec(metric).needs_reference


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A case that dropped and is not decided yet. `size` is its largest drop as a share of the metric's scale."""

    case_id: str
    size: float
    needed: int
    tried: int


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """`before` and `after` are what the planned samples say about each metric."""

    pair: Pair
    before: Mapping[str, Readings]
    after: Mapping[str, Readings]
    comparison: CaseComparison
    suspicion: Suspicion | None


class _JudgedMetric(NamedTuple):
    on_case: MetricOnCase
    size: float = 0.0
    needed: int = 0


def judge_case(pair: Pair, rules: Rules) -> JudgedCase:
    """All metrics of one pair, and the status of the case as a whole."""
    before = read_all(pair.before.samples, rules.metrics)
    after = read_all(planned(pair.after, rules.repeats), rules.metrics)
    judged = {m: _judge_metric(pair, m, rules, before=before[m], after=after[m]) for m in rules.metrics}
    accepted = {
        metric: entry
        for metric, found in judged.items()
        if found.on_case.status in (CaseStatus.REGRESSED, CaseStatus.SUSPECT)
        and (entry := rules.policy.accepted(pair.case_id, metric, today=rules.today))
    }
    metrics = {
        metric: found.on_case.model_copy(update={"status": CaseStatus.ACCEPTED})
        if metric in accepted
        else found.on_case
        for metric, found in judged.items()
    }
    status = _gravest(metrics)
    if status is CaseStatus.NOT_COMPARABLE and not pair.same_reference:
        status = CaseStatus.REFERENCE_CHANGED
    open_ones = [judged[m] for m, found in metrics.items() if found.status is CaseStatus.SUSPECT]
    tried = len(pair.after.confirmations)
    return JudgedCase(
        pair=pair,
        before=before,
        after=after,
        comparison=CaseComparison(
            case_id=pair.case_id,
            status=status,
            metrics=metrics,
            accepted_reason=next((entry.reason for entry in accepted.values()), None),
        ),
        suspicion=_suspicion(pair.case_id, open_ones, tried) if open_ones else None,
    )


def _suspicion(case_id: str, open_ones: list[_JudgedMetric], tried: int) -> Suspicion:
    size = max(found.size for found in open_ones)
    return Suspicion(case_id, size, needed=max(found.needed for found in open_ones), tried=tried)


def _judge_metric(
    pair: Pair, metric: str, rules: Rules, *, before: Readings, after: Readings
) -> _JudgedMetric:
    then, now = before.mean, after.mean
    if metric not in rules.baseline_metrics:
        return _plain(CaseStatus.NEW, None, now)
    vanished = after.inapplicable_share - before.inapplicable_share > 0.5 + ROUNDING
    # What the suite took away is gone by whatever judge and reference it was scored.
    taken_away = vanished and after.by_suite and not _missing(before)
    if not taken_away and not rules.comparable(metric, same_reference=pair.same_reference):
        return _plain(CaseStatus.NOT_COMPARABLE, then, now)
    if _missing(before) or _missing(after):
        return _plain(CaseStatus.UNSCORED, then, now)
    threshold = rules.policy.case_threshold(metric, len(before.values))
    dropped = _lies_below(then, now, threshold)
    if not vanished and not dropped:
        return _plain(_direction(then, now), then, now)
    needed = 0 if taken_away else rules.policy.confirmations(len(before.values))
    fresh = read(pair.after.confirmations, metric).values
    status = _confirmed(pair.after.confirmations, metric, then, threshold, needed)
    drop = 0.0 if then is None or now is None else then - now
    size = 1.0 if vanished else drop / rules.policy.spec(metric).span
    return _JudgedMetric(MetricOnCase(status=status, before=then, after=now, fresh=fresh), size, needed)


def _plain(status: CaseStatus, before: float | None, after: float | None) -> _JudgedMetric:
    return _JudgedMetric(MetricOnCase(status=status, before=before, after=after))


def _missing(readings: Readings) -> bool:
    """No word at all: neither a value nor a reason why there is none."""
    return not readings.values and readings.inapplicable == 0


def _confirmed(
    confirmations: tuple[Sample, ...], metric: str, then: float | None, threshold: float | None, needed: int
) -> CaseStatus:
    """Regressed only if every fresh sample lies below too; one that recovered makes it noise.

    A fresh sample that could not be scored proves nothing, so that the case stays a suspect.
    """
    below = 0
    for sample in confirmations:
        outcome = outcome_of(sample, metric)
        if isinstance(outcome, Scored):
            if needed and not _lies_below(then, outcome.value, threshold):
                return CaseStatus.NOISE
            below += 1
        elif isinstance(outcome, NotApplicable):
            below += 1
    return CaseStatus.REGRESSED if below >= needed else CaseStatus.SUSPECT


def _lies_below(then: float | None, now: float | None, threshold: float | None) -> bool:
    if then is None or now is None or threshold is None:
        return False
    return then - now >= threshold - ROUNDING


def _direction(then: float | None, now: float | None) -> CaseStatus:
    if then is None or now is None or abs(now - then) <= ROUNDING:
        return CaseStatus.SAME
    return CaseStatus.WORSE if now < then else CaseStatus.BETTER


def _gravest(metrics: dict[str, MetricOnCase]) -> CaseStatus:
    found = {m.status for m in metrics.values()}
    return next((status for status in _GRAVITY if status in found), CaseStatus.NOT_COMPARABLE)
