"""What each finding weighs: red, undecidable, or only worth saying."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from ragjudge.compare.cases import ROUNDING, Rules
from ragjudge.compare.decision import CaseComparison, CaseStatus, MetricComparison, Reason, ReasonCode
from ragjudge.compare.examine import Examination
from ragjudge.compare.listing import asked
from ragjudge.compare.means import FEWEST_PAIRS
from ragjudge.compare.policy import EVERY_CASE, GatePolicy
from ragjudge.compare.samples import is_unscored
from ragjudge.results.run import RunResult
from ragjudge.suite.natural import by_id


@dataclass(frozen=True, slots=True)
class Weighed:
    """Three tiers: what makes the check red, what makes it undecidable, and what is only said."""

    red: tuple[Reason, ...] = ()
    unsure: tuple[Reason, ...] = ()
    said: tuple[Reason, ...] = ()

    def __add__(self, other: "Weighed") -> "Weighed":
        return Weighed(self.red + other.red, self.unsure + other.unsure, self.said + other.said)


def suite_shrunk(found: Examination) -> Weighed:
    """A case or a metric that is gone could hide a regression: red unless accepted."""
    policy, today = found.rules.policy, found.rules.today
    red = []
    for code, ids in (
        (ReasonCode.CASES_REMOVED, found.alignment.removed),
        (ReasonCode.CASES_NEWLY_SKIPPED, found.alignment.newly_skipped),
    ):
        gone = tuple(i for i in ids if not policy.accepted(i, None, today=today))
        if gone:
            red.append(Reason(code=code, cases=gone, number=len(gone)))
    red += [
        Reason(code=ReasonCode.METRIC_REMOVED, metric=metric)
        for metric in found.removed_metrics
        if not policy.accepted(EVERY_CASE, metric, today=today)
    ]
    return Weighed(red=tuple(red))


def cases(found: Examination) -> Weighed:
    limit = found.rules.policy.max_regressed_cases
    regressed = found.regressed
    suspects = tuple(s.case_id for s in found.suspects)
    red = Reason(code=ReasonCode.CASES_REGRESSED, cases=regressed, number=len(regressed))
    open_ones = Reason(code=ReasonCode.SUSPECTS_NOT_CONFIRMED, cases=suspects, number=len(suspects))
    if len(regressed) > limit:
        return Weighed(red=(red,), said=(open_ones,) if suspects else ())
    said = (red,) if regressed else ()
    if suspects and len(regressed) + len(suspects) > limit:
        return Weighed(unsure=(open_ones,), said=said)
    return Weighed(said=(*said, open_ones) if suspects else said)


def means(metrics: tuple[MetricComparison, ...]) -> Weighed:
    red = [
        Reason(code=ReasonCode.METRIC_REGRESSED, metric=m.name, number=m.change)
        for m in metrics
        if m.regressed
    ]
    red += [
        Reason(code=ReasonCode.BELOW_MINIMUM, metric=m.name, number=m.mean_all)
        for m in metrics
        if m.below_minimum
    ]
    said = [
        Reason(code=ReasonCode.METRIC_DROPPED, metric=m.name, number=m.change)
        for m in metrics
        if not m.regressed and m.change is not None and -m.change > m.tolerance + ROUNDING
    ]
    return Weighed(red=tuple(red), said=tuple(said))


def scores(
    after: RunResult, policy: GatePolicy, metrics: tuple[MetricComparison, ...], found: Weighed
) -> Weighed:
    """What the scores say, and whether the run was whole. Two versions' answers prove nothing about either."""
    itself = run_itself(after, policy, metrics)
    if is_mixed(after):
        return itself + Weighed(unsure=found.red + found.unsure, said=found.said)
    return found + itself


def is_mixed(run: RunResult) -> bool:
    """The app was published anew while it was being asked."""
    return len(run.workflow_ids) > 1


def run_itself(after: RunResult, policy: GatePolicy, metrics: tuple[MetricComparison, ...]) -> Weighed:
    """Was this run whole enough to judge by?"""
    unsure = []
    unscored = tuple(c.case.id for c in asked(after) if is_unscored(c, after.metrics))
    if not any(m.scored for m in metrics):
        unsure.append(Reason(code=ReasonCode.NOTHING_EVALUATED))
    if after.stopped is not None:
        unsure.append(Reason(code=ReasonCode.RUN_STOPPED, detail=after.stopped))
    if len(unscored) > policy.max_unscored:
        unsure.append(Reason(code=ReasonCode.UNSCORED, cases=unscored, number=len(unscored)))
    if is_mixed(after):
        detail = ", ".join(after.workflow_ids)
        unsure.append(Reason(code=ReasonCode.WORKFLOW_CHANGED_DURING_RUN, detail=detail))
    waived = bool(unscored) and len(unscored) <= policy.max_unscored
    said = Reason(code=ReasonCode.UNSCORED, cases=unscored, number=len(unscored))
    return Weighed(unsure=tuple(unsure), said=(said,) if waived else ())


def nothing_compared(found: Examination, metrics: tuple[MetricComparison, ...]) -> Weighed:
    """A gate that compared nothing is never green, whatever the scores; a renewal goes on."""
    if not any(m.scored for m in metrics):
        return Weighed()
    aligned = found.alignment
    apart = (("new_case", aligned.new), ("question", aligned.question_changed), ("no_score", aligned.pairs))
    detail = ", ".join(why for why, cases in apart if cases)
    reason = (Reason(code=ReasonCode.NOTHING_COMPARED, detail=detail),)
    return Weighed(said=reason) if found.rules.policy.renewing else Weighed(unsure=reason)


def incomparable(found: Examination, listed: tuple[CaseComparison, ...]) -> Weighed:
    """Metrics that can't be compared, by `on_incomparable`. Cases whose reference was edited are said: the others gate.

    Their stored answers were not judged again.
    """
    reasons = (*_by_other_rules(found.rules), *_mostly_edited(found))
    edited = _edited_references(found, listed)
    said = (Reason(code=ReasonCode.REFERENCES_CHANGED, cases=edited, number=len(edited)),) if edited else ()
    if found.rules.policy.on_incomparable == "fail":
        return Weighed(red=reasons, said=said)
    return Weighed(said=(*reasons, *said))


def _by_other_rules(rules: Rules) -> list[Reason]:
    by_difference: dict[tuple[str, ...], list[str]] = {}
    for metric, differences in rules.differing.items():
        by_difference.setdefault(differences, []).append(metric)
    return [
        Reason(
            code=ReasonCode.NOT_COMPARABLE,
            metric=metrics[0] if len(metrics) == 1 else None,
            number=len(metrics),
            detail=", ".join(differences),
        )
        for differences, metrics in by_difference.items()
    ]


def _mostly_edited(found: Examination) -> list[Reason]:
    """Metrics that lost more than half of their pairs to edited references: such a suite is a new one."""
    rules = found.rules
    pairs = [
        p for p in found.alignment.pairs if not rules.policy.accepted(p.case_id, None, today=rules.today)
    ]
    lost = sum(not p.same_reference for p in pairs)
    if 2 * lost <= len(pairs):
        return []
    return [
        Reason(code=ReasonCode.NOT_COMPARABLE, metric=metric, detail="reference")
        for metric in rules.metrics
        if metric in rules.baseline_metrics
        and metric not in rules.differing
        and rules.policy.spec(metric).needs_reference
    ]


def _edited_references(found: Examination, listed: tuple[CaseComparison, ...]) -> tuple[str, ...]:
    """Those that cost a comparison and were not accepted."""
    policy, today = found.rules.policy, found.rules.today
    changed = set(found.alignment.reference_changed)
    return tuple(
        c.case_id
        for c in listed
        if c.case_id in changed
        and _lost_to_reference(c, found.rules)
        and not policy.accepted(c.case_id, None, today=today)
    )


def lost_in_rejudging(found: Examination, lost: Collection[str]) -> Weighed:
    """A pair without its "before" hides a regression as well as one without its "after": undecidable, unless waived."""
    policy = found.rules.policy
    cases_lost = tuple(pair.case_id for pair in found.alignment.pairs if pair.case_id in lost)
    if not cases_lost:
        return Weighed()
    reason = Reason(code=ReasonCode.BASELINE_UNSCORED, cases=by_id(cases_lost), number=len(cases_lost))
    waived = policy.on_incomparable == "warn" or len(cases_lost) <= policy.max_unscored
    return Weighed(said=(reason,)) if waived else Weighed(unsure=(reason,))


def _lost_to_reference(case: CaseComparison, rules: Rules) -> bool:
    return any(
        m.status is CaseStatus.NOT_COMPARABLE and name not in rules.differing
        for name, m in case.metrics.items()
    )


def edited(found: Examination) -> Weighed:
    """What the suite's authors changed in cases that stayed."""
    listed = (
        (ReasonCode.QUESTIONS_CHANGED, found.alignment.question_changed),
        (ReasonCode.CHECKS_CHANGED, found.alignment.checks_changed),
    )
    return Weighed(said=tuple(Reason(code=code, cases=ids, number=len(ids)) for code, ids in listed if ids))


def few_pairs(metrics: tuple[MetricComparison, ...]) -> Weighed:
    most = max((m.pairs for m in metrics), default=0)
    if most == 0 or most >= FEWEST_PAIRS:
        return Weighed()
    return Weighed(said=(Reason(code=ReasonCode.FEW_PAIRS, number=most),))


def accepts(
    listed: tuple[CaseComparison, ...], policy: GatePolicy, *, removed: tuple[str, ...] = (), today: date
) -> tuple[Reason, ...]:
    """Entries that have ended, and entries in force that nothing needed. `removed`: metrics that are gone."""
    used: set[tuple[str, str | None]] = {(EVERY_CASE, metric) for metric in removed}
    for case in listed:
        used |= {(case.case_id, m) for m, on in case.metrics.items() if on.status is CaseStatus.ACCEPTED}
        if case.accepted_reason is not None:
            used.add((case.case_id, None))
    said = []
    for entry in policy.accept:
        detail = f"{entry.reason} ({entry.until.isoformat()})"
        cases_named = () if entry.case == EVERY_CASE else (entry.case,)
        if entry.until < today:
            code = ReasonCode.ACCEPT_EXPIRED
        elif (entry.case, entry.metric) in used:
            continue
        else:
            code = ReasonCode.ACCEPT_UNUSED
        said.append(Reason(code=code, cases=cases_named, metric=entry.metric, detail=detail))
    return tuple(said)
