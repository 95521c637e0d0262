"""The report in short, for a terminal or a log: verdict, why, metrics, the cases in trouble, the cost."""

from io import StringIO
from typing import TYPE_CHECKING

from ragjudge.report import escape, layout
from ragjudge.report.blocks import (
    Alert,
    Block,
    Bullets,
    Charts,
    Code,
    Faint,
    Fold,
    Inline,
    Inserted,
    Line,
    Link,
    NewLine,
    Paragraph,
    Removed,
    Strong,
    Table,
)
from ragjudge.report.view.model import ReportView

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

WIDTH = 110


def render(view: ReportView, *, terminal: bool = False, width: int = WIDTH) -> str:
    """Plain text, or with colours where a `terminal` shows it. No outside text can speak to a runner or a terminal."""
    from rich.console import Console

    out = StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=terminal,
        color_system="standard" if terminal else None,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
    )
    document = layout.brief(view)
    _say(console, _text((Strong(document.title),)))
    for section in document.sections:
        _say(console, _text(()))
        if section.title:
            _say(console, _text((Strong(section.title),)))
        for block in section.blocks:
            for part in _block(block):
                _say(console, part)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def _say(console: "Console", part: "RenderableType") -> None:
    console.print(part, overflow="fold")


def _block(block: Block) -> "list[RenderableType]":
    match block:
        case Paragraph(line):
            return [_text(line)]
        case Bullets(items):
            return [_hanging("-", item) for item in items]
        case Alert(_, lines):
            return [_hanging("!", line) for line in lines]
        case Table():
            return [_table(block)]
        case Fold(summary, _):
            return [_text((Faint(summary),))]
        case Charts():
            return []


def _hanging(sign: str, line: Line) -> "RenderableType":
    """A sign, and the text beside it with its later lines indented."""
    from rich.table import Table as RichTable

    grid = RichTable.grid(padding=(0, 1))
    grid.add_column()
    grid.add_column(overflow="fold")
    grid.add_row(sign, _text(line))
    return grid


def _table(table: Table) -> "RenderableType":
    from rich import box
    from rich.table import Table as RichTable

    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in table.columns:
        drawn.add_column(_text((column.title,)), justify=column.align, overflow="fold")
    for row in table.rows:
        drawn.add_row(*(_text(cell) for cell in row))
    return drawn


def _text(line: Line) -> "Text":
    """Rich text is built piece by piece, never parsed, so that `[red]` in an answer stays `[red]`."""
    from rich.text import Text

    text = Text()
    for part in line:
        said, style = _part(part)
        text.append(said, style=style)
    return text


def _part(part: Inline) -> tuple[str, str]:
    match part:
        case str():
            return _keeping_blanks(part), ""
        case Strong(said):
            return escape.log_line(said), "bold"
        case Faint(said):
            return escape.log_line(said), "dim"
        case Code(said):
            return escape.log_line(said), ""
        case Link(said, url):
            return f"{escape.log_line(said)}: {escape.log_line(url)}", ""
        case Removed(said):
            return f"−「{escape.log_line(said)}」", "red strike"
        case Inserted(said):
            return f"+「{escape.log_line(said)}」", "green"
        case NewLine():
            return "\n", ""


def _keeping_blanks(text: str) -> str:
    if not text.strip():
        return " " if text else ""
    return (" " if text[0] == " " else "") + escape.log_line(text) + (" " if text[-1] == " " else "")
