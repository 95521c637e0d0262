"""Cutting a report to a limit: by whole sections, then at the borders of rows, never inside one.

Works on blocks, before any syntax, so that folds and fences are closed by construction.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ragjudge.report.blocks import (
    Alert,
    Block,
    Bullets,
    Charts,
    Document,
    Fold,
    Line,
    Paragraph,
    Section,
    Table,
)

Size = Callable[[Sequence[Section], int], int]
"""How large sections are once rendered, in the limit's unit. Asked with the most that is of interest: beyond it any
larger number will do, so that nobody renders ten thousand rows to learn that they do not fit."""

FEWEST_ROWS = 1
ESSENTIAL_SHARE = 0.7
"""Essential sections larger than this share of the limit are cut like the others."""


@dataclass(frozen=True, slots=True)
class Rest:
    """What stands where something was left out: `more_rows` {count}, `left_out` {sections}, and where it is."""

    more_rows: str
    left_out: str
    where: Line


def fitted(document: Document, size: Size, limit: int, rest: Rest) -> Document:
    """The document itself where it fits, else as much of it as does, most important first."""
    if size(document.sections, limit) <= limit:
        return document
    essential = size([section for section in document.sections if section.essential], limit)
    keeps = essential <= limit * ESSENTIAL_SHARE
    room = limit - size([_note(document.sections, rest)], limit) - (essential if keeps else 0)
    kept: list[Section] = []
    left_out: list[Section] = []
    for section in document.sections:
        if keeps and section.essential:
            kept.append(section)
            continue
        part = _part(section, size, room, rest)
        if part is not section:
            left_out.append(section)
        if part is not None:
            room -= size([part], limit)
            kept.append(part)
    return replace(document, sections=(*kept, _note(left_out, rest)))


def _note(sections: Sequence[Section], rest: Rest) -> Section:
    titles = dict.fromkeys(section.title for section in sections if section.title)
    said = rest.left_out.format(sections=", ".join(titles))
    return Section(None, (Paragraph((f"{said} ", *rest.where)),), essential=True)


def _part(section: Section, size: Size, room: int, rest: Rest) -> Section | None:
    """The section, or as many of its first blocks and rows as there is room for; None without any."""
    if size([section], room) <= room:
        return section

    def fits(blocks: Sequence[Block]) -> bool:
        return size([replace(section, blocks=tuple(blocks))], room) <= room

    blocks = _first_blocks(section.blocks, fits, rest)
    return replace(section, blocks=tuple(blocks)) if _says_something(blocks) else None


def _first_blocks(
    blocks: Sequence[Block], fits: Callable[[Sequence[Block]], bool], rest: Rest
) -> list[Block]:
    """As many whole blocks as fit, and of the next one what still does."""
    whole = _largest(lambda count: fits(blocks[:count]), len(blocks))
    kept = list(blocks[:whole])
    if whole < len(blocks):
        part = _first_of(blocks[whole], lambda shorter: fits([*kept, shorter]), rest)
        kept += [] if part is None else [part]
    return kept


def _first_of(block: Block, fits: Callable[[Block], bool], rest: Rest) -> Block | None:
    match block:
        case Table(columns, rows):

            def table(count: int) -> Block:
                note: Line = (rest.more_rows.format(count=len(rows) - count),)
                empty: Line = ("",)
                return Table(columns, (*rows[:count], (note, *(empty,) * (len(columns) - 1))))

            return _most(table, len(rows) - 1, fits)
        case Bullets(items):

            def bullets(count: int) -> Block:
                return Bullets((*items[:count], (rest.more_rows.format(count=len(items) - count),)))

            return _most(bullets, len(items) - 1, fits)
        case Alert(kind, lines):
            return _most(lambda count: Alert(kind, lines[:count]), len(lines) - 1, fits)
        case Fold(summary, blocks):
            inner = _first_blocks(blocks, lambda some: fits(Fold(summary, tuple(some))), rest)
            return Fold(summary, tuple(inner)) if _says_something(inner) else None
        case Paragraph() | Charts():
            return None


def _most(shortened: Callable[[int], Block], most: int, fits: Callable[[Block], bool]) -> Block | None:
    """The longest version that fits; None where not even one row does."""
    count = _largest(lambda rows: fits(shortened(rows)), most)
    return shortened(count) if count >= FEWEST_ROWS else None


def _largest(fits: Callable[[int], bool], most: int) -> int:
    """The largest count that fits, found by halving; 0 where none does."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _says_something(blocks: Sequence[Block]) -> bool:
    return any(not isinstance(block, Paragraph) for block in blocks)
