"""At most so many calls at work; whoever waits is served in the order of the run's cases."""

import asyncio
import heapq
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Limiter:
    """A semaphore whose queue is sorted: lower `order` first, then first come.

    Served so, early cases end early instead of all cases ending late. A call that `leads` to another one counts as
    `most` cases earlier: else the run's last calls would be the second ones of its last cases, and nothing beside.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._free = most
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._arrivals = 0

    @asynccontextmanager
    async def turn(self, order: int = 0, *, leads: bool = False) -> AsyncIterator[None]:
        await self._acquire(order - self._most if leads else order)
        try:
            yield
        finally:
            self._release()

    async def _acquire(self, order: int) -> None:
        if self._free > 0:
            self._free -= 1
            return
        granted = asyncio.get_running_loop().create_future()
        self._arrivals += 1
        heapq.heappush(self._waiting, (order, self._arrivals, granted))
        try:
            await granted
        except asyncio.CancelledError:
            if granted.done() and not granted.cancelled():
                self._release()
            raise

    def _release(self) -> None:
        while self._waiting:
            _, _, granted = heapq.heappop(self._waiting)
            if not granted.done():
                granted.set_result(None)
                return
        self._free += 1
