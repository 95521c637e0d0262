"""How many questions may be in flight: learned from how the server takes them.

A self-hosted Dify does not refuse what it cannot do at once: past about four it only queues, and each wait eats the
caller's deadline. So the limiter watches throughput and not only refusals. It starts with one question until the
app has proven that it works (a wrong setting must not cost a storm of calls), then four, and rises step by step
only while the step really brought more answers per second; else it goes back and tries again later.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

_START = 4
_WORTH_IT = 0.4
"""A step up stays when it brought this share of the gain that a server with room would have given."""
_PATIENCE = 4
"""Windows to wait after a step that was not worth it, before the next try."""
_SHRINK = 0.7
_ROUNDS = 2
"""Answers per decision, in multiples of the limit: enough for a mean of latencies that differ by nature."""


@dataclass(slots=True)
class _Window:
    """The answers since the last decision, at one limit."""

    answers: int = 0
    seconds: float = 0.0
    full: bool = True
    """All slots were in use all the time: only then the numbers tell anything about the limit."""

    def throughput(self, limit: int) -> float:
        """Answers per second by Little's law."""
        return limit * self.answers / self.seconds if self.seconds > 0 else float("inf")


class Limiter:
    """`async with limiter.slot()` around each question; tell it how each one went."""

    def __init__(self, most: int) -> None:
        self._most = max(1, most)
        self._limit = 1
        self._proven = False
        self._in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._window = _Window()
        self._before: tuple[int, float] | None = None
        self._patience = 0
        self._since_shrink = 0

    @property
    def limit(self) -> int:
        return self._limit

    @property
    def in_flight(self) -> int:
        return self._in_flight

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Waits for its turn, first come first served; a cancelled waiter leaves the queue."""
        await self._enter()
        try:
            yield
        finally:
            self._in_flight -= 1
            self._wake()

    def proven(self) -> None:
        """The app answers: open up."""
        if not self._proven:
            self._proven = True
            self._set(min(_START, self._most))

    def answered(self, seconds: float) -> None:
        """One question was answered after so long, without refusals on the way."""
        self.proven()
        window = self._window
        window.answers += 1
        window.seconds += seconds
        window.full = window.full and (bool(self._waiting) or self._in_flight >= self._limit)
        self._since_shrink += 1
        if window.answers >= _ROUNDS * self._limit:
            self._decide()

    def refused(self, *, allowed: int | None = None) -> None:
        """The server had too much (a refusal or a timeout). At most one step down per round of answers."""
        if allowed is not None:
            self._most = max(1, min(allowed, self._most))
        if self._limit > self._most:
            self._shrink_to(self._most)
        elif self._since_shrink >= self._limit:
            self._patience = _PATIENCE
            self._shrink_to(max(1, int(self._limit * _SHRINK)))

    def _shrink_to(self, limit: int) -> None:
        self._since_shrink = 0
        self._before = None
        self._set(limit)

    def _decide(self) -> None:
        throughput, full = self._window.throughput(self._limit), self._window.full
        before, self._before = self._before, None
        if before is not None and throughput < before[1] * (1 + _WORTH_IT * (self._limit / before[0] - 1)):
            self._patience = _PATIENCE
            self._set(before[0])
        elif self._patience:
            self._patience -= 1
            self._window = _Window()
        elif full and self._limit < self._most:
            self._before = (self._limit, throughput)
            self._set(min(self._most, self._limit + max(1, self._limit // 2)))
        else:
            self._window = _Window()

    def _set(self, limit: int) -> None:
        self._limit = limit
        self._window = _Window()
        self._wake()

    async def _enter(self) -> None:
        if self._in_flight < self._limit and not self._waiting:
            self._in_flight += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._in_flight -= 1
                self._wake()
            elif turn in self._waiting:
                self._waiting.remove(turn)
            raise

    def _wake(self) -> None:
        while self._waiting and self._in_flight < self._limit:
            turn = self._waiting.popleft()
            if not turn.done():
                self._in_flight += 1
                turn.set_result(None)
