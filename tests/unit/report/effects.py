"""What would act on GitHub, at a runner, in a browser or in a spreadsheet: one detector per kind."""

import csv
import re
import xml.etree.ElementTree as ET
from html import unescape
from html.parser import HTMLParser
from io import BytesIO, StringIO

from openpyxl import load_workbook

from tests.unit.report import reading

_GITHUB = {
    "mention": re.compile(r"(?<![A-Za-z0-9_])@[A-Za-z0-9]"),
    "reference": re.compile(r"#[0-9]"),
    "gh reference": re.compile(r"(?<![A-Za-z0-9_])GH-[0-9]", re.IGNORECASE),
    "commit": re.compile(r"(?<![0-9A-Za-z_])[0-9a-f]{7,40}(?![0-9A-Za-z_])", re.IGNORECASE),
    "address": re.compile(
        r"(?:https?|ftp)://|(?<![a-z0-9])www\.[a-z0-9]|mailto:[a-z0-9]|xmpp:[a-z0-9]", re.IGNORECASE
    ),
    "emoji": re.compile(r":[a-z0-9_+-]+:", re.IGNORECASE),
    "math": re.compile(r"\$"),
}
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)


_CHART = re.compile(
    r"xychart-beta\n"
    r' {4}x-axis \["[0-9: -]{1,16}"(, "[0-9: -]{1,16}")*(, "(this run|今回)")?\]\n'
    r" {4}y-axis -?[0-9]+\.[0-9]{2} --> -?[0-9]+\.[0-9]{2}\n"
    r" {4}line \[-?[0-9]+\.[0-9]{3}(, -?[0-9]+\.[0-9]{3})*\]\n"
)
"""The one fence that is ours: numbers, dates and one word."""


def on_github(markdown: str, *, links: frozenset[str]) -> list[str]:
    """Effects of a comment once GitHub has rendered it. Dollars count in the source, the rest in what is read."""
    found = [f"html {piece!r}" for piece in reading.foreign_html(markdown)]
    found += [f"link {target!r}" for target in reading.targets(markdown) if target not in links]
    for token in reading.tokens(markdown):
        text = _prose(token) if token.type == "inline" else ""
        if token.type == "html_block":
            text = unescape(re.sub(r"<[^>]*>", " ", token.content))
        found += [
            f"{kind} in {text!r}"
            for kind, effect in _GITHUB.items()
            if kind != "math" and effect.search(text)
        ]
        if token.type == "fence" and token.info == "mermaid" and _CHART.fullmatch(token.content):
            continue
        if token.type in {"fence", "code_block", "hr", "ordered_list_open"}:
            found.append(token.type)
    if _GITHUB["math"].search(markdown):
        found.append("math")
    return found + hidden(markdown)


def _prose(token) -> str:
    """Text nodes as GitHub's filters walk over them: code is left out, links are ours."""
    parts = []
    depth = 0
    for child in token.children or ():
        depth += {"link_open": 1, "link_close": -1}.get(child.type, 0)
        if child.type == "text" and not depth:
            parts.append(child.content)
        else:
            parts.append("\n")
    return "".join(parts)


def hidden(text: str) -> list[str]:
    return [f"hidden {found.group()!r}" for found in _HIDDEN.finditer(text)]


def at_runner(log: str) -> list[str]:
    return [line for line in log.splitlines() if "::" in line or "##[" in line] + hidden(log)


class _Page(HTMLParser):
    """The skeleton of a page: tags and attributes, no texts."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.other: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, tuple(attrs)))

    def handle_comment(self, data):
        self.other.append(data)

    def unknown_decl(self, data):
        self.other.append(data)

    def handle_pi(self, data):
        self.other.append(data)


def skeleton(page: str) -> tuple[list, list[str]]:
    reader = _Page()
    reader.feed(page)
    reader.close()
    return reader.tags, reader.other


def xml_skeleton(document: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(element.tag, tuple(element.attrib)) for element in ET.fromstring(document.encode()).iter()]


def in_csv(document: str) -> list[str]:
    """Cells that a spreadsheet would calculate."""
    rows = list(csv.reader(StringIO(document.removeprefix("\ufeff"), newline="")))
    assert len({len(row) for row in rows}) == 1
    numbers = re.compile(r"-?[0-9.]+(?:e-?[0-9]+)?")
    return [
        cell
        for row in rows
        for cell in row
        if cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r")) and not numbers.fullmatch(cell)
    ]


def in_workbook(data: bytes) -> list[str]:
    book = load_workbook(BytesIO(data))
    return [
        str(cell.value)
        for sheet in book
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f" or cell.hyperlink
    ]
