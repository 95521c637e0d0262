"""Taking text apart, in Japanese and English alike: search terms and sentences."""

import re
import unicodedata
from collections.abc import Iterator

_RUNS = re.compile(r"[a-z0-9]+|[^\W_a-z0-9]+")
_SENTENCE_END = re.compile(r"(?<=[。！？])(?![」』）])|(?<=[.!?])\s+|\n+")
_HIRAGANA = re.compile(r"[\u3041-\u309fー]+")
_KANJI = re.compile(r"[\u4e00-\u9fff]")
_WORD_END = re.compile(r"(?:ing|ed|es|s)$")

COMMON = frozenset(
    "a an and any are as at be by can do does for from how i if in is it may me must my of on or "  # noqa: SIM905  (a sentence reads better than a list of literals)
    "our shall should that the their them they this to we what when where which who will with you your".split()
)
"""English words that say nothing about the subject; Japanese needs no such list, its particles score low."""


def terms(value: str) -> Iterator[str]:
    """What a passage is found by: English word stems; Japanese bigrams, trigrams and single kanji.

    Pieces of hiragana alone are left out: they are particles and endings, not subjects.
    """
    for run in _RUNS.findall(unicodedata.normalize("NFKC", value).lower()):
        if run[0].isascii():
            if run not in COMMON:
                yield _WORD_END.sub("", run) if len(run) > 4 else run
        else:
            yield from _grams(run)


def _grams(run: str) -> Iterator[str]:
    for size in (1, 2, 3):
        for start in range(len(run) - size + 1):
            gram = run[start : start + size]
            if not _HIRAGANA.fullmatch(gram) and (size > 1 or _KANJI.fullmatch(gram)):
                yield gram


def sentences(value: str) -> list[str]:
    """The sentences of a text, in order, without empty ones; a full stop inside quotes ends none."""
    return [piece.strip() for piece in _SENTENCE_END.split(value) if piece and piece.strip()]


def is_japanese(value: str) -> bool:
    """True where the text holds any kana or kanji."""
    return any("\u3040" <= char <= "\u30ff" or "\u4e00" <= char <= "\u9fff" for char in value)
