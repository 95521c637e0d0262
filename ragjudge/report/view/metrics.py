"""Each metric over the suite, as the gate saw it."""

from collections.abc import Sequence
from math import fsum

from ragjudge.compare.decision import Decision, MetricComparison
from ragjudge.metric_specs import BUILT_IN
from ragjudge.report.view.model import CaseView, Drop, MetricMark, MetricView

MOST_DROPS = 5
ROUNDING = 1e-9
"""Sums of decimal fractions in floating point."""


def shown(decision: Decision, names: Sequence[str], cases: Sequence[CaseView]) -> tuple[MetricView, ...]:
    """One view per metric of the run, in its order; those the decision does not know are only averaged."""
    known = {metric.name: metric for metric in decision.metrics}
    return tuple(_shown(known.get(name) or _averaged(name, cases), cases) for name in names)


def _shown(metric: MetricComparison, cases: Sequence[CaseView]) -> MetricView:
    compared = metric.change is not None
    return MetricView(
        name=metric.name,
        before=metric.before if compared else None,
        now=metric.after if compared else metric.mean_all,
        change=metric.change,
        low=metric.low,
        high=metric.high,
        tolerance=metric.tolerance,
        minimum=metric.minimum,
        scored=metric.scored,
        total=metric.total,
        not_applicable=metric.not_applicable,
        mark=_mark(metric, compared=compared),
        drops=_drops(metric.name, cases) if metric.regressed else (),
    )


def _mark(metric: MetricComparison, *, compared: bool) -> MetricMark:
    if metric.regressed:
        return MetricMark.REGRESSED
    if metric.below_minimum:
        return MetricMark.BELOW_MINIMUM
    if not compared:
        return MetricMark.NOT_COMPARED
    dropped = metric.change is not None and -metric.change > metric.tolerance + ROUNDING
    return MetricMark.MAYBE_CHANCE if dropped else MetricMark.OK


def _drops(metric: str, cases: Sequence[CaseView]) -> tuple[Drop, ...]:
    changes = ((case.id, case.scores[metric].change) for case in cases if metric in case.scores)
    drops = [Drop(case_id, change) for case_id, change in changes if change is not None and change < 0]
    return tuple(sorted(drops, key=lambda drop: drop.change)[:MOST_DROPS])


def _averaged(name: str, cases: Sequence[CaseView]) -> MetricComparison:
    scores = [case.scores[name] for case in cases if name in case.scores]
    values = [score.after for score in scores if score.after is not None]
    unscored = sum(score.unscored is not None and score.after is None for score in scores)
    spec = BUILT_IN.get(name)
    return MetricComparison(
        name=name,
        before=None,
        after=None,
        mean_all=fsum(values) / len(values) if values else None,
        tolerance=spec.tolerance if spec else 0.0,
        pairs=0,
        scored=len(values),
        total=len(values) + unscored,
        not_applicable=sum(score.inapplicable is not None for score in scores),
    )
