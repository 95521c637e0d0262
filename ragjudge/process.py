"""How a process of ragjudge begins and ends, so that neither costs the seconds that a run is short of."""

import gc
import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

_WHILE_IMPORTING = (400_000, 20, 20)
_WHILE_RUNNING = (10_000, 100, 100)
"""Often and little at a time: a collection of everything new in half a minute holds up all calls by a tenth of a
second."""
_USUAL_TURN_S = sys.getswitchinterval()
_SHORT_TURN_S = 0.0005


def collect_rarely() -> None:
    """Importing the clients makes hundreds of thousands of objects that all stay: looking through them again and
    again costs a tenth of a second at the start, and again at each of a run's many collections.
    """
    gc.set_threshold(*_WHILE_IMPORTING)


def keep_what_is_there() -> None:
    """What was imported stays to the end: no collection need ever look at it again, and each has little to look at."""
    gc.freeze()
    gc.set_threshold(*_WHILE_RUNNING)


@contextmanager
def giving_way() -> Iterator[None]:
    """Heavy work in a thread, beside a loop that serves many calls: the usual 5 ms until it gets its turn are long."""
    sys.setswitchinterval(_SHORT_TURN_S)
    try:
        yield
    finally:
        sys.setswitchinterval(_USUAL_TURN_S)


async def import_aside(*modules: str) -> None:
    """Import in a thread what only later work will need."""
    import asyncio

    def fetch() -> None:
        with suppress(ImportError), giving_way():
            for name in modules:
                importlib.import_module(name)

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
