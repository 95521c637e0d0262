"""Importing the openai package early: it takes longer than everything else before the first question."""

import importlib
import sys
from contextlib import suppress
from threading import Thread

PACKAGE = "openai"


def warm_up() -> None:
    """Begins the import beside whatever else waits for a server. A failure is left to whoever needs the package."""
    if PACKAGE not in sys.modules:
        Thread(target=_quietly, name="warming", daemon=True).start()


def _quietly() -> None:
    # RuntimeError: the run ended first, and an interpreter that shuts down imports nothing more.
    with suppress(ImportError, RuntimeError):
        importlib.import_module(PACKAGE)
