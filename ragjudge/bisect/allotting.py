"""How many cases the budget reaches for. Pure."""

from collections.abc import Sequence

from ragjudge.compare.decision import CaseStatus, Decision
from ragjudge.compare.policy import GatePolicy
from ragjudge.results.outcome import Cause
from ragjudge.results.run import CaseResult, RunResult, Sample

MOST_CASES = 10
"""The worst ones tell a change from another; each more costs a question per change."""
_MOST_AGAIN = 9
"""Fresh answers to suspects that the gate asks for in so small a suite, whatever they say."""


WORSE = frozenset({CaseStatus.REGRESSED, CaseStatus.SUSPECT})
"""A suspect is not asked again once the verdict is clear: it counts as it looks."""


def worst_first(decision: Decision, policy: GatePolicy) -> tuple[str, ...]:
    """The regressed cases, then the suspects, each by their largest drop as a share of the metric's scale.

    Where everything breaks the gate confirms hardly any: its suspects are the ones to ask. A metric that is lost is the
    worst drop. Equal ones stay in the suite's order.
    """
    sizes = {}
    for case in decision.with_status(*WORSE):
        drops = [
            1.0 if on.change is None else -on.change / policy.spec(name).span
            for name, on in case.metrics.items()
            if on.status in WORSE
        ]
        suspect = case.status is CaseStatus.SUSPECT
        sizes[case.case_id] = (suspect, -max(drops, default=0.0))
    return tuple(sorted(sizes, key=lambda case_id: sizes[case_id]))


def allot(cases: Sequence[CaseResult], changes: int, *, confirm: int, left: int | None) -> tuple[str, ...]:
    """The cases to ask of every change, worst first: as many as all changes together can afford, one at least.

    `confirm`: fresh answers that a suspect may need. `left`: questions that may still be asked (None: no limit).
    """
    chosen = cases[:MOST_CASES]
    while left is not None and len(chosen) > 1 and changes * cost(chosen, confirm) > left:
        chosen = chosen[:-1]
    return tuple(case.case.id for case in chosen)


def cost(cases: Sequence[CaseResult], confirm: int) -> int:
    """Questions for one change at most: each case once, and suspects again."""
    each = [questions(case) for case in cases]
    return sum(each) + min(confirm * len(each), _MOST_AGAIN) * max(each, default=0)


def questions(case: CaseResult) -> int:
    """Questions of one asking, each turn counted."""
    return 1 + len(case.case.turns)


def asked(run: RunResult) -> int:
    """Questions that a run has put, confirmations included."""
    return sum(
        questions(case) * sum(_was_asked(s) for s in (*case.samples, *case.confirmations))
        for case in run.cases
        if not case.case.is_earlier_turn
    )


def _was_asked(sample: Sample) -> bool:
    return sample.failure is None or sample.failure.cause is not Cause.NOT_ASKED
