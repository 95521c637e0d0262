"""Many small allowed drops add up: compare a run's means with a pinned point, softly."""

from ragjudge.compare.decision import Decision, MetricComparison, Reason, ReasonCode
from ragjudge.compare.policy import GatePolicy
from ragjudge.results.baseline import Baseline, HistoryEntry


def drifted(
    pinned: HistoryEntry | None, metrics: tuple[MetricComparison, ...], policy: GatePolicy
) -> tuple[Reason, ...]:
    """Warnings only: means over whole suites, which may have changed since, are no basis for a red check."""
    if pinned is None:
        return ()
    since = pinned.at.date().isoformat() + (f" ({pinned.commit[:12]})" if pinned.commit else "")
    found = []
    for metric in metrics:
        then, now = pinned.means.get(metric.name), metric.mean_all
        if then is None or now is None:
            continue
        if then - now > policy.spec(metric.name).tolerance + 1e-9:
            found.append(Reason(code=ReasonCode.DRIFTED, metric=metric.name, number=now - then, detail=since))
    return tuple(found)


def with_drift(decision: Decision, baseline: Baseline | None, policy: GatePolicy) -> Decision:
    """The decision with a warning where small allowed drops since the pinned baseline add up."""
    said = drifted(baseline.pinned if baseline else None, decision.metrics, policy)
    return decision.model_copy(update={"warnings": (*decision.warnings, *said)})


def pin(baseline: Baseline, entry: HistoryEntry | None) -> Baseline:
    """The baseline with an anchor to compare with from now on; None takes it away."""
    return baseline.model_copy(update={"pinned": entry})
