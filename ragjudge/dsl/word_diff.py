"""Two texts side by side, word by word; Japanese is parted where the kind of its characters changes."""

import difflib
import re
from dataclasses import dataclass
from itertools import chain, islice
from typing import Literal, NamedTuple

_WORD = re.compile(
    r"\s+|[A-Za-z0-9_.%-]+|[\u3040-\u309f]+|[\u30a0-\u30ff\uff66-\uff9f]+|[\u4e00-\u9fff々]+|.", re.DOTALL
)
_SENTENCE = re.compile(r"[^\n。.!?！？]*[\n。.!?！？]+|[^\n。.!?！？]+")
MOST_WORDS = 2_000
"""Of both texts together; the time grows with the square. Longer texts are compared by sentences first."""
MOST_SENTENCES = 4_000
_CONTEXT = 24
_GAP = "…"
_RELATED = 0.3
"""Where less than this share of the shorter text stays, both are shown whole, one after the other."""
_CRUMB = 3
_ENDS = ("\n", "。", "！", "？")

_Kind = Literal["same", "gone", "new"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text that stays, goes or comes."""

    kind: _Kind
    text: str


def word_diff(old: str, new: str) -> tuple[Piece, ...]:
    """The pieces in reading order. Of what stays, only some characters around each change are kept."""
    runs = _runs(old, new)
    kept = sum(len(run.old) for run in runs if run.same)
    if kept < _RELATED * min(len(old), len(new)):
        runs = [_Run(old, new)]
    pieces = _pieces(_slid(_joined(runs)))
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


def _runs(old: str, new: str) -> list[_Run]:
    """By words; a long text by sentences, and by words in those that changed; a huge one as a whole."""
    if _count(_WORD, old, new, MOST_WORDS) <= MOST_WORDS:
        return _compared(_WORD.findall(old), _WORD.findall(new))
    if _count(_SENTENCE, old, new, MOST_SENTENCES) > MOST_SENTENCES:
        return [_Run(old, new)]
    found: list[_Run] = []
    for run in _compared(_SENTENCE.findall(old), _SENTENCE.findall(new)):
        short = not run.same and _count(_WORD, *run, MOST_WORDS) <= MOST_WORDS
        found += _compared(_WORD.findall(run.old), _WORD.findall(run.new)) if short else [run]
    return found


def _count(unit: re.Pattern[str], old: str, new: str, most: int) -> int:
    """How many units both texts have; counts no further than one above `most`."""
    return sum(1 for _ in islice(chain(unit.finditer(old), unit.finditer(new)), most + 1))


def _compared(before: list[str], after: list[str]) -> list[_Run]:
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    return [_Run("".join(before[a:b]), "".join(after[c:d])) for _, a, b, c, d in matcher.get_opcodes()]


def _joined(found: list[_Run]) -> list[_Run]:
    """Changes that only a few characters part are one, so that a reader gets phrases and not crumbs."""
    runs: list[_Run] = []
    for number, run in enumerate(found):
        crumb = run.same and len(run.old.strip()) < _CRUMB and "\n" not in run.old
        between = crumb and 0 < number < len(found) - 1
        goes_on = bool(runs) and (runs[-1].same == run.same or (between and not runs[-1].same))
        if goes_on:
            runs[-1] = _Run(runs[-1].old + run.old, runs[-1].new + run.new)
        else:
            runs.append(run)
    return runs


def _slid(runs: list[_Run]) -> list[_Run]:
    """What only went or only came is moved to where a sentence or line ends, if it reads the same there."""
    slid = list(runs)
    for n in range(1, len(slid) - 1):
        run, before, after = slid[n], slid[n - 1], slid[n + 1]
        text = run.old or run.new
        if (run.old and run.new) or not (before.same and after.same) or text.endswith(_ENDS):
            continue
        for k in range(1, min(len(text), len(after.old), _CONTEXT)):
            if after.old[:k] != text[:k]:
                break
            if text[:k].endswith(_ENDS):
                moved, head, rest = text[k:] + text[:k], before.old + text[:k], after.old[k:]
                slid[n - 1], slid[n + 1] = _Run(head, head), _Run(rest, rest)
                slid[n] = _Run(moved, "") if run.old else _Run("", moved)
                break
    return slid


def _pieces(runs: list[_Run]) -> list[Piece]:
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
