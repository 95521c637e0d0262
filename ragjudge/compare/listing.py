"""Every case of either run, once, with what became of it: the list that the report shows."""

from ragjudge.compare.cases import Rules
from ragjudge.compare.decision import CaseComparison, CaseStatus, MetricOnCase
from ragjudge.compare.examine import Examination
from ragjudge.compare.samples import planned, read
from ragjudge.results.run import CaseResult, RunResult

_SAYS_NOTHING = frozenset({CaseStatus.NEW, CaseStatus.NOT_COMPARABLE, CaseStatus.UNSCORED})
_LEFT_UNCOMPARED = frozenset({CaseStatus.REFERENCE_CHANGED, CaseStatus.NOT_COMPARABLE})


def asked(run: RunResult) -> tuple[CaseResult, ...]:
    """Cases that were not skipped by the suite."""
    return tuple(c for c in run.cases if c.case.skip is None)


def list_cases(before: RunResult, after: RunResult, found: Examination) -> tuple[CaseComparison, ...]:
    """Cases of this run in suite order, then those that are gone in the baseline's order."""
    pairs = {c.comparison.case_id: _noted(c.comparison, found.rules) for c in found.cases}
    skipped, changed = set(found.alignment.newly_skipped), set(found.alignment.question_changed)
    then = {c.case.id: c for c in before.cases}
    listed: list[CaseComparison] = []
    for case in after.cases:
        case_id = case.case.id
        if case_id in pairs:
            listed.append(pairs[case_id])
        elif case_id in changed:
            listed.append(_two_sided(then[case_id], case, found.rules))
        elif case_id in skipped:
            listed.append(_gone(then[case_id], CaseStatus.NEWLY_SKIPPED, found.rules))
        elif case.case.skip is None:
            listed.append(one_sided(case, CaseStatus.NEW, found.rules))
    listed += [_gone(then[case_id], CaseStatus.REMOVED, found.rules) for case_id in found.alignment.removed]
    return tuple(listed)


def compared(cases: tuple[CaseComparison, ...]) -> int:
    """How many cases have at least one metric that could be compared."""
    return sum(
        1
        for case in cases
        if any(m.before is not None and m.status not in _SAYS_NOTHING for m in case.metrics.values())
        and case.status not in (CaseStatus.REMOVED, CaseStatus.NEWLY_SKIPPED)
    )


def one_sided(case: CaseResult, status: CaseStatus, rules: Rules) -> CaseComparison:
    """A case that only this run has."""
    means = {m: _mean(case, m, rules) for m in rules.metrics}
    return CaseComparison(
        case_id=case.case.id,
        status=status,
        metrics={m: MetricOnCase(status=status, after=mean) for m, mean in means.items() if mean is not None},
    )


def _two_sided(before: CaseResult, after: CaseResult, rules: Rules) -> CaseComparison:
    return CaseComparison(
        case_id=after.case.id,
        status=CaseStatus.QUESTION_CHANGED,
        metrics={
            m: MetricOnCase(
                status=CaseStatus.NOT_COMPARABLE, before=before.mean(m), after=_mean(after, m, rules)
            )
            for m in rules.metrics
        },
    )


def _gone(case: CaseResult, status: CaseStatus, rules: Rules) -> CaseComparison:
    means = {m: case.mean(m) for m in rules.metrics}
    entry = rules.policy.accepted(case.case.id, None, today=rules.today)
    return CaseComparison(
        case_id=case.case.id,
        status=status,
        metrics={
            m: MetricOnCase(status=status, before=mean) for m, mean in means.items() if mean is not None
        },
        accepted_reason=entry.reason if entry else None,
    )


def _noted(case: CaseComparison, rules: Rules) -> CaseComparison:
    entry = rules.policy.accepted(case.case_id, None, today=rules.today)
    if entry is None or case.status not in _LEFT_UNCOMPARED:
        return case
    return case.model_copy(update={"accepted_reason": entry.reason})


def _mean(case: CaseResult, metric: str, rules: Rules) -> float | None:
    return read(planned(case, rules.repeats), metric).mean
