"""A report as plain blocks, before any syntax: what renderers walk over.

Every string in here is plain text, ours or outside text alike, and every renderer passes all of it through
`escape`. Markup exists as structure only, so there is no string that a renderer would have to trust.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Strong:
    text: str


@dataclass(frozen=True, slots=True)
class Faint:
    """Less important text."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """An id or a commit: text that someone will copy."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    text: str
    url: str


@dataclass(frozen=True, slots=True)
class NewLine:
    """A line break inside a cell or a paragraph."""


@dataclass(frozen=True, slots=True)
class Removed:
    """Words that went, in a text shown with its changes."""

    text: str


@dataclass(frozen=True, slots=True)
class Inserted:
    """Words that came."""

    text: str


Inline: TypeAlias = str | Strong | Faint | Code | Link | NewLine | Removed | Inserted
Line: TypeAlias = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    line: Line


@dataclass(frozen=True, slots=True)
class Alert:
    """A banner that is seen before anything else."""

    kind: Literal["note", "important", "warning", "caution"]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Bullets:
    items: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    align: Literal["left", "right", "center"] = "left"


@dataclass(frozen=True, slots=True)
class Table:
    """`rows` have one cell per column."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Line, ...], ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks behind a line that opens on a click."""

    summary: str
    blocks: tuple["Block", ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A line through `points` (label, value), between `low` and `high`. Labels are ours: dates and a word."""

    title: str
    points: tuple[tuple[str, float], ...]
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Charts:
    """What a table beside it says already, drawn; renderers that can't draw leave it out."""

    summary: str
    charts: tuple[Chart, ...]


Block: TypeAlias = Paragraph | Alert | Bullets | Table | Fold | Charts


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part. `essential` sections are kept whole when a report must be cut."""

    title: str | None
    blocks: tuple[Block, ...]
    essential: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """The whole report, most important first."""

    title: str
    sections: tuple[Section, ...] = ()
