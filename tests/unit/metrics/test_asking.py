"""Several calls at once give one result or one error."""

import asyncio

import pytest

from ragjudge.errors import JudgeCouldNotScore, JudgeOutOfQuota
from ragjudge.language import Text
from ragjudge.metrics.asking import joined_notes, side_by_side
from ragjudge.ports import JudgeReply
from ragjudge.results.outcome import Cause

SORRY = Text("no", "不可")


async def says(value, *, after=0, log=None):
    for _ in range(after):
        await asyncio.sleep(0)
    if log is not None:
        log.append(value)
    if isinstance(value, BaseException):
        raise value
    return value


def run(*calls):
    return asyncio.run(side_by_side(calls))


def test_results_come_in_the_order_of_the_calls():
    """Whoever answers first."""
    assert run(says("a", after=3), says("b")) == ["a", "b"]


def test_a_failed_case_lets_the_others_come_to_their_end():
    """They are paid for."""
    log = []
    failure = JudgeCouldNotScore(SORRY, cause=Cause.JUDGE_ERROR)
    with pytest.raises(JudgeCouldNotScore):
        run(says(failure, log=log), says("late", after=5, log=log))
    assert log == [failure, "late"]


def test_an_outage_ends_the_others_at_once():
    """No further call is made in a run that is over."""
    log = []
    with pytest.raises(JudgeOutOfQuota):
        run(says(JudgeOutOfQuota(SORRY)), says("late", after=50, log=log))
    assert log == []


def test_a_bug_is_never_hidden_behind_a_user_error():
    """Of several errors at once, ours comes out."""
    with pytest.raises(ZeroDivisionError):
        run(says(JudgeOutOfQuota(SORRY)), says(ZeroDivisionError()))


def test_cancelling_the_caller_cancels_its_calls():
    """A deadline of the engine reaches every sub-call and comes out as a cancellation."""
    log = []

    async def story():
        task = asyncio.create_task(side_by_side([says("late", after=1000, log=log)]))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(story())
    assert log == []


def test_repairs_are_counted_one_by_one_and_other_notes_once():
    """The report counts repaired replies."""
    replies = [JudgeReply(value=None, notes=("repaired:fence", "coerced")) for _ in range(2)]
    assert joined_notes(replies, "non_committal") == (
        "repaired:fence",
        "coerced",
        "repaired:fence",
        "non_committal",
    )
