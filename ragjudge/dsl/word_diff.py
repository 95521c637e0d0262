"""Two texts side by side, word by word; Japanese is parted where the kind of its characters changes."""

import difflib
import re
from dataclasses import dataclass
from typing import Literal

_WORD = re.compile(
    r"\s+|[A-Za-z0-9_.%-]+|[\u3040-\u309f]+|[\u30a0-\u30ff\uff66-\uff9f]+|[\u4e00-\u9fff々]+|.", re.DOTALL
)
MOST_WORDS = 20_000
_CONTEXT = 24
_GAP = "…"


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text that stays, goes or comes."""

    kind: Literal["same", "gone", "new"]
    text: str


def word_diff(old: str, new: str) -> tuple[Piece, ...]:
    """The pieces in reading order. Of what stays, only some characters around each change are kept."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    if len(before) + len(after) > MOST_WORDS:
        before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    pieces: list[Piece] = []
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            pieces.append(Piece("same", "".join(before[a:b])))
            continue
        if b > a:
            pieces.append(Piece("gone", "".join(before[a:b])))
        if d > c:
            pieces.append(Piece("new", "".join(after[c:d])))
    last = len(pieces) - 1
    return tuple(
        piece if piece.kind != "same" else Piece("same", _shortened(piece.text, first=n == 0, last=n == last))
        for n, piece in enumerate(pieces)
    )


def _shortened(text: str, *, first: bool, last: bool) -> str:
    if first and last:
        return text
    if first:
        return text if len(text) <= _CONTEXT else _GAP + text[-_CONTEXT:]
    if last:
        return text if len(text) <= _CONTEXT else text[:_CONTEXT] + _GAP
    return text if len(text) <= 2 * _CONTEXT else text[:_CONTEXT] + _GAP + text[-_CONTEXT:]
