"""Lines to the judge's server."""

import asyncio
from contextlib import ExitStack

from ragjudge.judge.lines import Lines


def test_a_line_is_taken_once_and_the_servers_time_begins_with_each_try():
    """A call that is tried again keeps its line."""

    async def story():
        begun = []
        with Lines(1).line() as line:
            for name in "ab":
                await asyncio.wait_for(line.take(lambda name=name: begun.append(name)), 1)
        return begun

    assert ["a", "b"] == asyncio.run(story())


def test_a_line_that_falls_free_goes_to_whoever_waits():
    """Once; a call that never took one gives none back."""

    async def story():
        lines, begun = Lines(1), []
        with ExitStack() as held, lines.line() as second, lines.line() as third:
            await held.enter_context(lines.line()).take(lambda: begun.append("first"))
            waiting = [
                asyncio.create_task(line.take(lambda name=name: begun.append(name)))
                for name, line in (("second", second), ("third", third))
            ]
            with lines.line():
                await asyncio.sleep(0)
            before = list(begun)
            held.close()
            await waiting[0]
            for _ in range(3):
                await asyncio.sleep(0)
            waiting[1].cancel()
        return before, begun

    assert (["first"], ["first", "second"]) == asyncio.run(story())


def test_a_call_that_gives_up_while_it_waits_keeps_no_line():
    """Cancelled before a line was free: the next call gets it."""

    async def story():
        lines, begun = Lines(1), []
        with lines.line() as first:
            await first.take(lambda: begun.append("a"))
            with lines.line() as second:
                waiting = asyncio.create_task(second.take(lambda: begun.append("b")))
                await asyncio.sleep(0)
                waiting.cancel()
                await asyncio.gather(waiting, return_exceptions=True)
        with lines.line() as third:
            await asyncio.wait_for(third.take(lambda: begun.append("c")), 1)
        return begun

    assert ["a", "c"] == asyncio.run(story())
