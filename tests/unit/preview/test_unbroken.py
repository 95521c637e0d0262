"""Work that goes on through a cancellation."""

import asyncio

import pytest

from ragjudge.errors import ConsoleUnreachable
from ragjudge.preview.unbroken import unbroken


def test_it_ends_before_the_cancellation_is_raised():
    """Twice cancelled, done all the same."""
    done = []

    async def work():
        await gate.wait()
        done.append(True)

    async def run():
        task = asyncio.create_task(unbroken(work(), within_s=5))
        for _ in range(2):
            await asyncio.sleep(0)
            task.cancel()
        await asyncio.sleep(0)
        assert not task.done()
        gate.set()
        await task

    gate = asyncio.Event()
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())
    assert done == [True]


def test_it_gives_up_in_time():
    """A server that never answers does not hold a cancelled job; it is told as such, not as a crash."""

    async def work():
        await asyncio.Event().wait()

    with pytest.raises(ConsoleUnreachable, match=r"not done within 0\.01 s"):
        asyncio.run(unbroken(work(), within_s=0.01))


def test_results_and_errors_pass_through():
    """Like a plain await."""

    async def fails():
        raise ValueError("x")

    assert asyncio.run(unbroken(asyncio.sleep(0, "result"), within_s=1)) == "result"
    with pytest.raises(ValueError, match="x"):
        asyncio.run(unbroken(fails(), within_s=1))
