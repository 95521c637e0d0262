"""One sitting that ends with a new baseline: a run is asked and judged like in a check, gated, shown and stored."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass

from ragjudge.baseline import update
from ragjudge.baseline.codec import without_texts
from ragjudge.baseline.order import BY_HAND, Turn, left_alone, with_past
from ragjudge.baseline.update import Difference
from ragjudge.compare.gate import decide
from ragjudge.compare.policy import for_renewal, policy_from
from ragjudge.errors import DamagedFile
from ragjudge.language import Text
from ragjudge.metrics import budget
from ragjudge.results.baseline import Baseline
from ragjudge.results.run import RunResult
from ragjudge.session import Session
from ragjudge.sitting import Ending, as_judged_again, asked_anew, ending_of, say_what_is_left


@dataclass(frozen=True, slots=True)
class Updated:
    """What an update of the baseline changed, and the run it was made from."""

    ending: Ending
    difference: Difference
    late: Text | None = None
    """A baseline for a later commit was there by then: this run is only in its history."""


def update_baseline(
    session: Session,
    run: RunResult | None = None,
    *,
    accept: bool = False,
    judged_on: Collection[str] = (),
    turn: Turn = BY_HAND,
) -> Updated:
    """Take a run (a stored one, or a new one with `baseline.repeats` repeats) as the new baseline.

    A new run is compared as in a check: stored answers are judged again where they must be, suspects are confirmed.
    A stored one is gated by what can be compared without a call.

    Raises Refused for a failed gate and CannotTell for a run that is not whole or not decided, unless `accept`;
    CannotTell also for a new run of another version of the app than `judged_on`, where that names any. A damaged old
    baseline is replaced with `accept` only.
    """
    update.refuse_part_of_suite(session.left_out, run)
    old = _old(session, accept=accept)
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
    return Updated(ending, changes, _store(session, run, turn, accept=accept))


def came_late(session: Session, run: RunResult | None, turn: Turn) -> Text | None:
    """None where it is this update's turn. Else a stored run goes into the history, and there is nothing to ask:

    the app serves a later commit by now, and whatever it answered would be stored in this one's name.
    """
    stored = session.store.load()
    if stored is None or not turn.is_over(stored, run):
        return None
    if run is not None:
        note = f"Came late: {turn.commit}"
        session.store.change(lambda current: with_past(current or stored, run), note=note)
    return left_alone(stored)


def _old(session: Session, *, accept: bool) -> Baseline | None:
    """Raises DamagedFile for one that cannot be read, unless it is to be replaced."""
    try:
        return session.store.load()
    except DamagedFile as damage:
        if not accept:
            raise
        session.warn(_replaced(damage))
        return None


def _store(session: Session, run: RunResult, turn: Turn, *, accept: bool) -> Text | None:
    """On top of what is there at that moment. What is said where that is for a later commit."""
    settings = session.settings
    stored = without_texts(run) if settings.report.content == "scores" else run
    late: Text | None = None

    def on_top(current: Baseline | None) -> Baseline:
        nonlocal late
        late = left_alone(current) if current is not None and turn.is_over(current, run) else None
        if current is not None and late is not None:
            return with_past(current, run)
        return update.renewed(
            current,
            stored,
            stored_at=session.now(),
            store_answers=settings.baseline.store_answers and settings.report.content == "full",
            dsl_digest=session.dsl_digest,
            for_commit=turn.commit,
        )

    note = f"Commit: {turn.commit or run.commit or 'unknown'}"
    session.store.change(on_top, note=note, replace_damaged=accept)
    return late


def _replaced(damage: DamagedFile) -> Text:
    return Text(
        f"{damage.what.en} It is replaced, with its history and anchor (`--accept`).",
        f"{damage.what.ja}`--accept` の指定により、履歴と基準点も含めて新しいベースラインに置き換えます。",
    )
