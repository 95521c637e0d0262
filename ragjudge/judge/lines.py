"""The lines to one server: a call takes one when its request is ready to go, and keeps it until the answer is read.

Making up a request takes longer than sending it. Whoever is next does so while others are in flight, so that a line
that falls free is in use again at once.
"""

import asyncio
from collections.abc import Callable


class Lines:
    """At most so many calls in flight, first come, first served."""

    def __init__(self, most: int) -> None:
        self._free = asyncio.Semaphore(most)

    def line(self, begins: Callable[[], None]) -> "Line":
        """One call's line, not yet taken. `begins` is called when it is: from then on the server has the time."""
        return Line(self._free, begins)


class Line:
    """Taken once, however often it is asked for."""

    def __init__(self, free: asyncio.Semaphore, begins: Callable[[], None]) -> None:
        self._free = free
        self._begins = begins
        self._taken = False

    async def take(self) -> None:
        if self._taken:
            return
        await self._free.acquire()
        self._taken = True
        self._begins()

    def give_back(self) -> None:
        if self._taken:
            self._taken = False
            self._free.release()
