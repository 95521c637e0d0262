"""A case as it stands in a file, before its columns are understood: titles, values and their places."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from ragjudge.errors import Place, Problem
from ragjudge.language import Text


@dataclass(frozen=True, slots=True)
class Bare:
    """A number or true/false written without quotes. `text` is how it was written: an id `1.0` stays `1.0`."""

    text: str
    value: int | float | bool


_INVISIBLE = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})
_FILLERS = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0") | {chr(code) for code in range(0xFE00, 0xFE10)}
"""Letters, marks and a pattern by their kind, blank by their look."""


def is_blank(text: str) -> bool:
    """Nobody sees anything: blanks of every kind, zero-width and control characters."""
    return all(c in _FILLERS or unicodedata.category(c) in _INVISIBLE for c in text)


RawValue = None | str | bool | Bare | list["RawValue"] | dict[str, "RawValue"]


@dataclass(frozen=True, slots=True)
class RawField:
    title: str
    value: RawValue
    place: Place


@dataclass(frozen=True, slots=True)
class RawCase:
    """One object of a JSON or YAML list, or one row of a table."""

    place: Place
    fields: tuple[RawField, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader made of one file: cases, what a person should know, and everything that is wrong."""

    cases: tuple[RawCase, ...] = ()
    notes: tuple[Text, ...] = ()
    problems: tuple[Problem, ...] = ()


class Unreadable(Exception):
    """One fault of a file, thrown inside a reader and turned into a `Problem` at its door."""

    def __init__(self, what: Text, *, line: int | None = None, cure: Text | None = None) -> None:
        super().__init__(what.en)
        self.what = what
        self.line = line
        self.cure = cure

    def problem(self, file: str) -> Problem:
        return Problem(self.what, Place(file, line=self.line), self.cure)


Locate = Callable[[int], Place]
