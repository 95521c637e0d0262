"""Rows below a header that are titles again: two tables on one sheet, or two files put one after the other."""

from collections.abc import Sequence
from enum import Enum, auto

from ragjudge.suite.columns import Columns, normal_title
from ragjudge.suite.raw import RawValue

_LONGEST_TITLE = 60


class Again(Enum):
    """A row of titles below the header."""

    SAME = auto()
    """The same columns in the same order: what follows can be read on."""
    OTHER = auto()
    """Other columns: what follows would be read wrongly."""


def title_of(cell: RawValue) -> str:
    """A cell's text on one line, as a title stands in a header; nothing for what is no text."""
    return " ".join(cell.split()) if isinstance(cell, str) else ""


def rows_of_titles(
    rows: Sequence[Sequence[RawValue]], titles: Sequence[str], columns: Columns
) -> dict[int, Again]:
    """By position in `rows`. Of a header over two rows both count, as its second one repeats all `titles`."""
    asked = {i for i, title in enumerate(titles) if title and columns.field(title) == "question"}
    found: dict[int, Again] = {}
    for at, cells in enumerate(rows):
        again = _kind(cells, titles, asked, columns)
        if again is not None:
            found[at] = again
        if again is Again.SAME and found.get(at - 1) is Again.OTHER:
            found[at - 1] = Again.SAME
    return found


def _kind(
    cells: Sequence[RawValue], titles: Sequence[str], asked: set[int], columns: Columns
) -> Again | None:
    filled = {i: cell for i, cell in enumerate(cells) if cell not in (None, "")}
    texts = {i: title_of(cell) for i, cell in filled.items()}
    if not all(0 < len(text) <= _LONGEST_TITLE for text in texts.values()):
        return None
    met = {i: columns.field(text) for i, text in texts.items()}
    in_place = any(met.get(i) == "question" for i in asked)
    alike = [i for i, text in texts.items() if i < len(titles) and _same(titles[i], text, columns)]
    if in_place and len(alike) == len(filled) and (len(alike) > 1 or sum(map(bool, titles)) == 1):
        return Again.SAME
    known = [field for field in met.values() if field is not None]
    # `質問` alone may be a category's value; where it stands over no questions, most of the row must be titles.
    enough = in_place or 2 * len(known) > len(filled)
    return Again.OTHER if enough and len(set(known)) > 1 and "question" in known else None


def _same(one: str, other: str, columns: Columns) -> bool:
    field = columns.field(one)
    return field == columns.field(other) and (field is not None or normal_title(one) == normal_title(other))
