"""Fencing outside text for a judge: random delimiters around it, and nothing inside that looks like one.

The code of a fence is a keyed digest of what it encloses. Nobody who writes an answer or a document can know it
(the key is drawn anew in each process), yet the same material gets the same fence, so that calls that share a
beginning still share a provider's prefix cache.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass

RENDERING = "1"
"""Bumped when fencing or neutralising changes what a judge reads; part of every prompt digest."""

_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_HIDDEN = re.compile(
    "["
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_OPENING = "<＜﹤≪≺〈《«‹⟨⟪❮❰"
_CLOSING = ">＞﹥≫≻〉》»›⟩⟫❯❱"
_RUN = re.compile(f"[{_OPENING}]{{3,}}|[{_CLOSING}]{{3,}}")
_CHAT_MARK = re.compile(
    r"<(?=[|｜])|(?<=[|｜])>|<(?=/?(?:s|think|system|user|assistant|start_of_turn|end_of_turn)\b)"
    r"|<<(?=/?SYS>>)|\[(?=/?(?:INST|SYSTEM|AVAILABLE_TOOLS)\])",
    re.IGNORECASE,
)


def neutralised(text: str) -> str:
    """The same text to a reader, without anything that could pass for a fence or a model's own markers.

    Hidden characters go (zero width, direction marks, tags, variation selectors, controls), every kind of line end
    becomes a newline, runs of three and more angle brackets are pulled apart, and so are chat-template markers.
    """
    text = _LINE_ENDS.sub("\n", text)
    text = _SURROGATE.sub("\ufffd", _HIDDEN.sub("", text))
    text = _RUN.sub(lambda run: " ".join(run.group()), text.replace("⋘", "<<<").replace("⋙", ">>>"))
    return _CHAT_MARK.sub(lambda mark: " ".join(mark.group()) + " " if mark.group() != ">" else " >", text)


@dataclass(frozen=True, slots=True)
class Fencer:
    """Puts material into fences. `key` must not be known to anyone outside this process."""

    key: bytes

    def fence(self, name: str, text: str) -> str:
        """`text` as quoted material called `name` (a word in capitals)."""
        body = neutralised(text)
        code = self.code(name, body)
        return f"<<<{name} {code}\n{body}\n{code} {name}>>>"

    def code(self, name: str, body: str) -> str:
        message = f"{name}\n{body}".encode()
        return hmac.new(self.key, message, hashlib.sha256).hexdigest()[:12]
