"""Reads Markdown back as GitHub's parser would, so that a test can say what a reader sees and what acts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

OWN_HTML = re.compile(
    r"</?(?:details|sub|strong|del|ins)>|<br>|(?:<details>)?<summary>[^<>]*</summary>\s*|</details>\s*",
    re.ASCII,
)


def parser(*, html: bool = True) -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": html, "breaks": True}).enable(["table", "strikethrough"])


@lru_cache(maxsize=4)
def tokens(markdown: str) -> list[Token]:
    """Parsed once, however many questions a test asks about it."""
    return parser().parse(markdown)


def text_of(token: Token) -> str:
    """What a reader sees of an inline token."""
    parts = []
    for child in token.children or ():
        if child.type in {"text", "code_inline"}:
            parts.append(child.content)
        elif child.type in {"softbreak", "hardbreak"}:
            parts.append("\n")
    return "".join(parts)


@dataclass(frozen=True)
class Row:
    cells: tuple[str, ...]
    columns: int


def rows(markdown: str) -> Iterator[Row]:
    """Every row of every table, with the number of columns of its header."""
    columns = 0
    cells: list[str] = []
    in_head = False
    for token in tokens(markdown):
        if token.type == "thead_open":
            in_head = True
        elif token.type == "thead_close":
            in_head = False
        elif token.type == "tr_open":
            cells = []
        elif token.type == "inline":
            cells.append(text_of(token))
        elif token.type == "tr_close":
            columns = len(cells) if in_head else columns
            yield Row(tuple(cells), columns)


def html(markdown: str) -> list[str]:
    """Every piece of raw HTML."""
    found = []
    for token in tokens(markdown):
        if token.type == "html_block":
            found.append(token.content)
        found += [child.content for child in token.children or () if child.type == "html_inline"]
    return found


def foreign_html(markdown: str) -> list[str]:
    return [
        piece
        for piece in html(markdown)
        if not OWN_HTML.fullmatch(piece.strip() + "\n" * piece.endswith("\n"))
    ]


def targets(markdown: str) -> list[str]:
    """Where links and images lead."""
    found = []
    for token in tokens(markdown):
        for child in token.children or ():
            target = child.attrGet("href") or child.attrGet("src")
            if target:
                found.append(str(target))
    return found


def pipes(line: str) -> int:
    """Cell borders of a table's line: pipes without a backslash before them."""
    return len(re.findall(r"(?<!\\)(?:\\\\)*\|", line))


def is_whole(markdown: str) -> None:
    """Fails unless the Markdown is in one piece: equal cells per row, folds closed, nothing foreign."""
    for line in markdown.splitlines():
        if line.startswith("|"):
            assert line.endswith("|"), line
    tables = [block.splitlines() for block in re.findall(r"(?:^\|.*\n)+", markdown, re.MULTILINE)]
    for table in tables:
        assert len({pipes(line) for line in table}) == 1, table
    assert all(len(row.cells) == row.columns for row in rows(markdown))
    assert markdown.count("<details>") == markdown.count("</details>")
    assert markdown.count("```") % 2 == 0
    assert foreign_html(markdown) == []
