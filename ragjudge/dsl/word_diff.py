"""Two texts side by side, word by word; Japanese is parted where the kind of its characters changes."""

import difflib
import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

_WORD = re.compile(
    r"\s+|[A-Za-z0-9_.%-]+|[\u3040-\u309f]+|[\u30a0-\u30ff\uff66-\uff9f]+|[\u4e00-\u9fff々]+|.", re.DOTALL
)
MOST_WORDS = 20_000
_CONTEXT = 24
_GAP = "…"
_RELATED = 0.3
"""Below this share of common words two texts are shown whole, one after the other."""
_CRUMB = 3

_Kind = Literal["same", "gone", "new"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text that stays, goes or comes."""

    kind: _Kind
    text: str


def word_diff(old: str, new: str) -> tuple[Piece, ...]:
    """The pieces in reading order. Of what stays, only some characters around each change are kept."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    if len(before) + len(after) > MOST_WORDS:
        before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    if matcher.ratio() < _RELATED:
        return tuple(Piece(kind, text) for kind, text in _both(old, new) if text)
    pieces = _joined(_runs(before, after, matcher))
    last = len(pieces) - 1
    return tuple(
        piece if piece.kind != "same" else Piece("same", _shortened(piece.text, first=n == 0, last=n == last))
        for n, piece in enumerate(pieces)
    )


def _both(old: str, new: str) -> tuple[tuple[_Kind, str], tuple[_Kind, str]]:
    return ("gone", old), ("new", new)


class _Run(NamedTuple):
    """What stood here and what stands here now; equal where nothing changed."""

    old: str
    new: str

    @property
    def same(self) -> bool:
        return self.old == self.new


def _runs(before: list[str], after: list[str], matcher: "difflib.SequenceMatcher[str]") -> list[_Run]:
    """Changes that only a few characters part are one, so that a reader gets phrases and not crumbs."""
    runs: list[_Run] = []
    found = [_Run("".join(before[a:b]), "".join(after[c:d])) for _, a, b, c, d in matcher.get_opcodes()]
    for number, run in enumerate(found):
        crumb = run.same and len(run.old.strip()) < _CRUMB and "\n" not in run.old
        between = crumb and 0 < number < len(found) - 1
        if runs and not runs[-1].same and (between or not run.same):
            runs[-1] = _Run(runs[-1].old + run.old, runs[-1].new + run.new)
        else:
            runs.append(run)
    return runs


def _joined(runs: list[_Run]) -> list[Piece]:
    pieces: list[Piece] = []
    for run in runs:
        kinds: tuple[tuple[_Kind, str], ...] = (("same", run.old),) if run.same else _both(run.old, run.new)
        pieces += [Piece(kind, text) for kind, text in kinds if text]
    return pieces


def _shortened(text: str, *, first: bool, last: bool) -> str:
    if first and last:
        return text
    if first:
        return text if len(text) <= _CONTEXT else _GAP + text[-_CONTEXT:]
    if last:
        return text if len(text) <= _CONTEXT else text[:_CONTEXT] + _GAP
    return text if len(text) <= 2 * _CONTEXT else text[:_CONTEXT] + _GAP + text[-_CONTEXT:]
