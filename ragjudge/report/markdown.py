"""The report as GitHub's Markdown: the comment, the job summary and the file, from the same view.

Raw HTML in the output is ours alone and closed in itself: `details`, `summary`, `br`, `sub`, `strong`,
`del`, `ins`.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence

from ragjudge.report import escape, layout, mermaid, wording
from ragjudge.report.blocks import (
    Alert,
    Block,
    Bullets,
    Charts,
    Code,
    Document,
    Faint,
    Fold,
    Inline,
    Inserted,
    Line,
    Link,
    NewLine,
    Paragraph,
    Removed,
    Section,
    Strong,
    Table,
)
from ragjudge.report.fit import Rest, fitted
from ragjudge.report.view.model import ReportView

COMMENT_CHARACTERS = 60_000
"""GitHub refuses a body over 65,536 characters; the rest is for the marker and whatever a caller adds."""
SUMMARY_BYTES = 900 * 1024
"""GitHub drops a job summary over 1 MiB whole."""


def file(view: ReportView) -> str:
    """`report.md`: uncut, with whole questions and answers."""
    document = layout.lay_out(view, layout.FILE)
    return _title(document) + _Renderer().text(document.sections)


def comment(view: ReportView, *, most: int = COMMENT_CHARACTERS) -> str:
    """At most `most` characters: whole sections first, then rows of one, then a link to the rest."""
    return _within(view, most, len)


def summary(view: ReportView, *, most: int = SUMMARY_BYTES) -> str:
    """At most `most` bytes of UTF-8."""
    return _within(view, most, lambda text: len(text.encode()))


def _within(view: ReportView, most: int, size: Callable[[str], int]) -> str:
    document = layout.lay_out(view, layout.COMMENT)
    phrases = wording.of(view.language).phrases
    rest = Rest(phrases.more_rows, phrases.left_out, _rest(view))
    renderer = _Renderer()

    def measure(sections: Sequence[Section], most: int) -> int:
        total = 0
        for piece in renderer.pieces(sections):
            total += size(piece)
            if total > most:
                break
        return total

    room = most - size(_title(document))
    return _title(document) + renderer.text(fitted(document, measure, room, rest).sections)


def _rest(view: ReportView) -> Line:
    phrases = wording.of(view.language).phrases
    if view.rest_url and escape.link_target(view.rest_url):
        return (Link(phrases.rest_link, view.rest_url),)
    return (phrases.rest_file,)


def _title(document: Document) -> str:
    return f"### {escape.markdown(document.title)}\n\n"


class _Renderer:
    """Blocks to Markdown. Remembers rows, as cutting a report to a limit renders the same ones again and again."""

    def __init__(self) -> None:
        self._rows: dict[tuple[Line, ...], str] = {}

    def text(self, sections: Iterable[Section]) -> str:
        return "".join(self.pieces(sections))

    def pieces(self, sections: Iterable[Section]) -> Iterator[str]:
        """The Markdown bit by bit, so that whoever only measures can stop early."""
        for section in sections:
            if section.title:
                yield f"#### {escape.markdown(section.title)}\n\n"
            for block in section.blocks:
                yield from self._block(block)

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case Paragraph(line):
                yield f"{_line(line)}\n\n"
            case Bullets(items):
                yield from (f"- {_line(item)}\n" for item in items)
                yield "\n"
            case Alert(kind, lines):
                yield f"> [!{kind.upper()}]\n"
                yield "\n>\n".join(f"> {_line(line)}" for line in lines) + "\n\n"
            case Table():
                yield from self._table(block)
            case Fold(title, blocks):
                yield f"<details><summary>{escape.html_on_github(title)}</summary>\n\n"
                for inner in blocks:
                    yield from self._block(inner)
                yield "</details>\n\n"
            case Charts(title, charts):
                yield f"<details><summary>{escape.html_on_github(title)}</summary>\n\n"
                for chart in charts:
                    yield f"{_strong(escape.markdown(chart.title))}\n\n```mermaid\n{mermaid.source(chart)}```\n\n"
                yield "</details>\n\n"

    def _table(self, table: Table) -> Iterator[str]:
        yield self._row(tuple((column.title,) for column in table.columns))
        yield "|" + "|".join(_RULES[column.align] for column in table.columns) + "|\n"
        yield from (self._row(row) for row in table.rows)
        yield "\n"

    def _row(self, cells: tuple[Line, ...]) -> str:
        known = self._rows.get(cells)
        if known is None:
            known = self._rows[cells] = "| " + " | ".join(_line(cell) for cell in cells) + " |\n"
        return known


_RULES = {"left": ":--", "right": "--:", "center": ":-:"}


def _line(line: Line) -> str:
    return "".join(_inline(part) for part in _merged(line))


def _merged(line: Line) -> list[Inline]:
    """Neighbouring plain texts become one, so that no mention hides across a seam."""
    merged: list[Inline] = []
    for part in line:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        else:
            merged.append(part)
    return merged


def _inline(part: Inline) -> str:
    match part:
        case str():
            return _keeping_blanks(part)
        case Strong(text):
            return _strong(escape.markdown(text))
        case Faint(text):
            return f"<sub>{escape.markdown(text)}</sub>"
        case Code(text):
            return escape.code(text)
        case Link(text, url):
            target = escape.link_target(url)
            return f"[{escape.markdown(text)}]({target})" if target else escape.markdown(text)
        case Removed(text):
            return _marked("del", text)
        case Inserted(text):
            return _marked("ins", text)
        case NewLine():
            return "<br>"


def _keeping_blanks(text: str) -> str:
    """A single blank at either end parts the text from its neighbours."""
    if not text.strip():
        return " " if text else ""
    return (" " if text[0] == " " else "") + escape.markdown(text) + (" " if text[-1] == " " else "")


def _marked(tag: str, text: str) -> str:
    escaped = escape.markdown(text)
    return f"<{tag}>{escaped}</{tag}>" if escaped else ""


def _strong(escaped: str) -> str:
    """Asterisks where CommonMark takes them for strong; beside punctuation (「…」, 。) it does not."""
    if escaped and all(unicodedata.category(char)[0] in "LN" for char in (escaped[0], escaped[-1])):
        return f"**{escaped}**"
    return f"<strong>{escaped}</strong>" if escaped else ""
