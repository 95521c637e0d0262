"""The journal: each answer and score on its own line of a file, the moment it is known.

What a killed process had paid for is read back by `--resume`. The last line may be cut short by a kill: it is left
out. A journal belongs to one suite, one app and one judge; another run's journal is refused, never mixed in.
"""

import json
import os
import sys
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TextIO

from pydantic import TypeAdapter, ValidationError

from ragjudge.errors import StoredFileFault, UsageFault
from ragjudge.language import Text
from ragjudge.ports import Remembered
from ragjudge.results.answer import Answer
from ragjudge.results.outcome import Outcome
from ragjudge.results.run import AppFailure
from ragjudge.results.usage import Usage

if sys.platform == "win32":
    fcntl = None
else:
    import fcntl

_OUTCOME: TypeAdapter[Outcome] = TypeAdapter(Outcome)
FORMAT = 1
PREVIOUS = "previous"


class Journal:
    """Appends to a file; knows what an earlier process wrote there."""

    def __init__(
        self,
        path: Path,
        *,
        run_id: str,
        identity: str,
        known: Mapping[tuple[str, str], Remembered],
        redact: Callable[[str], str],
        guard: TextIO,
    ) -> None:
        self.run_id = run_id
        self.identity = identity
        """What must be equal for this journal to be gone on with."""
        self._guard = guard
        self._known = known
        self._redact = redact
        self._file = path.open("a", encoding="utf-8", errors="surrogatepass")

    @classmethod
    def start(cls, path: Path, *, run_id: str, identity: str, redact: Callable[[str], str]) -> "Journal":
        """Begin anew; the journal of the run before is kept in `previous/`."""
        former = path.parent / PREVIOUS / path.name
        former.parent.mkdir(parents=True, exist_ok=True)
        guard = _locked(path)
        if path.exists() and path.stat().st_size:
            path.replace(former)
        journal = cls(path, run_id=run_id, identity=identity, known={}, redact=redact, guard=guard)
        journal._write({"journal": FORMAT, "run_id": run_id, "identity": identity})
        return journal

    @classmethod
    def resume(cls, path: Path, *, identity: str, redact: Callable[[str], str]) -> "Journal":
        """Go on where an earlier process stopped: same suite, app and judge, or a clear refusal."""
        if not path.exists():
            raise UsageFault(
                Text(f"There is no journal to resume at {path}.", f"再開できる記録({path})がありません。"),
                hint=Text("Run without --resume.", "--resume を付けずに実行してください。"),
            )
        guard = _locked(path)
        try:
            run_id, known = _former(path, identity)
        except BaseException:
            guard.close()
            raise
        _end_last_line(path)
        return cls(path, run_id=run_id, identity=identity, known=known, redact=redact, guard=guard)

    @classmethod
    def begin(cls, path: Path, *, identity: str, redact: Callable[[str], str], resuming: bool) -> "Journal":
        """`resume` or `start`, as asked for; a new journal gets an id of its own."""
        if resuming:
            return cls.resume(path, identity=identity, redact=redact)
        return cls.start(path, run_id=uuid.uuid4().hex[:10], identity=identity, redact=redact)

    @property
    def spent(self) -> Usage:
        """What an earlier process paid for the scores that are remembered."""
        return sum((o.usage for known in self._known.values() for o in known.scores.values()), Usage())

    def remembered(self, case_id: str, attempt: str) -> Remembered:
        return self._known.get((case_id, attempt), Remembered())

    def asking(self, case_id: str, attempt: str) -> None:
        self._write({"case": case_id, "attempt": attempt, "asking": True})

    def answered(self, case_id: str, attempt: str, answer: Answer | AppFailure) -> None:
        kind = "answer" if isinstance(answer, Answer) else "failure"
        self._write({"case": case_id, "attempt": attempt, kind: answer.model_dump(mode="json")})

    def scored(self, case_id: str, attempt: str, metric: str, outcome: Outcome) -> None:
        dumped = outcome.model_dump(mode="json", exclude_defaults=False)
        self._write({"case": case_id, "attempt": attempt, "metric": metric, "outcome": dumped})

    def close(self) -> None:
        self._file.close()
        self._guard.close()

    def _write(self, record: Mapping[str, object]) -> None:
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
        self._file.write(self._redact(text) + "\n")
        self._file.flush()


def _locked(path: Path) -> TextIO:
    """Two runs in one folder would mix their results; a killed process leaves no lock behind."""
    guard = path.with_name(".lock").open("a", encoding="utf-8")
    if fcntl is not None:
        try:
            fcntl.flock(guard.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            guard.close()
            raise UsageFault(
                Text(
                    f"Another run is writing to {path.parent}.",
                    f"別の実行が {path.parent} に書き込んでいます。",
                ),
                hint=Text(
                    "Wait for it, or choose another --out.",
                    "終わるのを待つか、--out で別の場所を指定してください。",
                ),
            ) from None
    return guard


def _former(path: Path, identity: str) -> tuple[str, dict[tuple[str, str], Remembered]]:
    """The id of the run that wrote the journal, and what it holds; refused where it is not this suite's."""
    header = _header(path)
    if header.get("journal") != FORMAT or header.get("identity") != identity:
        raise UsageFault(
            Text(
                f"The journal {path} belongs to another suite, app, judge or version.",
                f"記録({path})は別のテストケース・アプリ・評価LLM・バージョンのものです。",
            ),
            hint=Text("Run with --fresh to begin anew.", "--fresh を付けて最初から実行してください。"),
        )
    return str(header["run_id"]), _read(path)


def _header(path: Path) -> dict[str, Any]:
    with path.open(encoding="utf-8", errors="surrogatepass") as lines:
        try:
            header = json.loads(next(lines, ""))
        except ValueError:
            header = None
    return header if isinstance(header, dict) else {}


def _read(path: Path) -> dict[tuple[str, str], Remembered]:
    answers: dict[tuple[str, str], Answer | AppFailure] = {}
    scores: dict[tuple[str, str], dict[str, Outcome]] = {}
    sent: set[tuple[str, str]] = set()
    with path.open(encoding="utf-8", errors="surrogatepass") as lines:
        next(lines, "")
        for number, line in enumerate(lines, start=2):
            if not line.endswith("\n"):
                break
            try:
                record = json.loads(line)
                key = (record["case"], record["attempt"])
                if "answer" in record:
                    answers[key] = Answer.model_validate(record["answer"])
                elif "failure" in record:
                    answers[key] = AppFailure.model_validate(record["failure"])
                elif "asking" in record:
                    sent.add(key)
                else:
                    outcome = _OUTCOME.validate_python(record["outcome"])
                    scores.setdefault(key, {})[record["metric"]] = outcome
            except (ValueError, KeyError, TypeError, ValidationError) as damage:
                raise StoredFileFault(
                    Text(f"{path}:{number} is damaged.", f"{path} の{number}行目が壊れています。"),
                    hint=Text(
                        "Run with --fresh to begin anew.", "--fresh を付けて最初から実行してください。"
                    ),
                ) from damage
    return {
        key: Remembered(
            answer=found if isinstance(found := answers.get(key), Answer) else None,
            failure=found if isinstance(found, AppFailure) else None,
            scores=scores.get(key, {}),
            sent=key in sent,
        )
        for key in {**answers, **scores, **dict.fromkeys(sent)}
    }


def _end_last_line(path: Path) -> None:
    """Cut off what a kill left of a half-written line, so that the next record begins on a line of its own."""
    with path.open("rb+") as file:
        content_end = file.seek(0, os.SEEK_END)
        position = content_end
        while position > 0:
            step = min(4096, position)
            file.seek(position - step)
            block = file.read(step)
            newline = block.rfind(b"\n")
            if newline >= 0:
                file.truncate(position - step + newline + 1)
                return
            position -= step
