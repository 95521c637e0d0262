"""Importing the openai package beside everything else: it takes longer than all that comes before the first call."""

import importlib
from collections.abc import Callable
from contextlib import suppress
from threading import Thread

from ragjudge.process import giving_way, keep_what_is_there

PACKAGE = "openai"

_importing: list[Thread] = []
_waiting: list[Callable[[], object]] = []


def warm_up() -> Thread:
    """Begins the import, once; the thread that does it. A failure is left to whoever needs the package."""
    if not _importing:
        _importing.append(Thread(target=_quietly, name="warming", daemon=True))
        _importing[0].start()
    return _importing[0]


def when_warm(then: Callable[[], object]) -> None:
    """Call `then`, in the thread of the import, once that has ended; at once where it has."""
    if is_warm():
        then()
    else:
        _waiting.append(then)


def is_warm() -> bool:
    """Has the import ended?"""
    return bool(_importing) and not _importing[0].is_alive()


def _quietly() -> None:
    # RuntimeError: the run ended first, and an interpreter that shuts down imports nothing more.
    with suppress(ImportError, RuntimeError), giving_way():
        importlib.import_module(PACKAGE)
    keep_what_is_there()
    while _waiting:
        with suppress(RuntimeError):  # its loop is closed
            _waiting.pop()()
