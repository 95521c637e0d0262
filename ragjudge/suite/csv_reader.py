"""CSV and TSV as spreadsheets export them."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ragjudge.errors import Place, Problem
from ragjudge.language import Text
from ragjudge.suite import tables, valueless
from ragjudge.suite.columns import Columns
from ragjudge.suite.decoding import Decoded, decode
from ragjudge.suite.raw import Reading, Unreadable
from ragjudge.suite.tables import Header, Row, Table

if TYPE_CHECKING:
    from _csv import Reader

_DELIMITERS = (",", "\t", ";")
_SAMPLE = 20_000
_LONGEST_CELL = 50_000_000
"""A cell is as long as a file may be: Python's own limit of 131,072 characters is too little for a long passage."""


@dataclass(frozen=True, slots=True)
class CsvTable:
    """A file's text taken apart. `header` is None where no question column was found."""

    decoded: Decoded
    delimiter: str
    table: Table
    header: Header | None


def taken_apart(data: bytes, file: str, columns: Columns) -> CsvTable:
    """Raises `Unreadable` where it is not text or not CSV."""
    decoded = decode(data, file)
    delimiter = _delimiter(decoded.text, columns)
    rows = _rows(decoded.text, delimiter)
    table = Table(
        file,
        rows,
        place=lambda line, _column: Place(file, line=line),
        column_name=lambda column: str(column + 1),
    )
    return CsvTable(decoded, delimiter, table, tables.find_header(rows, columns))


def read(data: bytes, file: str, columns: Columns) -> Reading:
    """Cases of one file. Raises `Unreadable` where it is not text or not CSV."""
    found = taken_apart(data, file, columns)
    notes = (found.decoded.note,) if found.decoded.note else ()
    if found.header is None:
        if not found.table.rows:
            return Reading(notes=notes)
        return Reading(notes=notes, problems=(tables.no_header(found.table, columns),))
    problems = [
        *_too_wide(file, found.table.rows, found.header),
        *valueless.sent_errors(found.table, found.header, columns),
    ]
    reading = tables.read(found.table, found.header, columns)
    return Reading(tuple(reading.cases), (*notes, *reading.notes), (*problems, *reading.problems))


def _delimiter(text: str, columns: Columns) -> str:
    """The one by which a header is found with the most columns (Excel's "Unicode text" is tab-separated)."""
    sample = text[:_SAMPLE]

    def columns_found(delimiter: str) -> int:
        try:
            rows = _rows(sample, delimiter, strict=False)
        except Unreadable:
            return 0
        header = tables.find_header(rows, columns)
        return len([title for title in header.titles if title]) if header else 0

    return max(_DELIMITERS, key=columns_found)


def rows_of(text: str, delimiter: str = ",", *, strict: bool = True) -> "Reader":
    """Python's reader over a file's text. Its limit for a cell can only be set for the whole process."""
    csv.field_size_limit(_LONGEST_CELL)
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict)


def _rows(text: str, delimiter: str, *, strict: bool = True) -> list[Row]:
    reader = rows_of(text, delimiter, strict=strict)
    rows: list[Row] = []
    line = 1
    try:
        for cells in reader:
            stripped = [cell.strip().replace("\r\n", "\n").replace("\r", "\n") for cell in cells]
            if any(stripped):
                rows.append(Row(line, stripped))
            line = reader.line_num + 1
    except csv.Error as error:
        raise _not_csv(error, line) from None
    return rows


_TROUBLES = {
    "unexpected end of data": "引用符が閉じられていません",
    "expected after": "閉じた引用符のあとに余計な文字があります",
    "field larger than field limit": "1つのセルが長すぎます",
    "new-line character seen in unquoted field": "引用符の外に改行文字があります",
}


def csv_trouble(error: csv.Error) -> Text:
    """What Python's reader says, in both languages."""
    said = str(error)
    return Text(said, next((ja for en, ja in _TROUBLES.items() if en in said), said))


def _not_csv(error: csv.Error, line: int) -> Unreadable:
    why = csv_trouble(error)
    return Unreadable(
        Text(f"This row is not valid CSV ({why.en}).", f"CSVとして読めない行です({why.ja})。"),
        line=line,
        cure=Text(
            'Look for an unclosed quote: a cell with line breaks or commas stands in "…", and a " inside is doubled.',
            '引用符の閉じ忘れを確認してください。改行やカンマを含むセルは "…" で囲み、中の " は2つ重ねます。',
        ),
    )


def _too_wide(file: str, rows: Sequence[Row], header: Header) -> list[Problem]:
    width = len(header.titles)
    return [
        Problem(
            Text(
                f"The row has {len(row.cells)} columns, the header {width}.",
                f"見出しは{width}列ですが、この行は{len(row.cells)}列あります。",
            ),
            Place(file, line=row.number),
            Text('Put a cell that holds commas in "…".', 'カンマを含むセルは "…" で囲んでください。'),
        )
        for row in rows[header.index + 1 :]
        if any(row.cells[width:])
    ]
