"""Rows of a table as raw cases: finds the header, keeps each value's place, leaves out what is no case."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ragjudge.errors import Place, Problem
from ragjudge.language import Text
from ragjudge.suite.columns import Columns, in_yaml
from ragjudge.suite.raw import RawCase, RawField, RawValue, is_blank
from ragjudge.suite.repeated import Again, rows_of_titles, title_of

HEADER_WITHIN = 50
"""Rows in which the header is looked for: sheets often begin with a title, a date or a legend."""


@dataclass(frozen=True, slots=True)
class Row:
    """`number` is the line or row as the user's editor counts; cells are in column order, None where empty."""

    number: int
    cells: Sequence[RawValue]


@dataclass(frozen=True, slots=True)
class Header:
    """`index` is the header's position in the rows; `titles` by column, empty where a column has none."""

    index: int
    titles: tuple[str, ...]
    passed_over: int | None = None
    """Number of a poorer row above it that reads like a header too, as `質問 | 40件` in a summary does."""


@dataclass(frozen=True, slots=True)
class Table:
    """`place(row, column)` is where a cell stands; `column_name(column)` is what the user calls a column."""

    file: str
    rows: Sequence[Row]
    place: Callable[[int, int], Place]
    column_name: Callable[[int], str]
    hidden_columns: frozenset[int] = frozenset()
    sections: frozenset[int] = frozenset()
    """Numbers of the rows that hold nothing but a heading over question and answer."""


@dataclass(slots=True)
class TableReading:
    cases: list[RawCase] = field(default_factory=list)
    notes: list[Text] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def find_header(rows: Sequence[Row], columns: Columns) -> Header | None:
    """The first row with a question column and another title, unless a far richer one follows.

    Without any, the first that has a question column alone.
    """
    found: list[tuple[Header, int]] = []
    alone: Header | None = None
    for index, row in enumerate(rows[:HEADER_WITHIN]):
        titles = tuple(title_of(cell) for cell in row.cells)
        fields = {columns.field(title) for title in titles if title} - {None}
        if "question" not in fields:
            continue
        if sum(1 for title in titles if title) > 1:
            found.append((Header(index, titles), len(fields)))
        else:
            alone = alone or Header(index, titles)
    if not found:
        return alone
    first, known = found[0]
    best, most = max(found, key=lambda one: one[1])
    # A second table below may know one title more; what knows the question alone is hardly a table's header.
    richer = most > known + 1 or (known == 1 and most > 1)
    return replace(best, passed_over=rows[first.index].number) if richer else first


def read(table: Table, header: Header, columns: Columns) -> TableReading:
    reading = TableReading()
    kept = _columns_kept(table, header, columns, reading)
    blank: list[int] = []
    below = table.rows[header.index + 1 :]
    again = rows_of_titles([row.cells for row in below], header.titles, columns)
    for at, row in enumerate(below):
        if at in again or row.number in table.sections:
            continue
        fields = _fields(table, row, kept, columns)
        means = {columns.field(f.title) for f in fields if f.value != ""}
        if not means:
            continue
        if means.isdisjoint({"question", "reference"}):
            blank.append(row.number)
            continue
        reading.cases.append(RawCase(table.place(row.number, kept[0][0]), fields))
    _note_left_out(table, header, blank, reading)
    _tell_again(table, {below[at].number: kind for at, kind in again.items()}, reading)
    _note_untitled(table, header, reading)
    return reading


def _fields(
    table: Table, row: Row, kept: Sequence[tuple[int, str]], columns: Columns
) -> tuple[RawField, ...]:
    """A row's values by title. An empty cell of the team's own column is kept: it has no value, but it is known."""
    found = []
    for i, title in kept:
        value = row.cells[i] if i < len(row.cells) else None
        if value is None or (isinstance(value, str) and is_blank(value)):
            if columns.field(title) is not None:
                continue
            value = ""
        found.append(RawField(title, value, table.place(row.number, i)))
    return tuple(found)


def _columns_kept(
    table: Table, header: Header, columns: Columns, reading: TableReading
) -> list[tuple[int, str]]:
    """Columns with a title; a hidden one gives way to a visible one of the same meaning."""
    shown = {
        columns.field(title) or title
        for i, title in enumerate(header.titles)
        if title and i not in table.hidden_columns
    }
    kept = []
    for i, title in enumerate(header.titles):
        if not title:
            continue
        if i in table.hidden_columns and (columns.field(title) or title) in shown:
            name = table.column_name(i)
            reading.notes.append(
                Text(
                    f"{table.file}: hidden column {name} ({title}) was left out; a visible one means the same.",
                    f"{table.file}: 非表示の列 {name}({title})は、同じ意味の表示列があるため使いません。",
                )
            )
            continue
        kept.append((i, title))
    return kept


def _note_left_out(table: Table, header: Header, blank: Sequence[int], reading: TableReading) -> None:
    if header.passed_over is not None:
        at, above = table.rows[header.index].number, header.passed_over
        reading.notes.append(
            Text(
                f"{table.file}: row {at} was taken for the header, not row {above}, which has fewer titles that are "
                "known; what stands above the header is not read.",
                f"{table.file}: 見出しは{at}行目としました({above}行目よりも、意味の分かる見出しが多いため)。"
                "それより上の行は読み込みません。",
            )
        )
    if table.sections:
        rows = compact(sorted(table.sections))
        reading.notes.append(
            Text(
                f"{table.file}: headings merged over question and answer were left out ({rows}).",
                f"{table.file}: 質問と回答の列を結合した見出しの行は使いません({rows}行目)。",
            )
        )
    if blank:
        rows = compact(blank)
        reading.notes.append(
            Text(
                f"{table.file}: rows without question and answer were left out ({rows}).",
                f"{table.file}: 質問も回答もない行は読み飛ばしました({rows}行目)。",
            )
        )


def _tell_again(table: Table, again: dict[int, Again], reading: TableReading) -> None:
    """Rows that repeat the header are left out; where another table begins, no column is sure any more."""
    if same := [number for number, kind in again.items() if kind is Again.SAME]:
        rows = compact(same)
        reading.notes.append(
            Text(
                f"{table.file}: rows that repeat the header were left out ({rows}).",
                f"{table.file}: 見出しを繰り返している行は使いません({rows}行目)。",
            )
        )
    reading.problems += [
        Problem(
            Text(
                "This row reads like the header of another table, with other columns.",
                "列の並びが異なる、別の表の見出しのようです。",
            ),
            table.place(number, 0),
            Text(
                "Give each table a sheet or a file of its own, or the same columns.",
                "表ごとにシートまたはファイルを分けるか、列の並びをそろえてください。",
            ),
        )
        for number, kind in again.items()
        if kind is Again.OTHER
    ]


def _note_untitled(table: Table, header: Header, reading: TableReading) -> None:
    width = len(header.titles)
    untitled = {
        i
        for row in table.rows[header.index + 1 :]
        for i, cell in enumerate(row.cells)
        if cell not in (None, "") and (i >= width or not header.titles[i])
    }
    if untitled:
        names = ", ".join(table.column_name(i) for i in sorted(untitled)[:10])
        reading.notes.append(
            Text(
                f"{table.file}: columns without a title were left out ({names}).",
                f"{table.file}: 見出しのない列は使いません({names})。",
            )
        )


def no_header(table: Table, columns: Columns) -> Problem:
    """No question column anywhere near the top: say which titles were seen, and which one may be meant."""
    titled = [
        (row, titles)
        for row in table.rows[:HEADER_WITHIN]
        if (titles := [title for cell in row.cells if (title := title_of(cell))])
    ]
    row, seen = titled[0] if titled else (None, [])
    likely = None
    for other, titles in titled:
        if len(titles) > 1 and (found := columns.like_a_question(titles)):
            row, seen, likely = other, titles, found
            break
    listed = ", ".join(title[:30] for title in seen[:12])
    place = table.place(row.number, 0) if row else Place(table.file)
    own = (title for title in seen if columns.field(title) is None)
    example = in_yaml(likely or next(own, "お客様の質問"))
    return Problem(
        Text(
            f"No question column was found (first titles: {listed or 'none'}).",
            f"質問の列が見つかりません(先頭行の見出し: {listed or 'なし'})。",
        ),
        place,
        Text(
            f"Name a column `question`, or write `columns: {{{example}: question}}` in ragjudge.yml.",
            f"見出しを「質問」にするか、ragjudge.yml に「columns: {{{example}: question}}」のように書いてください。",
        ),
    )


def compact(numbers: Sequence[int]) -> str:
    """`[3, 4, 5, 9]` → `3–5, 9`."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    shown = [str(a) if a == b else f"{a}–{b}" for a, b in spans[:20]]
    return ", ".join(shown) + (" …" if len(spans) > 20 else "")
