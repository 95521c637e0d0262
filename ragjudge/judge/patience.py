"""Trying a call again: for how long, after which waits. The wait of a queue does not count."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type

from ragjudge.errors import RagjudgeError
from ragjudge.ports import Clock

T = TypeVar("T")

_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 20.0


class Passing(Exception):
    """Another try may help. `error` is what it means when time is up; `retry_after` what the server asks for."""

    def __init__(self, error: RagjudgeError, *, retry_after: float | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.retry_after = retry_after


class Patience:
    """The time that one judgement may take, its calls and waits together; waiting for turn and line is not in it."""

    def __init__(self, seconds: float, *, clock: Clock, random: Random) -> None:
        self._left = seconds
        self._clock = clock
        self._random = random

    @asynccontextmanager
    async def counted(self) -> AsyncIterator[Callable[[], None]]:
        """From the call of what is yielded on time counts, and ends with TimeoutError when there is none left."""
        started: float | None = None
        try:
            async with asyncio.timeout(None) as limit:

                def begin() -> None:
                    nonlocal started
                    if started is not None:
                        return
                    started = self._clock.monotonic()
                    limit.reschedule(asyncio.get_running_loop().time() + max(self._left, 0.0))

                yield begin
        finally:
            if started is not None:
                self._left -= self._clock.monotonic() - started

    async def through(self, attempt: Callable[[], Awaitable[T]]) -> T:
        """The attempt's result; tries again while it raises Passing and there is time for the wait."""
        try:
            return await attempt()
        except Passing as passing:
            return await self._again(passing, attempt)

    async def _again(self, first: Passing, attempt: Callable[[], Awaitable[T]]) -> T:
        """Counts `first` as the first attempt: few calls fail, and tenacity costs as much as reading an answer."""
        earlier = [first]
        retrying = AsyncRetrying(
            sleep=self._sleep,
            retry=retry_if_exception_type(Passing),
            wait=self._wait,
            stop=lambda state: state.upcoming_sleep >= self._left,
            reraise=True,
        )

        async def once() -> T:  # tenacity awaits what it sees to be a coroutine function, and no lambda
            if earlier:
                raise earlier.pop()
            return await attempt()

        try:
            return await retrying(once)
        except Passing as passing:
            raise passing.error from None

    async def _sleep(self, seconds: float) -> None:
        self._left -= seconds
        await self._clock.sleep(seconds)

    def _wait(self, state: RetryCallState) -> float:
        """What the server asks for; else twice as long each time, with jitter so that calls don't come back as one."""
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after if isinstance(error, Passing) else None
        if asked is not None:
            return asked + self._random.uniform(0.0, 0.1 * asked)
        longest = min(_FIRST_WAIT_S * 2 ** (state.attempt_number - 1), _LONGEST_WAIT_S)
        return self._random.uniform(longest / 2, longest)
