"""Excel workbooks as testers keep them: the sheet and the header are found, faults are named by cell."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ragjudge.errors import Place
from ragjudge.language import Text
from ragjudge.suite import tables, valueless
from ragjudge.suite.columns import Columns, normal_title
from ragjudge.suite.raw import RawValue, Reading, Unreadable
from ragjudge.suite.tables import Header, Row, Table
from ragjudge.suite.workbook import Grid, Sheet, grid_of, opened

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet


_AS_SHOWN = {
    "question": False, "reference": False, "category": False, "reference_contexts": False,
    "tags": True, "checks.contains": True, "checks.not_contains": True,
}  # fmt: skip
"""Fields whose numbers, dates and times are read as the cell shows them; whether the field is a list.

Ids, numbers and the app's variables stay what is stored, and so do the team's own columns, which may fill variables.
"""


def sheets(book: "Workbook", file: str, sheet: str | None, columns: Columns) -> list[Sheet]:
    """The named sheet, or every visible one, as far as it has a question column. Raises `Unreadable`."""
    found = []
    for worksheet in _chosen(book, sheet):
        grid = grid_of(worksheet)
        header = _header(grid, columns)
        if header is not None:
            table = _as_shown(_table(file, worksheet.title, grid), grid, header, columns)
            table = replace(table, sections=_sections(grid, header, columns))
            found.append(Sheet(worksheet.title, grid, table, header))
    return found


def _as_shown(table: Table, grid: Grid, header: Header, columns: Columns) -> Table:
    """Values under the header as the tester sees them, where text is meant."""
    fields = [columns.field(title) if title else None for title in header.titles]

    def value(at: tuple[int, int], stored: RawValue) -> RawValue:
        name = fields[at[1]] if at[1] < len(fields) else None
        if name not in _AS_SHOWN or at not in grid.shown:
            return stored
        # A list's cell is split at commas, of which `3,000` has one.
        return [grid.shown[at]] if _AS_SHOWN[name] else grid.shown[at]

    rows = [
        Row(row.number, [value((row.number, i), stored) for i, stored in enumerate(row.cells)])
        for row in table.rows[header.index + 1 :]
    ]
    return replace(table, rows=[*table.rows[: header.index + 1], *rows])


def read(data: bytes, file: str, sheet: str | None, columns: Columns) -> Reading:
    """Cases of one sheet: the named one, else the first visible one with a question column. Raises `Unreadable`."""
    book = opened(data, formulas=False)
    found = sheets(book, file, sheet, columns)
    if not found:
        return _nothing_found(_chosen(book, sheet), file, columns)
    used = found[0]
    notes = [] if sheet else _other_sheets(file, used.title, [other.title for other in found[1:]])
    reading = tables.read(used.table, used.header, columns)
    problems, valueless_notes = valueless.told(data, used, columns)
    notes += [*_hidden_rows_note(file, used), *_doubtful_cells(file, used, columns), *valueless_notes]
    return Reading(tuple(reading.cases), (*notes, *reading.notes), (*reading.problems, *problems))


def _chosen(book: "Workbook", sheet: str | None) -> list["Worksheet"]:
    return _visible(book) if sheet is None else [_named(book, sheet)]


def _visible(book: "Workbook") -> list["Worksheet"]:
    return [worksheet for worksheet in book.worksheets if worksheet.sheet_state == "visible"]


def _named(book: "Workbook", sheet: str) -> "Worksheet":
    for worksheet in book.worksheets:
        if worksheet.title == sheet:
            return worksheet
    for worksheet in book.worksheets:
        if normal_title(worksheet.title) == normal_title(sheet):
            return worksheet
    names = ", ".join(worksheet.title for worksheet in book.worksheets)
    raise Unreadable(
        Text(
            f"There is no sheet named {sheet!r} (sheets: {names}).",
            f"「{sheet}」というシートはありません(シート: {names})。",
        )
    )


def _header(grid: Grid, columns: Columns) -> Header | None:
    """The header's last row: titles merged over two rows are filled down, and group titles stand above."""
    header = tables.find_header(grid.rows, columns)
    if header is None:
        return None
    index, titles = header.index, list(header.titles)
    question = next(i for i, title in enumerate(titles) if title and columns.field(title) == "question")
    while index + 1 < len(grid.rows):
        row = grid.rows[index + 1].cells
        if question >= len(row) or row[question] != grid.rows[index].cells[question]:
            break
        index += 1
        titles += [""] * (len(row) - len(titles))
        for i, cell in enumerate(row):
            if isinstance(cell, str) and cell:
                titles[i] = " ".join(cell.split())
    return replace(header, index=index, titles=tuple(titles))


def _sections(grid: Grid, header: Header, columns: Columns) -> frozenset[int]:
    """Rows with one value alone, merged over the question's column and the reference's: certainly no case.

    Without a column of references, over the question's and any other.
    """
    below = {row.number: row.cells for row in grid.rows[header.index + 1 :]}
    fields = {i: columns.field(title) for i, title in enumerate(header.titles) if title}
    questions = {i for i, field in fields.items() if field == "question"}
    answers = {i for i, field in fields.items() if field == "reference"} or fields.keys() - questions
    starts = {i for i, field in fields.items() if field in ("question", "reference")}

    def alone(number: int, span: range) -> bool:
        return all(cell in (None, "") or i == span.start for i, cell in enumerate(below.get(number, ())))

    return frozenset(
        number
        for number, span in grid.across
        if number in below and span.start in starts
        if questions & set(span) and answers & set(span) and alone(number, span)
    )


def _table(file: str, title: str, grid: Grid) -> Table:
    from openpyxl.utils import get_column_letter

    def place(row: int, column: int) -> Place:
        return Place(file, sheet=title, cell=f"{get_column_letter(column + 1)}{row}")

    return Table(file, grid.rows, place, lambda column: get_column_letter(column + 1), grid.hidden_columns)


def _nothing_found(sheets: list["Worksheet"], file: str, columns: Columns) -> Reading:
    for worksheet in sheets:
        grid = grid_of(worksheet)
        if grid.rows:
            return Reading(problems=(tables.no_header(_table(file, worksheet.title, grid), columns),))
    return Reading()


def _other_sheets(file: str, used: str, others: list[str]) -> list[Text]:
    if not others:
        return []
    names = ", ".join(others)
    return [
        Text(
            f"{file}: sheet {used!r} was read; not read: {names} (name one as `{file}#sheet`).",
            f"{file}: シート「{used}」を読み込みました。読み込んでいないシート: {names}"
            f"(「{file}#シート名」で指定できます)。",
        )
    ]


def _hidden_rows_note(file: str, used: Sheet) -> list[Text]:
    start = used.grid.rows[used.header.index].number
    hidden = sorted(number for number in used.grid.hidden_rows if number > start)
    if not hidden:
        return []
    rows = tables.compact(hidden)
    return [
        Text(
            f"{file}: hidden rows were left out ({rows}).",
            f"{file}: 非表示の行は使いません({rows}行目)。",
        )
    ]


def _doubtful_cells(file: str, used: Sheet, columns: Columns) -> list[Text]:
    """What a tester may not have meant: an id that Excel made a date of, a question struck through but not removed."""
    fields = [columns.field(title) if title else None for title in used.header.titles]

    def rows(marked: frozenset[tuple[int, int]], field: str) -> list[int]:
        start = used.grid.rows[used.header.index].number
        known = {row.number for row in used.table.rows}
        width = len(fields)
        return sorted({r for r, c in marked if r > start and r in known and c < width and fields[c] == field})

    notes = []
    if dates := rows(used.grid.dates, "id"):
        listed = tables.compact(dates)
        notes.append(
            Text(
                f"{file}: ids that are dates (rows {listed}): Excel may have changed ids such as 1-2; "
                "format the column as text.",
                f"{file}: idが日付になっています({listed}行目)。「1-2」のようなidをExcelが日付に変えた可能性が"
                "あります。列の書式を文字列にしてください。",
            )
        )
    if struck := rows(used.grid.struck, "question"):
        listed = tables.compact(struck)
        notes.append(
            Text(
                f"{file}: questions struck through are run all the same (rows {listed}); delete or hide the rows, "
                "or give them a `skip` column.",
                f"{file}: 取り消し線の付いた質問も実行されます({listed}行目)。不要なら行を削除または非表示にするか、"
                "「スキップ」列に理由を書いてください。",
            )
        )
    return [*notes, *_stored_values(file, used, columns)]


def _stored_values(file: str, used: Sheet, columns: Columns) -> list[Text]:
    """Cells that may look otherwise than they are read."""
    cells = [
        used.table.place(row, column).cell
        for row, column in _used_cells(used, columns)
        if (row, column) in used.grid.unknown and columns.field(used.header.titles[column]) in _AS_SHOWN
    ]
    if not cells:
        return []
    listed = ", ".join(map(str, cells[:10])) + (" …" if len(cells) > 10 else "")
    return [
        Text(
            f"{file}: the display format of these cells is not known, so their stored values were read ({listed}); "
            "type what is meant as text.",
            f"{file}: 表示形式を再現できないセルは、保存されている値で読み込みました({listed})。"
            "見たとおりの値にするには、文字列として入力してください。",
        )
    ]


def _used_cells(used: Sheet, columns: Columns) -> Iterator[tuple[int, int]]:
    """Row and column of every place where a value that means something to ragjudge could stand."""
    known = [i for i, title in enumerate(used.header.titles) if title and columns.field(title) is not None]
    for row in used.table.rows[used.header.index + 1 :]:
        for column in known:
            yield row.number, column
