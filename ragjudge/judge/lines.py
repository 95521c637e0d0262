"""The lines to one server: a call takes one when its request is ready to go, and keeps it until it is done with.

Making up a request takes longer than sending it. Whoever is next does so while others are in flight, so that a line
that falls free is in use again at once.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Line:
    """Taken once, however often the call is tried."""

    def __init__(self, free: asyncio.Semaphore) -> None:
        self._free = free
        self._taken = False

    async def take(self, begins: Callable[[], None]) -> None:
        """Wait for a line where this call has none yet; then the server has the time: `begins` is called."""
        if not self._taken:
            await self._free.acquire()
            self._taken = True
        begins()

    def give_back(self) -> None:
        if self._taken:
            self._taken = False
            self._free.release()


class Lines:
    """At most so many calls in flight, first come, first served."""

    def __init__(self, most: int) -> None:
        self._free = asyncio.Semaphore(most)

    @contextmanager
    def line(self) -> Iterator[Line]:
        """One call's line, not yet taken; free again afterwards."""
        line = Line(self._free)
        try:
            yield line
        finally:
            line.give_back()
