"""What the READMEs quote under "Troubleshooting by error text" is what the program prints."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOT_OURS = {"Resource not accessible by integration"}
"""GitHub's own words, which we only repeat."""
_PLACE = re.compile(r"\{[a-z_]+\}")


def quoted(page: str) -> list[list[tuple[str, str]]]:
    """Per row of the table: English and Japanese texts of which one is empty."""
    text = (ROOT / page).read_text("utf-8")
    table = re.split(r"\n## (?:Troubleshooting|困ったときは)[^\n]*\n", text)[1].split("\n## ")[0]
    return [
        re.findall(r'"([^"]+)"|「([^」]+)」', row.split(" | ")[0]) for row in table.splitlines()[2:] if row
    ]


def wordings() -> Iterator[str]:
    """Every text in the package but its own documentation, with `…` where a value goes."""
    for file in (ROOT / "ragjudge").rglob("*.py"):
        nodes = list(ast.walk(ast.parse(file.read_text("utf-8"))))
        remarks = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        for node in nodes:
            if isinstance(node, ast.JoinedStr):
                yield "".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in remarks:
                yield _PLACE.sub("…", node.value)


@pytest.mark.parametrize("page", ["README.md", "README.ja.md"])
def test_each_text_to_look_up_is_one_that_is_printed(page):
    """Who searches for what is on the screen finds the row."""
    printed = "\n".join(wordings())
    texts = [english or japanese for row in quoted(page) for english, japanese in row]

    assert [text for text in texts if text not in printed and text not in NOT_OURS] == []
    assert len(texts) >= len(quoted(page)) == 7
    assert all(quoted(page))
