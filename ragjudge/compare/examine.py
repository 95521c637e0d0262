"""Everything two runs say about each other, before any verdict: pairs, judged cases, judged means."""

from dataclasses import dataclass
from datetime import date

from ragjudge.compare.align import Alignment, align
from ragjudge.compare.cases import JudgedCase, Rules, Suspicion, judge_case
from ragjudge.compare.decision import CaseStatus
from ragjudge.compare.policy import GatePolicy
from ragjudge.results.run import RunResult
from ragjudge.suite.natural import by_id, natural


@dataclass(frozen=True, slots=True)
class Examination:
    alignment: Alignment
    rules: Rules
    cases: tuple[JudgedCase, ...]

    @property
    def regressed(self) -> tuple[str, ...]:
        """In the order of ids."""
        found = (c.comparison for c in self.cases if c.comparison.status is CaseStatus.REGRESSED)
        return by_id(c.case_id for c in found)

    @property
    def suspects(self) -> tuple[Suspicion, ...]:
        """Not decided yet, worst first. A case that is regressed by one metric is not asked about another."""
        found = [
            c.suspicion
            for c in self.cases
            if c.suspicion is not None and c.comparison.status is CaseStatus.SUSPECT
        ]
        return tuple(sorted(found, key=lambda s: (-s.size, natural(s.case_id))))

    @property
    def removed_metrics(self) -> tuple[str, ...]:
        return tuple(sorted(self.rules.baseline_metrics - set(self.rules.metrics)))


def examine(before: RunResult, after: RunResult, policy: GatePolicy, *, today: date | None) -> Examination:
    """Pair the runs and judge each pair."""
    alignment = align(before, after)
    rules = rules_for(before, after, policy, today=today)
    return Examination(alignment, rules, tuple(judge_case(pair, rules) for pair in alignment.pairs))


def rules_for(before: RunResult | None, after: RunResult, policy: GatePolicy, *, today: date | None) -> Rules:
    known = frozenset(before.metrics) if before is not None else frozenset[str]()
    differing = {
        metric: found
        for metric in after.metrics
        if before is not None
        and metric in known
        and (found := before.fingerprint.differences(after.fingerprint, metric))
    }
    return Rules(
        policy=policy,
        today=today,
        metrics=after.metrics,
        baseline_metrics=known,
        differing=differing,
        repeats=after.repeats,
    )
