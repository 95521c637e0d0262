"""How the user's own git reaches a remote: what a checkout's config says about it, for a repository elsewhere.

A deploy key in `core.sshCommand`, a credential helper, a token in `http.extraheader` (actions/checkout), a push address
of its own: whoever can `git push` in the checkout can store a baseline from it.
"""

import re
from collections import Counter
from collections.abc import Iterator

REMOTE = "origin"
_ON_THE_WAY = re.compile(
    r"(core\.(sshcommand|askpass|gitproxy)|(credential|http|https|ssh|url|protocol)\..*|"
    rf"remote\.{REMOTE}\.(url|pushurl|proxy|proxyauthmethod|receivepack|uploadpack|serveroption|vcs))",
    re.IGNORECASE | re.DOTALL,
)

Entry = tuple[str, str | None]
"""A key and its value; None where the key stands alone, which means true."""


def entries(listed: bytes) -> list[Entry]:
    """What `git config --list -z` says, in its order."""
    texts = listed.decode("utf-8", "surrogateescape").split("\0")
    return [(key, value if has_value else None) for key, has_value, value in _split(texts)]


def _split(texts: list[str]) -> Iterator[tuple[str, str, str]]:
    return (text.partition("\n") for text in texts if text)


def carried_over(checkout: list[Entry], elsewhere: list[Entry]) -> str:
    """A config file's text for the repository elsewhere: what is on the way to the remote and not seen there anyway."""
    seen = Counter(elsewhere)
    lines = []
    for entry in checkout:
        if seen[entry]:
            seen[entry] -= 1
        elif _ON_THE_WAY.fullmatch(entry[0]):
            lines.append(_written(*entry))
    return "".join(lines)


def _written(key: str, value: str | None) -> str:
    section, _, rest = key.partition(".")
    sub, _, name = rest.rpartition(".")
    head = f'[{section} "{_quoted(sub)}"]' if sub else f"[{section}]"
    return f"{head}\n\t{name}\n" if value is None else f'{head}\n\t{name} = "{_escaped(value)}"\n'


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _escaped(text: str) -> str:
    return _quoted(text).replace("\n", "\\n").replace("\t", "\\t")
