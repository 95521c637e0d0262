"""The report as one HTML file that needs nothing else: no script, no font, no request."""

from collections.abc import Iterable
from importlib import resources

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
    Section,
    Strong,
    Table,
)
from ragjudge.report.view.model import ReportView

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Even where an escape failed, a browser would load and run nothing."""


def render(view: ReportView) -> str:
    """A whole page, uncut, in the report's language."""
    document = layout.lay_out(view, layout.FILE)
    title = escape.html(document.title)
    parts = [_section(number, section) for number, section in enumerate(document.sections)]
    first_titled = next((n for n, section in enumerate(document.sections) if section.title), 0)
    parts.insert(first_titled, _contents(document.sections))
    return (
        f'<!doctype html>\n<html lang="{view.language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape.html(POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>\n{_style()}</style>\n</head>\n"
        f'<body class="{view.verdict.value}">\n<main>\n<h1>{title}</h1>\n{"".join(parts)}</main>\n</body>\n</html>\n'
    )


def _style() -> str:
    return resources.files("ragjudge.report").joinpath("style.css").read_text(encoding="utf-8")


def _contents(sections: Iterable[Section]) -> str:
    links = "".join(
        f'<li><a href="#s{n}">{escape.html(section.title)}</a></li>'
        for n, section in enumerate(sections)
        if section.title
    )
    return f"<nav><ul>{links}</ul></nav>\n" if links else ""


def _section(number: int, section: Section) -> str:
    heading = f"<h2>{escape.html(section.title)}</h2>\n" if section.title else ""
    return f'<section id="s{number}">\n{heading}{_blocks(section.blocks)}</section>\n'


def _blocks(blocks: Iterable[Block]) -> str:
    return "".join(_block(block) for block in blocks)


def _block(block: Block) -> str:
    match block:
        case Paragraph(line):
            return f"<p>{_line(line)}</p>\n"
        case Bullets(items):
            return f"<ul>{''.join(f'<li>{_line(item)}</li>' for item in items)}</ul>\n"
        case Alert(kind, lines):
            inside = "".join(f"<p>{_line(line)}</p>" for line in lines)
            return f'<aside class="{kind}">{inside}</aside>\n'
        case Table():
            return _table(block)
        case Fold(summary, blocks):
            return f"<details><summary>{escape.html(summary)}</summary>\n{_blocks(blocks)}</details>\n"
        case Charts():
            return ""


def _table(table: Table) -> str:
    aligns = [column.align for column in table.columns]
    head = "".join(
        f'<th scope="col" class="{column.align}">{escape.html(column.title)}</th>' for column in table.columns
    )
    rows = "".join(
        "<tr>"
        + "".join(f'<td class="{align}">{_line(cell)}</td>' for align, cell in zip(aligns, row, strict=True))
        + "</tr>\n"
        for row in table.rows
    )
    return f'<div class="table"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n'


def _line(line: Line) -> str:
    return "".join(_inline(part) for part in line)


def _inline(part: Inline) -> str:
    match part:
        case str():
            return escape.html(part)
        case Strong(text):
            return f"<strong>{escape.html(text)}</strong>"
        case Faint(text):
            return f"<small>{escape.html(text)}</small>"
        case Code(text):
            return f"<code>{escape.html(text)}</code>"
        case Link(text, url):
            target = escape.link_target(url)
            shown = escape.html(text)
            return (
                f'<a href="{escape.html(target)}" rel="noopener noreferrer">{shown}</a>' if target else shown
            )
        case Removed(text):
            return f"<del>{escape.html(text)}</del>"
        case Inserted(text):
            return f"<ins>{escape.html(text)}</ins>"
        case NewLine():
            return "<br>"
