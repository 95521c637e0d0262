"""Lines to the judge's server."""

import asyncio

from ragjudge.judge.lines import Lines


def test_a_line_is_taken_once_and_tells_when():
    """However often the transport asks for it, and the server's time begins with it."""

    async def story():
        begun = []
        line = Lines(1).line(lambda: begun.append("now"))
        before = list(begun)
        await line.take()
        await line.take()
        return before, begun

    assert ([], ["now"]) == asyncio.run(story())


def test_a_line_that_is_given_back_goes_to_whoever_waits():
    """Twice given back is once given back; one that was never taken changes nothing."""

    async def story():
        lines, begun = Lines(1), []
        first, second, third = (lines.line(lambda name=name: begun.append(name)) for name in "abc")
        await first.take()
        waiting = [asyncio.create_task(line.take()) for line in (second, third)]
        await asyncio.sleep(0)
        third_one = lines.line(lambda: begun.append("d"))
        third_one.give_back()
        first.give_back()
        first.give_back()
        await waiting[0]
        for _ in range(3):
            await asyncio.sleep(0)
        waiting[1].cancel()
        return begun

    assert ["a", "b"] == asyncio.run(story())


def test_a_call_that_gives_up_while_it_waits_keeps_no_line():
    """Cancelled before a line was free: the next call gets it."""

    async def story():
        lines, begun = Lines(1), []
        first, second, third = (lines.line(lambda name=name: begun.append(name)) for name in "abc")
        await first.take()
        waiting = asyncio.create_task(second.take())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        second.give_back()
        first.give_back()
        await third.take()
        return begun

    assert ["a", "c"] == asyncio.run(story())
