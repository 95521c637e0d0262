"""A comment's Markdown as a page that looks like GitHub's, for the eye and for pictures in the README."""

import re
from pathlib import Path

from markdown_it import MarkdownIt

STYLE = Path(__file__).with_name("github.css")
_ALERT = re.compile(r"<blockquote>\s*<p>\[!(NOTE|IMPORTANT|WARNING|CAUTION)\]\s*(?:<br\s*/?>)?\s*")


def page(markdown: str, *, opened: bool = False) -> str:
    """A whole HTML page. `opened` shows what stands behind folds as well."""
    body = (
        MarkdownIt("commonmark", {"html": True, "breaks": True})
        .enable(["table", "strikethrough"])
        .render(markdown)
    )
    body = _ALERT.sub(_alert, body)
    if opened:
        body = body.replace("<details>", "<details open>")
    return (
        f'<!doctype html><html><head><meta charset="utf-8"><style>{STYLE.read_text(encoding="utf-8")}</style></head>'
        '<body><div class="comment"><div class="author"><b>github-actions</b> bot</div>'
        f'<div class="body">{body}</div></div></body></html>'
    )


def _alert(found: re.Match[str]) -> str:
    kind = found.group(1)
    return f'<blockquote class="alert {kind.lower()}"><p class="alert-title">{kind.title()}</p><p>'
