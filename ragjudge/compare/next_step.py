"""Which questions to ask again before deciding: suspects first, then whole-suite repeats for the means."""

from dataclasses import dataclass
from datetime import date

from ragjudge.compare.decision import Verdict
from ragjudge.compare.examine import Examination, examine
from ragjudge.compare.gate import decide
from ragjudge.compare.means import judge_means
from ragjudge.compare.policy import TRIED_BEYOND_LIMIT, GatePolicy
from ragjudge.compare.samples import looks_taken
from ragjudge.compare.weigh import is_mixed
from ragjudge.results.run import RunResult

AT_ONCE = 5
"""Suspects asked side by side: one at a time would make a person wait, all at once would pay for names only.

Also how many of the worst are confirmed where something else has made the check red already: a red mean that names
no case helps nobody.
"""


@dataclass(frozen=True, slots=True)
class NextStep:
    """Case ids with the attempt names to ask them under; empty when nothing more can change the verdict.

    `decides_cases`: the answers are confirmations (they never enter a mean). Otherwise they are a whole-suite repeat
    and join the samples.
    """

    asks: tuple[tuple[str, str], ...] = ()
    decides_cases: bool = True

    def __bool__(self) -> bool:
        return bool(self.asks)


NOTHING = NextStep()


def next_step(
    before: RunResult | None,
    after: RunResult,
    policy: GatePolicy,
    *,
    asked_extra: int,
    today: date | None = None,
) -> NextStep:
    """What to ask next. Pure: the caller asks, appends the samples and comes again.

    `asked_extra` is how many questions were asked for earlier steps, so that one that left no sample is paid for too.
    Without `today` no `accept:` entry counts as in force (accepted suspects are then confirmed, which only costs).
    """
    if before is None or after.stopped is not None or policy.extra_budget <= 0 or is_mixed(after):
        return NOTHING
    found = examine(before, after, policy, today=today)
    if not found.suspects and policy.more_looks == 0:
        return NOTHING
    limit = policy.max_regressed_cases
    if len(found.regressed) > limit:
        return NOTHING
    red = decide(before, after, policy, today=today or date.max).verdict is Verdict.FAILED
    step = NOTHING
    if red or len(found.regressed) + len(found.suspects) > limit:
        most = AT_ONCE if red else limit + TRIED_BEYOND_LIMIT + _cleared(found, after)
        step = _confirming(found, after, policy, asked_extra=asked_extra, most=most)
    return step if step or red else _looking(found, after, policy)


def _cleared(found: Examination, after: RunResult) -> int:
    """Suspects that recovered make room for others: in a large suite chance alone makes dozens of them."""
    unsettled = {*found.regressed, *(suspect.case_id for suspect in found.suspects)}
    return sum(1 for c in after.cases if c.confirmations and c.case.id not in unsettled)


def _confirming(
    found: Examination, after: RunResult, policy: GatePolicy, *, asked_extra: int, most: int
) -> NextStep:
    """The next fresh sample of each of the worst suspects that are still open, within the limits."""
    asked_cases = [c for c in after.cases if c.case.skip is None]
    already = sum(len(c.confirmations) for c in asked_cases)
    repeated = looks_taken(after) * len(asked_cases)
    left = policy.confirm_budget(len(asked_cases)) - max(already, asked_extra - repeated)
    begun = sum(1 for c in asked_cases if c.confirmations)
    may_begin = most - begun
    asks: list[tuple[str, str]] = []
    for suspect in found.suspects:
        if len(asks) >= min(left, AT_ONCE):
            break
        if suspect.tried >= suspect.needed or (suspect.tried == 0 and may_begin <= 0):
            continue
        may_begin -= suspect.tried == 0
        asks.append((suspect.case_id, f"confirm-{suspect.tried + 1}"))
    return NextStep(tuple(asks))


def _looking(found: Examination, after: RunResult, policy: GatePolicy) -> NextStep:
    """One more repeat of the whole suite, if the means are undecided and a look is left."""
    if policy.more_looks == 0 or not judge_means(found.cases, after, found.rules).undecided:
        return NOTHING
    attempt = str(after.repeats + looks_taken(after) + 1)
    ids = [c.case.id for c in after.cases if c.case.skip is None]
    return NextStep(tuple((case_id, attempt) for case_id in ids), decides_cases=False)
