"""SIGTERM ends a run like Ctrl+C does: the event loop is left in order, the journal is whole, and files are closed.

A cancelled job of GitHub gets SIGINT first and SIGTERM some seconds later; `kill` sends SIGTERM at once.
"""

import signal
from types import FrameType


class Stopping:
    """Knows whether the process was told to terminate; `listen` once, from the main thread."""

    def __init__(self) -> None:
        self.terminated = False

    def listen(self) -> None:
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            # So do scripts start their background jobs; asyncio then would not listen, and SIGTERM end in disorder.
            signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, self._on_terminate)

    def _on_terminate(self, _number: int, _frame: FrameType | None) -> None:
        self.terminated = True
        signal.raise_signal(signal.SIGINT)
