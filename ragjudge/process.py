"""How a process of ragjudge begins and ends, so that neither costs the seconds that a run is short of."""

import gc
import importlib
import os
import sys
from contextlib import suppress
from typing import NoReturn

_COLLECT_AFTER = (200_000, 20, 20)


def collect_rarely() -> None:
    """Importing the clients makes hundreds of thousands of objects that all stay: looking through them again and
    again costs a tenth of a second at the start, and again at each of a run's many collections.
    """
    gc.set_threshold(*_COLLECT_AFTER)


async def import_later(*modules: str, after_s: float) -> None:
    """Import in a thread, after a while, what only the end of the work will need."""
    import asyncio

    def fetch() -> None:
        with suppress(ImportError):
            for name in modules:
                importlib.import_module(name)

    await asyncio.sleep(after_s)
    await asyncio.to_thread(fetch)


def leave(code: int) -> NoReturn:
    """End at once with this exit code. Taking half a million objects apart one by one costs a quarter of a second.

    Nothing may be left to `atexit` therefore: files, threads and servers are closed by whoever opened them.
    """
    for stream in (sys.stdout, sys.stderr):
        # Whoever reads our output may be gone: that was told, or was no fault, by now.
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
