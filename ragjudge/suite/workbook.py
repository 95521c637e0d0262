"""A workbook's sheets as grids of plain values: merged cells filled, hidden ones known, numbers as they are shown."""

import io
import math
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING
from xml.etree.ElementTree import ParseError

from ragjudge.language import Text
from ragjudge.suite.number_format import GENERAL, JAPANESE_BUILT_IN, UnknownFormat, shown
from ragjudge.suite.raw import Bare, RawValue, Unreadable
from ragjudge.suite.tables import Header, Row, Table

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.cell.cell import Cell, MergedCell
    from openpyxl.worksheet.worksheet import Worksheet

MAX_UNPACKED = 100_000_000
"""Bytes of XML inside the workbook: a zip bomb of some kilobytes unpacks to gigabytes."""

# openpyxl lets whatever goes wrong in damaged XML pass through: nearly every kind of error has been seen.
DAMAGED = (
    ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, NotImplementedError, OSError,
    RecursionError, RuntimeError, TypeError, ValueError, ParseError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
_MAIN_PART = "xl/workbook.xml"
_STRICT = b"purl.oclc.org/ooxml"
"""Namespace of ISO 29500 Strict, in which openpyxl finds no sheets."""
_ZEROS = re.compile(r"0{1,20}")
_CARRIAGE_RETURN = re.compile(r"_x000D_\n?|\r\n?", re.IGNORECASE)
_MAX_MERGED_CELLS = 100_000
_WIDEST = 500
"""Columns beyond these are not looked at: a stray cell at XFD must not make every row that wide."""


def opened(data: bytes, *, formulas: bool) -> "Workbook":
    """The workbook with stored results, or with formulas in their place. Raises `Unreadable`."""
    from openpyxl import load_workbook

    try:
        _check_package(data)
        with warnings.catch_warnings():
            # Unknown extensions (data validation, styles) are no concern of a reader of values.
            warnings.simplefilter("ignore")
            return load_workbook(io.BytesIO(data), data_only=not formulas)
    except DAMAGED as error:
        raise _cannot_open(data) from error


def _check_package(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > MAX_UNPACKED:
            raise Unreadable(Text("The workbook unpacks to too much data.", "展開後のデータが大きすぎます。"))
        if _MAIN_PART in archive.namelist() and _STRICT in archive.read(_MAIN_PART):
            raise Unreadable(
                Text(
                    "The workbook is saved as `Strict Open XML Spreadsheet`.",
                    "「Strict Open XML スプレッドシート」形式で保存されています。",
                ),
                cure=Text(
                    "Save it as `Excel Workbook (*.xlsx)`.",
                    "「Excel ブック (*.xlsx)」形式で保存し直してください。",
                ),
            )


def _cannot_open(data: bytes) -> Unreadable:
    old = data.startswith(b"\xd0\xcf\x11\xe0")
    return Unreadable(
        Text(
            "The workbook has a password or is in the old .xls format.",
            "パスワード付きか、古い形式(.xls)のブックです。",
        )
        if old
        else Text("The workbook cannot be opened.", "ブックを開けません。"),
        cure=Text(
            "Open it in Excel and save it as .xlsx without a password.",
            "Excelで開き、パスワードなしの .xlsx 形式で保存し直してください。",
        ),
    )


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells that hold something, and what is hidden. Rows count from 1, columns from 0."""

    rows: list[Row]
    hidden_rows: frozenset[int]
    hidden_columns: frozenset[int]
    errors: dict[tuple[int, int], str]
    dates: frozenset[tuple[int, int]] = frozenset()
    """Cells that hold a date: Excel makes one of an id such as 1-2."""
    struck: frozenset[tuple[int, int]] = frozenset()
    """Cells whose text is struck through."""
    shown: dict[tuple[int, int], str] = field(default_factory=dict)
    """What a cell with a number, a date or a time shows by its format."""
    unknown: frozenset[tuple[int, int]] = frozenset()
    """Cells whose format is not known."""
    across: tuple[tuple[int, range], ...] = ()
    """Row and columns of what is merged over several columns."""
    empty_results: frozenset[tuple[int, int]] = frozenset()
    """Formulas whose stored result is an empty text."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet in which a header was found."""

    title: str
    grid: Grid
    table: Table
    header: Header


def grid_of(worksheet: "Worksheet") -> Grid:
    """The sheet's cells that hold something; merged ones are filled downwards, rows that are hidden left out."""
    cells: dict[int, dict[int, RawValue]] = {}
    errors: dict[tuple[int, int], str] = {}
    dates: set[tuple[int, int]] = set()
    struck: set[tuple[int, int]] = set()
    formatted: dict[tuple[int, int], str | None] = {}
    # The sparse dict is private, but the public iterators would create every cell up to a stray one at XFD1048576.
    for (number, letter), cell in worksheet._cells.items():  # noqa: SLF001
        at = (number, letter - 1)
        if cell.data_type == "e":
            errors[at] = str(cell.value)
        elif cell.data_type == "d":
            dates.add(at)
        if cell.has_style and cell.font.strike:
            struck.add(at)
        value = _value(cell)
        if value not in (None, ""):
            cells.setdefault(number, {})[at[1]] = value
        if isinstance(cell.value, (int, float, date, time)) and not isinstance(cell.value, bool):
            formatted[at] = _shown(cell, cell.value)
    _fill_merged(worksheet, cells, formatted, errors)
    hidden = frozenset(number for number, row in worksheet.row_dimensions.items() if row.hidden)
    rows = [
        Row(number, [row.get(i) for i in range(min(max(row) + 1, _WIDEST))])
        for number, row in sorted(cells.items())
        if number not in hidden
    ]
    return Grid(
        rows,
        hidden & cells.keys(),
        _hidden_columns(worksheet),
        errors,
        frozenset(dates),
        frozenset(struck),
        {at: text for at, text in formatted.items() if text is not None},
        frozenset(at for at, text in formatted.items() if text is None),
        tuple(_across(worksheet)),
        # openpyxl keeps the kind of a formula's text, but makes nothing of an empty one.
        frozenset((r, c - 1) for (r, c), cell in worksheet._cells.items() if cell.data_type == "str"),  # noqa: SLF001
    )


def _value(cell: "Cell | MergedCell") -> RawValue:
    value = cell.value
    match value:
        case bool():
            return Bare("true" if value else "false", value)
        case int() | float():
            return _number(value, cell.number_format)
        case datetime() if (value.hour, value.minute, value.second) == (0, 0, 0):
            return value.date().isoformat()
        case datetime():
            return value.isoformat(sep=" ", timespec="minutes")
        case date() | time() | timedelta():
            return str(value)
        case None:
            return None
        case _:
            return _CARRIAGE_RETURN.sub("\n", str(value)).strip()


def _number(value: float, number_format: str | None) -> RawValue:
    """`1.0` is `1`, and `1` shown as `001` by its format is `001`: what the tester sees."""
    if not math.isfinite(value):
        return str(value)
    whole = int(value) if float(value).is_integer() and abs(value) < 1e15 else None
    if whole is None:
        return Bare(repr(value), value)
    zeros = _ZEROS.fullmatch(number_format or "")
    text = str(whole).zfill(len(zeros[0])) if zeros and whole >= 0 else str(whole)
    return text if text != str(whole) else Bare(text, whole)


def _shown(cell: "Cell | MergedCell", value: float | date | time) -> str | None:
    """None where the format is not known."""
    from openpyxl.utils.datetime import from_excel

    # openpyxl's own list of formats by number is the English one, and only a private field has the number.
    number_format = JAPANESE_BUILT_IN.get(cell._style.numFmtId)  # type: ignore[union-attr]  # noqa: SLF001
    book = cell.parent.parent
    try:
        if number_format and isinstance(value, (int, float)) and book is not None:
            moment = from_excel(value, book.epoch)
            return shown(moment, number_format) if isinstance(moment, (date, time)) else None
        return shown(value, number_format or cell.number_format or GENERAL)
    except (UnknownFormat, ValueError, OverflowError):
        return None


def _fill_merged(
    worksheet: "Worksheet",
    cells: dict[int, dict[int, RawValue]],
    formatted: dict[tuple[int, int], str | None],
    errors: dict[tuple[int, int], str],
) -> None:
    """A value merged over rows counts for each of them; merged over columns it counts for the first (a heading)."""
    for merged in worksheet.merged_cells.ranges:
        left, top, _, bottom = merged.bounds
        value = cells.get(top, {}).get(left - 1)
        if value is None or bottom - top > _MAX_MERGED_CELLS:
            continue
        for number in range(top + 1, bottom + 1):
            cells.setdefault(number, {})[left - 1] = value
            if (top, left - 1) in formatted:
                formatted[number, left - 1] = formatted[top, left - 1]
            if (top, left - 1) in errors:
                errors[number, left - 1] = errors[top, left - 1]


def _across(worksheet: "Worksheet") -> Iterator[tuple[int, range]]:
    for merged in worksheet.merged_cells.ranges:
        left, top, right, bottom = merged.bounds
        if right > left and bottom - top <= _MAX_MERGED_CELLS:
            yield from ((row, range(left - 1, right)) for row in range(top, bottom + 1))


def _hidden_columns(worksheet: "Worksheet") -> frozenset[int]:
    found: set[int] = set()
    for column in worksheet.column_dimensions.values():
        if column.hidden:
            found.update(range((column.min or 1) - 1, column.max or 0))
    return frozenset(found)


def holds_formulas(data: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            sheets = [name for name in archive.namelist() if name.startswith("xl/worksheets/")]
            return any(re.search(rb"<(?:\w+:)?f[ >/]", archive.read(name)) for name in sheets)
    except DAMAGED:
        return True
