"""Files of every format → one Suite, or every fault of every file at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ragjudge.errors import Place, Problem, SuiteFault
from ragjudge.language import Text, why_not
from ragjudge.suite import json_reader, locating, yaml_reader
from ragjudge.suite.building import Draft, draft
from ragjudge.suite.case import Case, Source, Suite
from ragjudge.suite.columns import Columns
from ragjudge.suite.locating import SuiteFile
from ragjudge.suite.raw import Reading, Unreadable

MAX_BYTES = 50_000_000
MAX_PROBLEMS = 200
"""More would bury the first ones; the rest is counted."""
MAX_NOTES = 20
"""Beside problems; a sound suite's are all told."""

HOLDS_NO_CASE = Text("The suite holds no case.", "テストケースが1件もありません。")


def _read_csv(data: bytes, file: str, columns: Columns) -> Reading:
    from ragjudge.suite import csv_reader  # of the readers of tables at most one is needed as a rule

    return csv_reader.read(data, file, columns)


_TEXT_READERS: Mapping[str, Callable[[bytes, str, Columns], Reading]] = {
    ".json": lambda data, file, _: json_reader.read(data, file),
    ".jsonl": lambda data, file, _: json_reader.read_lines(data, file),
    ".ndjson": lambda data, file, _: json_reader.read_lines(data, file),
    ".yaml": yaml_reader.read,
    ".yml": yaml_reader.read,
    ".csv": _read_csv,
    ".tsv": _read_csv,
}


def load(
    patterns: Sequence[str], columns: Mapping[str, str] | None = None, base_dir: Path | None = None
) -> Suite:
    """Read a suite.

    `patterns` are files, globs, folders or `book.xlsx#sheet`, relative to `base_dir` (default: here). `columns` maps
    titles to fields. Raises `SuiteFault` with every problem, also for an empty suite.
    """
    return gathered(patterns, Columns(columns), base_dir or Path()).sound()


@dataclass(frozen=True, slots=True)
class Gathered:
    """A suite as its files hold it. `cases` are also those with `problems`, as far as they can be read."""

    name: str
    cases: tuple[Case, ...]
    notes: tuple[Text, ...]
    problems: tuple[Problem, ...]

    def sound(self, more: Sequence[Problem] = ()) -> Suite:
        """Raises `SuiteFault` with every problem, `more` of the caller's among them."""
        problems = [*self.problems, *more]
        if problems:
            raise SuiteFault(capped(problems), [_printable(note) for note in self.notes[:MAX_NOTES]])
        return Suite(name=self.name, cases=self.cases, notes=self.notes)


def gathered(patterns: Sequence[str], columns: Columns, base_dir: Path) -> Gathered:
    """As `load`, with all that is wrong beside what could be read."""
    problems = columns.problems()
    notes: list[Text] = []
    drafts: list[Draft] = []
    files = locating.find(patterns, base_dir, problems)
    for file in files:
        reading = _read(file, columns)
        notes += reading.notes
        found = list(reading.problems)
        drafts += [draft(raw, columns, found) for raw in reading.cases]
        problems += sorted(found, key=lambda p: (p.place and p.place.line) or 0)
    # Without an id of its own, a case is known by all that it asks: half of it says nothing.
    problems += _duplicates([d.case for d in drafts if d.sound or d.case.id != d.case.question_digest])
    if not drafts and not problems:
        problems.append(_empty(files))
    # A file that could not be read may have the column.
    notes += _unused(columns) if drafts else []
    return Gathered(", ".join(patterns), tuple(d.case for d in drafts), tuple(notes), tuple(problems))


def _read(file: SuiteFile, columns: Columns) -> Reading:
    try:
        return read_bytes(_bytes(file), file, columns)
    except Unreadable as fault:
        return Reading(problems=(fault.problem(file.shown),))


def _bytes(file: SuiteFile) -> bytes:
    try:
        with file.path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise Unreadable(
            Text(
                f"The file cannot be read ({error.strerror}).", f"ファイルを読めません({why_not(error).ja})。"
            )
        ) from None
    if len(data) > MAX_BYTES:
        raise Unreadable(
            Text("The file is larger than 50 MB.", "ファイルが50MBを超えています。"),
            cure=Text("Split it into several files.", "複数のファイルに分けてください。"),
        )
    return data


def read_bytes(data: bytes, file: SuiteFile, columns: Columns) -> Reading:
    """The reader of the file's kind. Raises `Unreadable` only, whatever the bytes."""
    suffix = file.path.suffix.lower()
    if suffix in (".xlsx", ".xlsm"):
        from ragjudge.suite import xlsx_reader

        return xlsx_reader.read(data, file.shown, file.sheet, columns)
    reader = _TEXT_READERS.get(suffix)
    if reader is None:
        kinds = ", ".join(locating.SUFFIXES)
        raise Unreadable(
            Text(
                f"Files of this kind cannot be read ({kinds} can).",
                f"この形式は読み込めません(使える形式: {kinds})。",
            )
        )
    if file.sheet is not None:
        raise Unreadable(
            Text("Only a workbook has sheets (#…).", "シート名(#…)を指定できるのはExcelだけです。")
        )
    return reader(data, file.shown, columns)


def _duplicates(cases: Sequence[Case]) -> list[Problem]:
    first: dict[str, Case] = {}
    found = []
    for case in cases:
        before = first.setdefault(case.id, case)
        if before is not case:
            found.append(_twice(case, before))
    return found


def _twice(case: Case, before: Case) -> Problem:
    there = place_of(before.source)
    if case.id == case.question_digest == before.question_digest:
        return Problem(
            Text(
                f"The same question with the same inputs stands at {there} as well, and neither has an id.",
                f"同じ質問(入力変数も同じ)が {there} にもあり、どちらにもidがありません。",
            ),
            place_of(case.source),
            Text("Give each an id, or remove one.", "それぞれにidを付けるか、どちらかを削除してください。"),
        )
    return Problem(
        Text(f"The id {case.id!r} is taken by {there}.", f"id「{case.id}」は {there} で既に使われています。"),
        place_of(case.source),
        Text("Give each case an id of its own.", "ケースごとに異なるidを付けてください。"),
    )


def place_of(source: Source | None) -> Place | None:
    """A case's place, for messages."""
    return Place(source.file, source.line, source.sheet, source.cell) if source else None


def _empty(files: Sequence[SuiteFile]) -> Problem:
    place = Place(files[0].shown) if files else None
    return Problem(
        HOLDS_NO_CASE,
        place,
        Text("Add at least one question.", "質問を1件以上書いてください。"),
    )


def capped(problems: list[Problem]) -> list[Problem]:
    """At most MAX_PROBLEMS of them, and how many more there are; each can be printed, whatever it quotes."""
    shown = [
        replace(problem, what=_printable(problem.what), cure=problem.cure and _printable(problem.cure))
        for problem in problems[:MAX_PROBLEMS]
    ]
    more = len(problems) - MAX_PROBLEMS
    if more <= 0:
        return shown
    return [
        *shown,
        Problem(Text(f"… and {more} more problems.", f"…ほかに{more}件の問題があります。")),
    ]


def _printable(text: Text) -> Text:
    """Halves of characters, which no terminal and no file takes, as question marks."""
    return Text(*(one.encode("utf-8", "replace").decode() for one in (text.en, text.ja)))


def _unused(columns: Columns) -> list[Text]:
    return [
        Text(
            f"columns: no file has a column {title!r}.",
            f"columns: 「{title}」という列はどのファイルにもありません。",
        )
        for title in columns.unused()
    ]
