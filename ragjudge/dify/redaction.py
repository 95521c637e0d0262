"""What a server said, fit to be shown: one short line without keys. An error body may echo a request's headers."""

import re

from ragjudge.dify.wire import clean
from ragjudge.redaction import REDACTED, Redactor

_KEYS = re.compile(r"(?i)\b(bearer\s+)\S+|\b(?:app|dataset|sk|gh[pousr])[-_][A-Za-z0-9_-]{8,}")
_TAGS = re.compile(r"<(?:script|style)\b.*?</(?:script|style)>|<[^>]{0,500}>", re.IGNORECASE | re.DOTALL)
_MOST = 300


def said(text: str, *, secret: str = "") -> str:
    """At most 300 characters, one line, the app's own key and everything that looks like a key replaced."""
    text = clean(text[: 20 * _MOST])
    if secret:
        text = Redactor((secret,))(text.replace(secret, REDACTED))
    text = _KEYS.sub(lambda match: f"{match[1] or ''}***", text)
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= _MOST else f"{line[: _MOST - 1]}…"


def page_title(html: str) -> str:
    """The words of an HTML page's title, or of the page."""
    head = html[:20_000]
    title = re.search(r"<title[^>]*>(.*?)</title>", head, re.IGNORECASE | re.DOTALL)
    return " ".join((title[1] if title else _TAGS.sub(" ", head)).split())[:100]
