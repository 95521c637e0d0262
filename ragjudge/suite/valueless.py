"""Cells of a sheet without a value: Excel's errors, and formulas whose result was never stored."""

from collections.abc import Iterator, Sequence

from ragjudge.errors import Place, Problem
from ragjudge.language import Text
from ragjudge.suite.columns import Columns
from ragjudge.suite.raw import RawValue
from ragjudge.suite.tables import Header, Table
from ragjudge.suite.workbook import Sheet, holds_formulas, opened

_MOST_LISTED = 10


_ERRORS = frozenset({"#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!", "#SPILL!", "#CALC!"})


def sent_errors(table: Table, header: Header, columns: Columns) -> list[Problem]:
    """Errors that a spreadsheet exported as text, where they would be sent to the app.

    Elsewhere it is text like any other: a question may be about `#N/A`.
    """
    sent = [i for i, title in enumerate(header.titles) if title and columns.fills_inputs(title)]
    return [
        _error(str(_at(row.cells, i)), table.place(row.number, i))
        for row in table.rows[header.index + 1 :]
        for i in sent
        if _at(row.cells, i) in _ERRORS and _asks(row.cells, header.titles, columns)
    ]


def told(data: bytes, sheet: Sheet, columns: Columns) -> tuple[list[Problem], list[Text]]:
    """A fault for each such cell that means something to ragjudge or is sent to the app; a note on all others."""
    problems: list[Problem] = []
    own: list[str] = []
    titles, rows = sheet.header.titles, _below(sheet)
    for (row, column), problem in sorted(_valueless(data, sheet).items()):
        title = titles[column] if column < len(titles) else ""
        if not title:
            continue
        if columns.field(title) is not None:
            problems.append(problem)
        elif row not in sheet.table.sections and _asks(rows[row], titles, columns):
            if columns.fills_inputs(title):
                problems.append(problem)
            else:
                own.append(str(sheet.table.place(row, column).cell))
    return problems, [_note(sheet.table.file, own)] if own else []


def _valueless(data: bytes, sheet: Sheet) -> dict[tuple[int, int], Problem]:
    """Row and column of each below the header."""
    below = _below(sheet)
    found = {
        at: _error(error, sheet.table.place(*at)) for at, error in sheet.grid.errors.items() if at[0] in below
    }
    for at in _formulas(data, sheet):
        if at[0] in below and _at(below[at[0]], at[1]) is None and at not in sheet.grid.empty_results:
            found[at] = Problem(
                Text("The formula has no stored result.", "数式の計算結果が保存されていません。"),
                sheet.table.place(*at),
                Text(
                    "Open the workbook in Excel and save it.",
                    "Excelでブックを開き、保存し直してください。",
                ),
            )
    return found


def _error(error: str, place: Place) -> Problem:
    return Problem(
        Text(f"The cell holds the error {error}.", f"セルがエラー値 {error} になっています。"), place
    )


def _formulas(data: bytes, sheet: Sheet) -> Iterator[tuple[int, int]]:
    if not holds_formulas(data):
        return
    worksheet = opened(data, formulas=True)[sheet.title]
    for (row, letter), cell in worksheet._cells.items():  # noqa: SLF001 - sparse, see workbook.grid_of
        if cell.data_type == "f":
            yield row, letter - 1


def _below(sheet: Sheet) -> dict[int, Sequence[RawValue]]:
    return {row.number: row.cells for row in sheet.table.rows[sheet.header.index + 1 :]}


def _asks(cells: Sequence[RawValue], titles: Sequence[str], columns: Columns) -> bool:
    """Whether the row is a case: formulas are often filled down further than the cases go."""
    return any(
        _at(cells, i) not in (None, "") and columns.field(title) in ("question", "reference")
        for i, title in enumerate(titles)
        if title
    )


def _at(cells: Sequence[RawValue], column: int) -> RawValue:
    return cells[column] if column < len(cells) else None


def _note(file: str, cells: list[str]) -> Text:
    listed = ", ".join(cells[:_MOST_LISTED]) + (" …" if len(cells) > _MOST_LISTED else "")
    return Text(
        f"{file}: columns of your own hold errors or formulas without a stored result ({listed}).",
        f"{file}: 独自の列に、エラー値や計算結果のない数式のセルがあります({listed})。",
    )
