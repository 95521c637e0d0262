"""The cases for Excel: CSV that it opens in Japanese without asking, or a workbook. No cell is ever a formula."""

import csv
from collections.abc import Sequence
from io import BytesIO, StringIO
from typing import TYPE_CHECKING

from ragjudge.report import escape, rows, wording
from ragjudge.report.rows import Rows
from ragjudge.report.view.model import ReportView

if TYPE_CHECKING:
    from openpyxl.cell import Cell, MergedCell
    from openpyxl.worksheet.worksheet import Worksheet

BOM = "\ufeff"
"""Without it Excel takes UTF-8 for the machine's own code page."""
LONGEST_CELL = 32_000
"""Excel holds 32,767 characters."""
WIDEST, NARROWEST = 60, 8
DECIMALS = "0.0##"


def as_csv(view: ReportView) -> str:
    """UTF-8 with a byte order mark, CRLF. A text that a spreadsheet would take for a formula gets an apostrophe."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    table = rows.of_cases(view)
    writer.writerow([escape.sheet_cell(title) for title in table.header])
    for row in table.values:
        writer.writerow(["" if value is None else _plain(value) for value in row])
    return BOM + out.getvalue()


def as_xlsx(view: ReportView) -> bytes:
    """A workbook: the cases, and the metrics. Every text is a text cell, whatever it starts with."""
    from openpyxl import Workbook

    words = wording.of(view.language)
    book = Workbook()
    book.remove(book.worksheets[0])
    for title, table in (
        (words.labels.cases_sheet, rows.of_cases(view)),
        (words.headings.metrics, rows.of_metrics(view)),
    ):
        _fill(book.create_sheet(title), table)
    book.properties.creator = "ragjudge"
    book.properties.title = escape.cut(view.suite, 200)
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def _plain(value: str | float) -> str:
    if isinstance(value, str):
        return escape.sheet_cell(value)
    return f"{value:.6g}"


def _fill(sheet: "Worksheet", table: Rows) -> None:
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    top = Alignment(vertical="top", wrap_text=True)
    for line, row in enumerate((table.header, *table.values), start=1):
        for column, value in enumerate(row, start=1):
            if value is not None and value != "":
                _put(sheet, (line, column), value).alignment = top
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    for column, width in enumerate(_widths(table), start=1):
        sheet.column_dimensions[get_column_letter(column)].width = width
    sheet.freeze_panes = "B2"
    sheet.auto_filter.ref = sheet.dimensions


def _put(sheet: "Worksheet", place: tuple[int, int], value: str | float) -> "Cell | MergedCell":
    cell = sheet.cell(*place)
    if isinstance(value, str):
        text = escape.visible(value)[:LONGEST_CELL]
        cell.value = text
        # openpyxl guesses a formula from a leading "="; Excel itself does so when someone edits the cell.
        cell.data_type = "s"
        cell.quotePrefix = escape.sheet_cell(text) != text
    else:
        cell.value = value
        cell.number_format = "0" if value == int(value) and abs(value) > 1 else DECIMALS
    return cell


def _widths(table: Rows) -> Sequence[int]:
    """As wide as the longest line of a column, a wide character counting two, within bounds."""
    widths = []
    for column in zip(table.header, *table.values, strict=True):
        longest = max((_width(value) for value in column if isinstance(value, str)), default=0)
        widths.append(min(WIDEST, max(NARROWEST, longest + 2)))
    return widths


def _width(text: str) -> int:
    return max(
        (sum(2 if ord(char) > 0x2E7F else 1 for char in line) for line in text.splitlines()), default=0
    )
