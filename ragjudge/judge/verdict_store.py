"""Where verdicts are kept between runs: one SQLite file, safe under parallel writers, bounded in size.

A cache never stops a run: a damaged file is set aside, a locked one is not written to.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

MOST_BYTES = 64 * 1024 * 1024
_SCHEMA = """
CREATE TABLE IF NOT EXISTS verdicts (key TEXT PRIMARY KEY, value BLOB NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs (number INTEGER PRIMARY KEY AUTOINCREMENT);
"""
_LOCK_S = 5.0


class VerdictStore:
    """Bytes by key. What no recent run has used goes first when the file grows over `most_bytes`.

    Only what `keep` agrees to is written down: a reply that echoes a key is not.
    """

    def __init__(
        self, path: Path, *, most_bytes: int = MOST_BYTES, keep: Callable[[bytes], bool] = lambda _: True
    ) -> None:
        self._keep = keep
        self._path = path
        self._most_bytes = most_bytes
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._database, self._run = _opened(path)
        except sqlite3.DatabaseError:
            _set_aside(path)
            self._database, self._run = _opened(path)

    def get(self, key: str) -> bytes | None:
        try:
            row = self._database.execute("SELECT value, used FROM verdicts WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            if row[1] != self._run:
                self._database.execute("UPDATE verdicts SET used = ? WHERE key = ?", (self._run, key))
        except sqlite3.DatabaseError:
            return None
        value = row[0]
        return value if isinstance(value, bytes) else None

    def put(self, key: str, value: bytes) -> None:
        if not self._keep(value):
            return
        with suppress(sqlite3.DatabaseError):
            self._database.execute(
                "INSERT OR REPLACE INTO verdicts (key, value, used) VALUES (?, ?, ?)", (key, value, self._run)
            )

    def close(self) -> None:
        """Bring the file down to its size."""
        with closing(self._database), suppress(sqlite3.DatabaseError):
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


def _opened(path: Path) -> tuple[sqlite3.Connection, int]:
    """The database and the number of this run. Each statement is a transaction of its own."""
    database = sqlite3.connect(path, timeout=_LOCK_S, isolation_level=None)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.executescript(_SCHEMA)
        number = database.execute("INSERT INTO runs DEFAULT VALUES").lastrowid
    except sqlite3.DatabaseError:
        database.close()
        raise
    return database, number or 0


def _set_aside(path: Path) -> None:
    """Keep a damaged file for whoever wants to look, and start anew."""
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    path.replace(path.with_name(path.name + ".damaged"))
