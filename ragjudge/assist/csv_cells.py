"""Single cells of a CSV text changed in place: every other character stays as its owner wrote it."""

from collections.abc import Mapping
from dataclasses import dataclass

_LINE_ENDS = "\r\n"


@dataclass(frozen=True, slots=True)
class Record:
    """One record: the line it begins on (from 1) and where each of its cells stands in the text."""

    line: int
    spans: tuple[tuple[int, int], ...]


def records(text: str, delimiter: str) -> list[Record]:
    """Where every cell begins and ends, quotes included. The text must be sound CSV (the suite reader checked it)."""
    found: list[Record] = []
    at, line = 0, 1
    while at < len(text):
        spans: list[tuple[int, int]] = []
        start_line = line
        while True:
            end = _cell_end(text, at, delimiter)
            spans.append((at, end))
            line += _line_breaks(text, at, end)
            if text[end : end + 1] != delimiter:
                at = end
                break
            at = end + 1
        found.append(Record(start_line, tuple(spans)))
        if text.startswith("\r\n", at):
            at, line = at + 2, line + 1
        elif at < len(text):
            at, line = at + 1, line + 1
    return found


def _cell_end(text: str, at: int, delimiter: str) -> int:
    if text[at : at + 1] == '"':
        at += 1
        while True:
            at = text.find('"', at)
            if at < 0:
                return len(text)
            if text[at + 1 : at + 2] != '"':
                at += 1
                break
            at += 2
    while at < len(text) and text[at] != delimiter and text[at] not in _LINE_ENDS:
        at += 1
    return at


def _line_breaks(text: str, start: int, end: int) -> int:
    return text.count("\n", start, end) + text.count("\r", start, end) - text.count("\r\n", start, end)


def with_cells(text: str, delimiter: str, values: Mapping[tuple[int, int], str]) -> str:
    """The text with new values, by line of the record and column (from 0); short records are filled up.

    Values must need no quotes.
    """
    pieces: list[str] = []
    done = 0
    by_line: dict[int, list[tuple[int, str]]] = {}
    for (line, column), value in values.items():
        by_line.setdefault(line, []).append((column, value))
    for record in records(text, delimiter):
        for column, value in sorted(by_line.get(record.line, ())):
            if column < len(record.spans):
                start, end = record.spans[column]
                filler = ""
            else:
                start = end = record.spans[-1][1]
                filler = delimiter * (column - len(record.spans) + 1)
            pieces += [text[done:start], filler, value]
            done = end
    return "".join([*pieces, text[done:]])
