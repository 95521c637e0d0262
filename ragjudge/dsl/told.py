"""Changes as finished lines for a report or a terminal."""

from collections.abc import Iterable, Sequence

from ragjudge.dsl.changes import Change
from ragjudge.dsl.word_diff import Piece
from ragjudge.language import Language, Text

_MOST = 120
NO_CHANGE = Text("No semantic change.", "動作に関わる変更はありません。")


def lines(found: Sequence[Change]) -> tuple[Text, ...]:
    """One line per change, with the words that went and came; plugin upgrades last, marked as such."""
    ordered = sorted(found, key=lambda change: change.plugin)
    return tuple(_line(change) for change in ordered) or (NO_CHANGE,)


def text(found: Sequence[Change], language: Language) -> str:
    """The lines as one text; empty where nothing changed."""
    return "\n".join(line.in_language(language) for line in lines(found)) if found else ""


def semantic(found: Iterable[Change]) -> bool:
    """Whether anything but plugin versions changed."""
    return any(not change.plugin for change in found)


def _line(change: Change) -> Text:
    words = _words(change.pieces)
    return Text(
        change.text.en + (f": {words}" if words else ""), change.text.ja + (f": {words}" if words else "")
    )


def _words(pieces: Sequence[Piece]) -> str:
    """`−「what went」 ＋「what came」`, each run of changes once."""
    marks = {"gone": "−", "new": "+"}
    shown = [
        f"{marks[p.kind]}「{_cut(p.text.strip())}」" for p in pieces if p.kind != "same" and p.text.strip()
    ]
    return " ".join(shown)


def _cut(text: str) -> str:
    one = " ".join(text.split())
    return one if len(one) <= _MOST else one[:_MOST] + "…"
