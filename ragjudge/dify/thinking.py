"""Tell what a model thought from what it said: reasoning blocks are kept raw, but only the rest is judged."""

import re

_TAG = re.compile(
    r"(?P<code>```.*?(?:```|\Z)|`[^`\n]*`)"
    r"|(?P<open><think(?:ing)?>)"
    r"|(?P<close></think(?:ing)?>)",
    re.IGNORECASE | re.DOTALL,
)
_FOLDED = re.compile(
    r"<details[^>]*>\s*<summary>\s*Thinking\.\.\.\s*</summary>.*?(?:</details>|\Z)", re.IGNORECASE | re.DOTALL
)
"""How Dify showed reasoning before 1.0."""


def without_thinking(text: str) -> str:
    """The text a user reads.

    Handles several blocks, nested ones, a block that was never closed (all of it is reasoning) and a lone closing
    tag (the opening one stood in the prompt). Tags inside code stay, except in a block.
    """
    if "<" not in text:
        return text
    said = _outside_blocks(_FOLDED.sub("", text))
    return said.strip() if said != text else text


def _outside_blocks(text: str) -> str:
    kept: list[str] = []
    depth = position = start = 0
    while match := _TAG.search(text, position):
        position = match.end()
        if match["open"]:
            if depth == 0:
                kept.append(text[start : match.start()])
            depth += 1
        elif match["close"]:
            if depth == 0:
                kept.clear()
            depth = max(0, depth - 1)
            start = match.end()
        elif depth:
            position = match.start() + 1
    if depth == 0:
        kept.append(text[start:])
    return "".join(kept)
