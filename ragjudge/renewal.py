"""One sitting that ends with a new baseline: a run is asked and judged like in a check, gated, shown and stored."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass

from ragjudge.baseline import update
from ragjudge.baseline.update import Difference
from ragjudge.compare.gate import decide
from ragjudge.compare.policy import for_renewal, policy_from
from ragjudge.metrics import budget
from ragjudge.results.run import RunResult
from ragjudge.session import Ending, Session, as_judged_again, asked_anew, ending_of, say_what_is_left


@dataclass(frozen=True, slots=True)
class Updated:
    """What an update of the baseline changed, and the run it was made from."""

    ending: Ending
    difference: Difference


def update_baseline(
    session: Session,
    run: RunResult | None = None,
    *,
    accept: bool = False,
    judged_on: Collection[str] = (),
) -> Updated:
    """Take a run (a stored one, or a new one with `baseline.repeats` repeats) as the new baseline.

    A new run is compared as in a check: stored answers are judged again where they must be, suspects are confirmed.
    A stored one is gated by what can be compared without a call.

    Raises Refused for a failed gate and CannotTell for a run that is not whole or not decided, unless `accept`;
    CannotTell also for a new run of another version of the app than `judged_on`, where that names any.
    """
    update.refuse_part_of_suite(session.left_out, run)
    old = session.store.load()
    before, policy = old, for_renewal(policy_from(session.settings))
    if run is None:
        repeats = session.settings.baseline.repeats
        budget.require_within(session.suite, session.settings, repeats=repeats)
        session, checked, _ = asyncio.run(asked_anew(session, old, policy, repeats))
        say_what_is_left(session, checked.cleaned)
        if checked.error is not None:
            raise checked.error
        run, decision, before = checked.run, checked.decision, as_judged_again(old, checked)
    else:
        decision = decide(old.run if old else None, run, policy, today=session.now().date())
    ending = ending_of(session, run, before, decision, None)
    update.refuse_another_version(run, judged_on)
    update.refuse_unless_sound(run, decision if old else None, accept=accept)
    changes = update.difference(old, run)
    session.store.save(
        update.renewed(
            old,
            run,
            stored_at=session.now(),
            store_answers=session.settings.baseline.store_answers
            and session.settings.report.content == "full",
            dsl_digest=session.dsl_digest,
        )
    )
    return Updated(ending, changes)
