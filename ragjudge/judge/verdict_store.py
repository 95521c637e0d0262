"""Where verdicts are kept between runs: one SQLite file, safe under parallel writers, bounded in size.

A cache never stops a run: a damaged file is set aside, and where none can be opened nothing is remembered.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

MOST_BYTES = 64 * 1024 * 1024
_SCHEMA = """
CREATE TABLE IF NOT EXISTS verdicts (key TEXT PRIMARY KEY, value BLOB NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs (number INTEGER PRIMARY KEY AUTOINCREMENT);
"""
_DAMAGED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


class VerdictStore:
    """Bytes by key. What no recent run has used goes first when the file grows over `most_bytes`.

    Only what `keep` agrees to is written down: a reply that echoes a key is not. Others that use the file are waited
    for `wait_s` seconds at most.
    """

    def __init__(
        self,
        path: Path,
        *,
        most_bytes: int = MOST_BYTES,
        keep: Callable[[bytes], bool] = lambda _: True,
        wait_s: float = 5.0,
    ) -> None:
        self._keep = keep
        self._most_bytes = most_bytes
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database, self._run = _opened_or_replaced(path, wait_s)
        except (OSError, sqlite3.Error):
            self._database, self._run = _opened(":memory:", wait_s)

    def get(self, key: str) -> bytes | None:
        try:
            row = self._database.execute("SELECT value, used FROM verdicts WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            if row[1] != self._run:
                self._database.execute("UPDATE verdicts SET used = ? WHERE key = ?", (self._run, key))
        except sqlite3.Error:
            return None
        value = row[0]
        return value if isinstance(value, bytes) else None

    def put(self, key: str, value: bytes) -> None:
        if not self._keep(value):
            return
        with suppress(sqlite3.Error):
            self._database.execute(
                "INSERT OR REPLACE INTO verdicts (key, value, used) VALUES (?, ?, ?)", (key, value, self._run)
            )

    def close(self) -> None:
        """Bring the file down to its size."""
        with closing(self._database), suppress(sqlite3.Error):
            self._prune()

    def _prune(self) -> None:
        held = self._database.execute(
            "SELECT coalesce(sum(length(value) + length(key)), 0) FROM verdicts"
        ).fetchone()[0]
        if held <= self._most_bytes:
            return
        self._database.execute(
            """
            DELETE FROM verdicts WHERE key IN (
                SELECT key FROM (
                    SELECT key, sum(length(value) + length(key)) OVER (ORDER BY used DESC, key) AS so_far FROM verdicts
                ) WHERE so_far > ?
            )
            """,
            (self._most_bytes,),
        )
        self._database.execute("VACUUM")


def _opened_or_replaced(path: Path, wait_s: float) -> tuple[sqlite3.Connection, int]:
    """Raises sqlite3.Error or OSError where the file can't be used, or is held by somebody for too long."""
    with _alone(path, wait_s):
        try:
            return _opened(path, wait_s)
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF not in _DAMAGED:
                raise
            _set_aside(path)
            return _opened(path, wait_s)


@contextmanager
def _alone(path: Path, wait_s: float) -> Iterator[None]:
    """One process at a time makes a file or sets it aside: SQLite does not wait for its turn to make one.

    The lock is a database of its own, so that it ends with its process on every system.
    """
    with closing(sqlite3.connect(path.with_name(path.name + ".lock"), timeout=wait_s)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        yield


def _opened(path: Path | str, wait_s: float) -> tuple[sqlite3.Connection, int]:
    """The database and the number of this run. Each statement is a transaction of its own."""
    database = sqlite3.connect(path, timeout=wait_s, isolation_level=None)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.executescript(_SCHEMA)
        database.execute("SELECT key, value, used FROM verdicts LIMIT 0")
        number = database.execute("INSERT INTO runs DEFAULT VALUES").lastrowid
    except sqlite3.Error:
        database.close()
        raise
    return database, number or 0


def _set_aside(path: Path) -> None:
    """Keep a damaged file for whoever wants to look, and start anew."""
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    path.replace(path.with_name(path.name + ".damaged"))
