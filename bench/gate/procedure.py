"""The whole sequential procedure without an app: ask `next_step`, answer from a responder, until it is content."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from ragjudge.compare.decision import Decision
from ragjudge.compare.gate import decide
from ragjudge.compare.next_step import next_step
from ragjudge.compare.policy import GatePolicy
from ragjudge.results.run import RunResult, Sample

Responder = Callable[[str, str], Sample]
"""Case id and attempt name → the sample that asking it gives."""

TODAY = date(2026, 1, 2)


@dataclass(frozen=True)
class Settled:
    run: RunResult
    decision: Decision
    asked: int
    steps: int


def settle(before: RunResult | None, after: RunResult, policy: GatePolicy, respond: Responder) -> Settled:
    """What the pipeline does, step by step, with the real `next_step` and `decide`."""
    asked = steps = 0
    while step := next_step(before, after, policy, asked_extra=asked, today=TODAY):
        fresh = {}
        for case_id, attempt in step.asks:
            fresh.setdefault(case_id, []).append(respond(case_id, attempt))
        asked += len(step.asks)
        steps += 1
        field = "confirmations" if step.decides_cases else "samples"
        cases = tuple(
            c.model_copy(update={field: (*getattr(c, field), *fresh.get(c.case.id, ()))}) for c in after.cases
        )
        after = after.model_copy(update={"cases": cases})
    return Settled(after, decide(before, after, policy, today=TODAY), asked, steps)
