"""Single cells of a workbook changed in place: one sheet's XML is edited, every other byte of the book stays.

Saving through a library would lose what it does not know: stored results of formulas, readings of names, drawings,
validation lists.
"""

import io
import posixpath
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET
from xml.parsers import expat
from xml.sax.saxutils import escape

from ragjudge.suite.workbook import DAMAGED

_REFERENCE = re.compile(r"([A-Z]+)([0-9]+)")
_ENCODING = re.compile(rb"encoding=[\"']([A-Za-z0-9._-]+)")
_OFFICE = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


class CannotEdit(Exception):
    """The sheet's XML has a shape that is not safe to edit in place."""


@dataclass(slots=True)
class _Cell:
    column: int
    start: int
    end: int
    style: str | None


@dataclass(slots=True)
class _Row:
    number: int
    start: int
    tag_end: int
    """Just after the row's opening tag."""
    end: int = 0
    """Before the row's closing tag."""
    cells: list[_Cell] = field(default_factory=list)
    prefix: str = ""


def with_cells(book: bytes, sheet: str, values: Mapping[tuple[int, int], str]) -> bytes:
    """The workbook with new texts, by row (from 1) and column (from 0). A new cell looks like its left neighbour.

    Raises `CannotEdit`.
    """
    try:
        part = _part_of(book, sheet)
        with zipfile.ZipFile(io.BytesIO(book)) as archive:
            changed = _edited(archive.read(part), values)
            data = io.BytesIO()
            with zipfile.ZipFile(data, "w") as copy:
                for entry in archive.infolist():
                    content = changed if entry.filename == part else archive.read(entry)
                    copy.writestr(entry, content, compress_type=entry.compress_type)
    except DAMAGED as error:
        # A part that the reader never looks at may be damaged; it could not be copied.
        raise CannotEdit(str(error)) from None
    return data.getvalue()


def _part_of(book: bytes, sheet: str) -> str:
    """The name of a sheet's part inside the archive."""
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        workbook = ET.fromstring(archive.read("xl/workbook.xml"))  # noqa: S314 - opened by the reader before
        relations = ET.fromstring(archive.read("xl/_rels/workbook.xml.rels"))  # noqa: S314 - as above
    targets = {relation.get("Id"): relation.get("Target", "") for relation in relations}
    for element in workbook.iter():
        if element.tag.endswith("}sheet") and element.get("name") == sheet:
            target = targets[element.get(f"{_OFFICE}id")]
            return target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"xl/{target}")
    raise CannotEdit(f"no part for sheet {sheet!r}")


def _edited(xml: bytes, values: Mapping[tuple[int, int], str]) -> bytes:
    declared = _ENCODING.search(xml[:200])
    if b"\0" in xml[:4] or (declared and declared[1].lower() != b"utf-8"):
        raise CannotEdit("the sheet is not UTF-8")
    rows = _rows(xml)
    edits: list[tuple[int, int, bytes]] = []
    for (number, column), value in sorted(values.items()):
        if number not in rows:
            raise CannotEdit(f"row {number} has no XML")
        edits.append(_edit(rows[number], column, value))
        edits += _without_spans(xml, rows[number])
    pieces, done = [], 0
    for start, end, new in sorted(set(edits)):
        pieces += [xml[done:start], new]
        done = end
    return b"".join([*pieces, xml[done:]])


def _edit(row: _Row, column: int, value: str) -> tuple[int, int, bytes]:
    here = next((cell for cell in row.cells if cell.column == column), None)
    left = [cell for cell in row.cells if cell.column < column]
    style = here.style if here else left[-1].style if left else None
    right = [cell.start for cell in row.cells if cell.column > column]
    at = (here.start, here.end) if here else (right[0], right[0]) if right else (row.end, row.end)
    p = f"{row.prefix}:" if row.prefix else ""
    look = f' s="{escape(style)}"' if style else ""
    new = (
        f'<{p}c r="{letters(column)}{row.number}"{look} t="inlineStr">'
        f"<{p}is><{p}t>{escape(value)}</{p}t></{p}is></{p}c>"
    )
    return (*at, new.encode())


def _without_spans(xml: bytes, row: _Row) -> list[tuple[int, int, bytes]]:
    """The optional hint which columns a row spans would be wrong now."""
    tag = xml[row.start : row.tag_end]
    match = re.search(rb"\s+spans=(\"[^\"]*\"|'[^']*')", tag)
    return [(row.start + match.start(), row.start + match.end(), b"")] if match else []


def _rows(xml: bytes) -> dict[int, _Row]:
    """Rows and cells with their places in the bytes."""
    found: dict[int, _Row] = {}
    current: list[_Row] = []
    cell: list[_Cell] = []
    parser = expat.ParserCreate()

    def started(name: str, attributes: dict[str, str]) -> None:
        prefix, _, local = name.rpartition(":")
        start = parser.CurrentByteIndex
        if local == "row":
            number = int(attributes.get("r") or max(found, default=0) + 1)
            current[:] = [_Row(number, start, xml.index(b">", start) + 1, prefix=prefix)]
            found[number] = current[0]
        elif local == "c" and current:
            row = current[0]
            end = xml.index(b">", start) + 1
            row.cells.append(_Cell(_column(attributes.get("r"), row), start, end, attributes.get("s")))
            cell[:] = [] if xml[end - 2 : end] == b"/>" else [row.cells[-1]]

    def ended(name: str) -> None:
        local = name.rpartition(":")[2]
        at = parser.CurrentByteIndex
        if local == "row" and current:
            current[0].end = at
            current.clear()
        elif local == "c" and cell:
            cell[0].end = xml.index(b">", at) + 1
            cell.clear()

    parser.StartElementHandler = started
    parser.EndElementHandler = ended
    try:
        parser.Parse(xml, True)
    except expat.ExpatError as error:
        raise CannotEdit(str(error)) from None
    return found


def _column(reference: str | None, row: _Row) -> int:
    if reference is None:
        return row.cells[-1].column + 1 if row.cells else 0
    match = _REFERENCE.fullmatch(reference)
    if match is None:
        raise CannotEdit(f"cell {reference!r}")
    number = 0
    for letter in match[1]:
        number = number * 26 + ord(letter) - 64
    return number - 1


def letters(column: int) -> str:
    """0 → A, 26 → AA."""
    name, rest = "", column + 1
    while rest:
        rest, digit = divmod(rest - 1, 26)
        name = chr(65 + digit) + name
    return name
