"""How many questions are in flight, against simulated servers whose time is counted and not waited for."""

import asyncio
import heapq

import pytest

from ragjudge.dify.limiter import Limiter


def simulate(limiter: Limiter, questions: int, seconds_at) -> tuple[float, list[int]]:
    """Ask so many questions of a server that takes `seconds_at(in flight)` for each.

    Returns the simulated wall time and the limit after each answer.
    """

    async def run() -> tuple[float, list[int]]:
        now, waiting, limits = 0.0, [], []

        async def one() -> None:
            async with limiter.slot() as level:
                seconds = seconds_at(limiter.in_flight)
                turn = asyncio.get_running_loop().create_future()
                heapq.heappush(waiting, (now + seconds, id(turn), turn))
                await turn
                limiter.answered(seconds, level)
                limits.append(limiter.limit)

        tasks = [asyncio.create_task(one()) for _ in range(questions)]
        while not all(task.done() for task in tasks):
            for _ in range(6):
                await asyncio.sleep(0)
            if waiting:
                now, _, turn = heapq.heappop(waiting)
                turn.set_result(None)
        return now, limits

    return asyncio.run(run())


def test_asks_one_question_until_the_app_has_proven_to_work():
    """A wrong setting costs one call, not a storm of them; then four."""
    limiter = Limiter(10)

    assert 1 == limiter.limit
    limiter.proven()
    assert 4 == limiter.limit


@pytest.mark.parametrize(("most", "start"), [(1, 1), (3, 3), (10, 4)])
def test_never_starts_above_the_configured_most(most, start):
    """`app.concurrency` is a ceiling."""
    limiter = Limiter(most)
    limiter.proven()

    assert start == limiter.limit


def test_rises_while_the_server_has_room():
    """A server that takes a second per answer at any load: the ceiling is reached and kept."""
    _, limits = simulate(Limiter(10), 200, lambda _: 1.0)

    assert 10 == max(limits) == limits[-1]
    assert limits.index(10) < 50


def test_stays_low_where_the_server_only_queues():
    """Past four in flight each answer only takes longer: hardly more than four at any time but for short tries."""
    _, limits = simulate(Limiter(10), 400, lambda n: max(1.0, n / 4))

    assert 6 >= max(limits)
    assert limits.count(4) > 0.6 * len(limits)


def test_goes_down_when_refused_and_comes_back():
    """One step when as many are refused as are in flight, the next when that happens again."""
    limiter = Limiter(10)
    simulate(limiter, 100, lambda _: 1.0)
    for _ in range(16):
        limiter.refused()

    assert 7 == limiter.limit
    simulate(limiter, 300, lambda _: 1.0)
    assert 10 == limiter.limit


def test_takes_the_limit_that_a_server_names():
    """`… allowed … is 3.`: never more than that again."""
    limiter = Limiter(10)
    limiter.proven()
    limiter.refused(allowed=3)
    simulate(limiter, 100, lambda _: 1.0)

    assert 3 >= limiter.limit >= 2


def test_never_lets_more_in_than_the_limit_and_serves_in_order():
    """First come, first served; a cancelled waiter neither blocks nor leaks a slot."""

    async def run() -> tuple[int, list[int]]:
        limiter, most, order = Limiter(2), 0, []
        limiter.proven()

        async def one(number: int) -> None:
            nonlocal most
            async with limiter.slot():
                order.append(number)
                most = max(most, limiter.in_flight)
                await asyncio.sleep(0)

        tasks = [asyncio.create_task(one(n)) for n in range(20)]
        await asyncio.sleep(0)
        for number in (3, 7, 19):
            tasks[number].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert 0 == limiter.in_flight
        return most, order

    most, order = asyncio.run(run())

    assert 2 == most
    assert [n for n in range(20) if n not in (3, 7, 19)] == order


def test_gives_a_slot_back_when_its_new_owner_is_cancelled_in_the_same_moment():
    """The turn was given, but the waiter is gone: the next one gets it."""

    async def run() -> int:
        limiter = Limiter(1)
        first = asyncio.Event()

        async def hold() -> None:
            async with limiter.slot():
                await first.wait()

        async def one() -> None:
            async with limiter.slot():
                pass

        holding, waiting, last = (asyncio.create_task(f()) for f in (hold, one, one))
        await asyncio.sleep(0)
        first.set()
        await holding
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await asyncio.wait_for(last, 1)
        return limiter.in_flight

    assert 0 == asyncio.run(run())
