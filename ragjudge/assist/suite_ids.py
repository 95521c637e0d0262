"""`ragjudge suite ids`: gives every case of a table an id of its own, so that a later edit is still the same case."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ragjudge.assist import csv_cells, xlsx_cells
from ragjudge.errors import Place, Problem, SuiteFault
from ragjudge.language import Text
from ragjudge.suite import csv_reader, xlsx_reader
from ragjudge.suite.building import build
from ragjudge.suite.case import Case
from ragjudge.suite.columns import Columns
from ragjudge.suite.loading import capped, read_bytes
from ragjudge.suite.locating import SuiteFile
from ragjudge.suite.raw import RawCase, Unreadable
from ragjudge.suite.tables import Header, Row
from ragjudge.suite.workbook import opened

TABLES = (".csv", ".tsv", ".xlsx", ".xlsm")
TITLE = "id"


@dataclass(frozen=True, slots=True)
class Numbered:
    """The file's new bytes, and how many ids were written (0: nothing to do)."""

    data: bytes
    written: int
    cases: int


@dataclass(frozen=True, slots=True)
class _Place:
    """Where ids go: the column (from 0), and the header's row where the column is new."""

    column: int
    new_title_row: int | None


def number(data: bytes, file: SuiteFile, columns: Columns, *, counting: bool) -> Numbered:
    """Write the missing ids of one CSV or Excel file.

    The default id of a case without one is written down, so that its baseline stays; with `counting`, the next free
    whole numbers. Raises `SuiteFault` where the file is no sound suite.
    """
    try:
        reading = read_bytes(data, file, columns)
        problems = list(reading.problems)
        pairs = [(raw, build(raw, columns, problems)) for raw in reading.cases]
        if problems:
            raise SuiteFault(capped(problems))
        found = [(raw, case) for raw, case in pairs if case is not None]
        ids = dict(_missing(found, columns, counting=counting))
        if not ids:
            return Numbered(data, 0, len(found))
        return Numbered(_written(data, file, columns, ids), len(ids), len(found))
    except Unreadable as fault:
        raise SuiteFault([fault.problem(file.shown)]) from None
    except xlsx_cells.CannotEdit as why:
        raise SuiteFault([_cannot_edit(file, why)]) from None


def _missing(
    found: Sequence[tuple[RawCase, Case]], columns: Columns, *, counting: bool
) -> Iterator[tuple[int, str]]:
    """Row number and new id of each case that has none."""
    given = [any(_is_id(columns, f.title, f.value) for f in raw.fields) for raw, _ in found]
    taken = {case.id for (_, case), has in zip(found, given, strict=True) if has}
    highest = max((int(i) for i in taken if i.isascii() and i.isdigit() and len(i) < 10), default=0)
    for (raw, case), has in zip(found, given, strict=True):
        if has:
            continue
        if counting:
            highest += 1
            yield _row_of(raw.place), str(highest)
            continue
        free = case.id
        again = 1
        while free in taken:
            again += 1
            free = f"{case.id}-{again}"
        taken.add(free)
        yield _row_of(raw.place), free


def _is_id(columns: Columns, title: str, value: object) -> bool:
    return columns.field(title) == "id" and value not in (None, "")


def _row_of(place: Place) -> int:
    if place.cell is not None:
        return int(re.sub(r"[A-Z]+", "", place.cell))
    assert place.line is not None
    return place.line


def _written(data: bytes, file: SuiteFile, columns: Columns, ids: dict[int, str]) -> bytes:
    if file.path.suffix.lower() in (".xlsx", ".xlsm"):
        sheet = xlsx_reader.sheets(opened(data, formulas=False), file.shown, file.sheet, columns)[0]
        place = _place(sheet.table.rows, sheet.header, columns)
        return xlsx_cells.with_cells(data, sheet.title, _cells(ids, place))
    apart = csv_reader.taken_apart(data, file.shown, columns)
    assert apart.header is not None
    place = _place(apart.table.rows, apart.header, columns)
    text = csv_cells.with_cells(apart.decoded.text, apart.delimiter, _cells(ids, place))
    return apart.decoded.encode(text)


def _cells(ids: dict[int, str], place: _Place) -> dict[tuple[int, int], str]:
    cells = {(row, place.column): value for row, value in ids.items()}
    if place.new_title_row is not None:
        cells[place.new_title_row, place.column] = TITLE
    return cells


def _place(rows: Sequence[Row], header: Header, columns: Columns) -> _Place:
    """The id column, else the first column right of the titles that is empty all the way down."""
    for column, title in enumerate(header.titles):
        if title and columns.field(title) == "id":
            return _Place(column, None)
    last = max(i for i, title in enumerate(header.titles) if title)
    below = rows[header.index :]
    used = {i for row in below for i, cell in enumerate(row.cells) if cell not in (None, "")}
    column = next(i for i in range(last + 1, last + len(used) + 3) if i not in used)
    return _Place(column, rows[header.index].number)


def _cannot_edit(file: SuiteFile, why: Exception) -> Problem:
    return Problem(
        Text(
            f"The workbook cannot be edited in place ({why}).", f"このブックには直接書き込めません({why})。"
        ),
        Place(file.shown),
        Text(
            "Open it in Excel, save it as .xlsx and try again.",
            "Excelで開いて .xlsx 形式で保存し直してから、もう一度実行してください。",
        ),
    )
