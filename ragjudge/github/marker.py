"""The hidden first line of our comment: which suite it is about, and which run wrote it."""

import re
from dataclasses import dataclass
from typing import Self
from urllib.parse import quote, unquote

_LINE = re.compile(
    r"<!-- ragjudge suite=(?P<suite>[A-Za-z0-9%_.~-]*) head=(?P<head>[0-9a-f]*)"
    r" run=(?P<run>[0-9]{1,18})\.(?P<attempt>[0-9]{1,6}) number=(?P<number>[0-9]{1,9}) -->"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """`run` is GitHub's run id, which only grows over a whole repository; `number` is the one people see."""

    suite: str
    head: str
    run: int
    attempt: int
    number: int

    def __str__(self) -> str:
        # Percent-encoding leaves no `--` + `>` in a suite's name: `>` is always encoded.
        return (
            f"<!-- ragjudge suite={quote(self.suite, safe='', errors='replace')} head={self.head}"
            f" run={self.run}.{self.attempt} number={self.number} -->"
        )

    @classmethod
    def of(cls, body: str) -> Self | None:
        """The marker of a comment's body. Only its very start counts: a quotation further down is no marker."""
        found = _LINE.match(body)
        if found is None:
            return None
        return cls(
            suite=unquote(found["suite"]),
            head=found["head"],
            run=int(found["run"]),
            attempt=int(found["attempt"]),
            number=int(found["number"]),
        )

    def is_newer_than(self, other: Self) -> bool:
        return (self.run, self.attempt) > (other.run, other.attempt)
