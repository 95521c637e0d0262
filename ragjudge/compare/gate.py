"""The verdict: what two runs say about each other, weighed by the policy. The rules are in docs/gate.md."""

from collections.abc import Collection
from dataclasses import replace
from datetime import date

from ragjudge.compare import weigh
from ragjudge.compare.decision import (
    CaseComparison,
    CaseStatus,
    Decision,
    MetricComparison,
    Reason,
    ReasonCode,
    Verdict,
)
from ragjudge.compare.examine import examine, rules_for
from ragjudge.compare.listing import asked, compared, list_cases, one_sided
from ragjudge.compare.means import judge_means, means_alone
from ragjudge.compare.policy import GatePolicy
from ragjudge.compare.renames import as_reasons, renames
from ragjudge.compare.weigh import Weighed
from ragjudge.results.memory import collecting_later
from ragjudge.results.run import RunResult


def decide(
    before: RunResult | None, after: RunResult, policy: GatePolicy, *, today: date, lost: Collection[str] = ()
) -> Decision:
    """The gate's whole finding, from the stored results alone. Failed wins over inconclusive.

    `lost`: cases of `before` whose stored answer could not be judged again.
    """
    with collecting_later():
        if before is None:
            return decide_alone(after, policy, today=today)
        return _with_baseline(before, after, policy, today=today, lost=lost)


def decide_part(after: RunResult, policy: GatePolicy, *, today: date) -> Decision:
    """A shard alone: was it whole? Floors, and whether anything was scored, are the whole suite's."""
    found = decide_alone(after, replace(policy, minimum={}), today=today)
    unsure = tuple(r for r in found.reasons if r.code is not ReasonCode.NOTHING_EVALUATED)
    if unsure:
        return found.model_copy(update={"reasons": unsure})
    settled = (Reason(code=ReasonCode.NO_BASELINE),)
    return found.model_copy(update={"verdict": Verdict.NO_BASELINE, "reasons": settled})


def _with_baseline(
    before: RunResult, after: RunResult, policy: GatePolicy, *, today: date, lost: Collection[str]
) -> Decision:
    found = examine(before, after, policy, today=today)
    metrics = judge_means(found.cases, after, found.rules).metrics
    listed = list_cases(before, after, found)
    comparable = compared(listed) > 0
    incomparable = weigh.incomparable(found, listed)
    weighed = (
        weigh.suite_shrunk(found)
        + weigh.scores(after, policy, metrics, weigh.cases(found) + weigh.means(metrics))
        + incomparable
        + weigh.lost_in_rejudging(found, lost)
        + weigh.edited(found)
        + weigh.few_pairs(metrics)
        + Weighed(said=as_reasons(renames(before, after)))
    )
    if not comparable and incomparable == Weighed():
        weighed += weigh.nothing_compared(found, metrics)
    accepts = weigh.accepts(listed, policy, removed=found.removed_metrics, today=today)
    verdict = Verdict.PASSED if comparable else Verdict.NO_BASELINE
    settled = Reason(code=ReasonCode.ALL_WITHIN_TOLERANCE if comparable else ReasonCode.NO_BASELINE)
    return _decision(weighed + Weighed(said=accepts), verdict, settled, listed, metrics)


def decide_alone(after: RunResult, policy: GatePolicy, *, today: date) -> Decision:
    """Nothing to compare with yet: floors and completeness still hold."""
    rules = rules_for(None, after, policy, today=today)
    metrics = means_alone(after, rules)
    weighed = weigh.scores(after, policy, metrics, weigh.means(metrics))
    cases = tuple(one_sided(c, CaseStatus.NEW, rules) for c in asked(after))
    weighed += Weighed(said=weigh.accepts(cases, policy, today=today))
    settled = Reason(code=ReasonCode.NO_BASELINE)
    return _decision(weighed, Verdict.NO_BASELINE, settled, cases, metrics)


def _decision(
    weighed: Weighed,
    otherwise: Verdict,
    settled: Reason,
    cases: tuple[CaseComparison, ...],
    metrics: tuple[MetricComparison, ...],
) -> Decision:
    reasons = weighed.red + weighed.unsure or (settled,)
    verdict = otherwise
    if weighed.unsure:
        verdict = Verdict.INCONCLUSIVE
    if weighed.red:
        verdict = Verdict.FAILED
    return Decision(verdict=verdict, reasons=reasons, warnings=weighed.said, cases=cases, metrics=metrics)
