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
_ROUNDS = 2
"""Answers per decision, in multiples of the limit: enough for a mean of latencies that differ by nature."""
_WORTH_IT = 0.4
"""A step up stays when it brought this share of the gain that a server with room would have given."""
_FEW, _MANY = 0.1, 0.25
"""Share of refused requests up to which a step up is tried, and beyond which it goes down."""
_SHRINK = 0.7
_PATIENCE = 4
"""Decisions to wait until a level that was not worth it, or refused, is tried again."""


@dataclass(slots=True)
class _Window:
    """What happened since the last decision, at one limit."""

    answers: int = 0
    seconds: float = 0.0
    refusals: int = 0
    full: bool = True
    """All slots were in use all the time: only then the numbers tell anything about the limit."""

    def throughput(self, limit: int) -> float:
        """Answers per second by Little's law."""
        return limit * self.answers / self.seconds if self.seconds > 0 else float("inf")

    @property
    def refused_share(self) -> float:
        return self.refusals / max(1, self.answers + self.refusals)


class Limiter:
    """`async with limiter.slot()` around each question; tell it how each one went."""

    def __init__(self, most: int) -> None:
        self._most = max(1, most)
        self._limit = 1
        self._level = 0
        self._proven = False
        self._in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._window = _Window()
        self._before: tuple[int, float] | None = None
        self._too_high = most + 1
        self._patience = 0

    @property
    def limit(self) -> int:
        return self._limit

    @property
    def in_flight(self) -> int:
        return self._in_flight

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[int]:
        """Waits for its turn, first come first served; a cancelled waiter leaves the queue.

        Gives the number of the level at which it began, for `answered`.
        """
        await self._enter()
        try:
            yield self._level
        finally:
            self._in_flight -= 1
            self._wake()

    def proven(self) -> None:
        """The app answers: open up."""
        if not self._proven:
            self._proven = True
            self._set(min(_START, self._most))

    def answered(self, seconds: float, level: int) -> None:
        """One question was answered after so long; what began at another level tells nothing."""
        self.proven()
        if level != self._level:
            return
        window = self._window
        window.answers += 1
        window.seconds += seconds
        window.full = window.full and (bool(self._waiting) or self._in_flight >= self._limit)
        if window.answers >= max(_ROUNDS * self._limit, _ROUNDS * _START):
            self._decide(window)

    def refused(self, *, allowed: int | None = None) -> None:
        """The server had too much (a refusal or a timeout); `allowed`: its own limit, where it names that."""
        self._window.refusals += 1
        if allowed is not None:
            self._most = max(1, min(allowed, self._most))
        if self._limit > self._most:
            self._set(self._most)
        elif self._window.refusals >= max(2, self._limit) and self._window.refused_share > _MANY:
            self._shrink()

    def _decide(self, window: _Window) -> None:
        throughput, before = window.throughput(self._limit), self._before
        self._before = None
        self._patience = max(0, self._patience - 1)
        if window.refused_share > _MANY:
            self._shrink()
        elif before is not None and throughput < before[1] * (1 + _WORTH_IT * (self._limit / before[0] - 1)):
            self._avoid(self._limit)
            self._set(before[0])
        else:
            higher = self._higher() if window.full and window.refused_share <= _FEW else self._limit
            self._before = (self._limit, throughput) if higher > self._limit else None
            self._set(higher)

    def _higher(self) -> int:
        """The next level worth a try: half as much again, below a level that just proved too high."""
        most = self._most if self._patience == 0 else min(self._most, self._too_high - 1)
        return max(self._limit, min(most, self._limit + max(1, self._limit // 2)))

    def _shrink(self) -> None:
        self._avoid(self._limit)
        self._before = None
        self._set(max(1, int(self._limit * _SHRINK)))

    def _avoid(self, limit: int) -> None:
        self._too_high = limit
        self._patience = _PATIENCE

    def _set(self, limit: int) -> None:
        self._level += limit != self._limit
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
