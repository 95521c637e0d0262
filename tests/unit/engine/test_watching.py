"""One line where nothing comes back from a server for a while, whatever the number of calls that wait."""

import asyncio

import pytest

from ragjudge.engine.watching import PATIENCE_S, Watch, WatchedJudge
from ragjudge.errors import JudgeUnreachable
from ragjudge.language import Text
from tests.fakes import FakeJudge

JUDGE = Text("the judge (m)", "評価者(m)")


class Hand:
    """A clock that is moved by hand: sleepers wake when their time has come."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleepers: list[tuple[float, asyncio.Event]] = []

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        woken = asyncio.Event()
        self._sleepers.append((self.now + seconds, woken))
        await woken.wait()

    async def pass_(self, seconds: float) -> None:
        await turn()
        self.now += seconds
        for until, woken in self._sleepers:
            if until <= self.now:
                woken.set()
        await turn()


async def turn() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def watched(story):
    """Run a story with a watch and its clock; what was said."""
    said: list[Text] = []

    async def run() -> None:
        clock = Hand()
        await story(Watch(JUDGE, said.append, clock), clock)

    asyncio.run(run())
    return said


async def under_way(watch: Watch, end: asyncio.Event) -> None:
    async with watch.call():
        await end.wait()


def test_many_silent_calls_are_one_line():
    """After ten seconds without a sign, once, in both languages; never again in this run."""

    async def story(watch, clock):
        end = asyncio.Event()
        calls = [asyncio.create_task(under_way(watch, end)) for _ in range(50)]
        await clock.pass_(PATIENCE_S - 0.1)
        assert not watch._told
        await clock.pass_(0.1)
        await clock.pass_(100)
        end.set()
        await asyncio.gather(*calls)
        later = asyncio.create_task(under_way(watch, asyncio.Event()))
        await clock.pass_(100)
        later.cancel()

    [line] = watched(story)
    assert line.en == "Waiting for the judge (m): no answer for 10 s, attempt 1."
    assert line.ja == "評価者(m)の応答を待っています(10秒間応答なし、試行1回目)。"


def test_the_attempt_is_that_of_the_call_that_was_tried_most():
    """Each wait of the call's own clock is before another try."""

    async def story(watch, clock):
        async def retrying(waits: int) -> None:
            async with watch.call():
                for _ in range(waits):
                    await watch.sleep(2)
                await asyncio.Event().wait()

        calls = [asyncio.create_task(retrying(waits)) for waits in (1, 3, 2)]
        for _ in range(5):
            await clock.pass_(2)
        for call in calls:
            call.cancel()

    assert [line.en for line in watched(story)] == [
        "Waiting for the judge (m): no answer for 10 s, attempt 4."
    ]


def test_a_server_that_answers_now_and_then_is_not_waited_for():
    """Every answer begins the ten seconds anew, whoever else still waits; idle time counts for nothing."""

    async def story(watch, clock):
        slow = asyncio.create_task(under_way(watch, asyncio.Event()))
        for _ in range(5):
            await clock.pass_(PATIENCE_S - 1)
            async with watch.call():
                pass
        slow.cancel()
        await clock.pass_(1000)
        async with watch.call():
            pass

    assert watched(story) == []


def test_a_failed_call_is_no_answer():
    """Giving up on one question does not mean that the server was heard."""

    async def story(watch, clock):
        slow = asyncio.create_task(under_way(watch, asyncio.Event()))
        await clock.pass_(PATIENCE_S - 1)
        with pytest.raises(JudgeUnreachable):
            async with watch.call():
                raise JudgeUnreachable(Text("gone", "不通"))
        await clock.pass_(1)
        slow.cancel()

    assert len(watched(story)) == 1


def test_a_watched_judge_is_the_same_judge():
    """Identity and replies come through."""

    async def story(watch, clock):
        judge = FakeJudge()
        through = WatchedJudge(judge, watch)
        await through.probe()
        assert through.identity == judge.identity
        await through.close()

    assert watched(story) == []
