"""Turns at the judge."""

import asyncio

from ragjudge.judge.limiter import Limiter


def test_earlier_cases_are_served_first():
    """Whoever waits is sorted by the case's place in the run, then by arrival."""

    async def story():
        limiter, served = Limiter(1), []

        async def call(name, order):
            async with limiter.turn(order):
                served.append(name)
                await asyncio.sleep(0)

        await asyncio.gather(call("first", 9), call("b1", 2), call("a", 1), call("b2", 2))
        return served

    assert ["first", "a", "b1", "b2"] == asyncio.run(story())


def test_a_caller_that_gives_up_leaves_no_hole():
    """Cancelled while waiting, or in the moment of being served: the turn goes on to the next."""

    async def story():
        limiter, served = Limiter(1), []

        async def call(name):
            async with limiter.turn():
                served.append(name)
                await asyncio.sleep(0)

        async with limiter.turn():
            waiting = [asyncio.create_task(call(name)) for name in "abc"]
            await asyncio.sleep(0)
            waiting[0].cancel()
        waiting[1].cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        async with limiter.turn():
            return served

    assert ["c"] == asyncio.run(story())
