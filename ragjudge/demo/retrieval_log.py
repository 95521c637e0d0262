"""The demo server's own account of what it retrieved for each question: the truth a benchmark checks against."""

import threading
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Retrieved:
    """One search: what was asked and what was searched for, by which version, and what was found, best first."""

    question: str
    searched: str
    user: str
    workflow_id: str
    keys: tuple[str, ...]


class RetrievalLog:
    """Kept in memory in the order of the searches; safe to write from many threads."""

    def __init__(self) -> None:
        self._entries: list[Retrieved] = []
        self._lock = threading.Lock()

    def add(self, entry: Retrieved) -> None:
        with self._lock:
            self._entries.append(entry)

    def entries(self) -> list[Retrieved]:
        with self._lock:
            return list(self._entries)

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()

    def as_json(self) -> list[dict[str, object]]:
        return [asdict(entry) for entry in self.entries()]
