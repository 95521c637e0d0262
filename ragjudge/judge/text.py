"""Japanese and English text as material for comparing wordings: folding, n-grams, content terms. Pure."""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

_TERM = re.compile(
    r"[0-9]+(?:[.,:][0-9]+)*|[a-z][a-z'’]*|[\u30a1-\u30fa\u30fc]+|[\u3400-\u9fff々〆〇]+|[\u3041-\u3096ー]+"
)
_GRAMMAR_EN = frozenset(
    re.findall(
        r"\w+",
        """
        a an the of to in on at by for from with and or but if as is are was were be been being am do does did has
        have had having this that these those it its he she they them his her their we you i me my your our us who
        whom whose which what when where why how there here than then so such can could may might must shall should
        will would not no nor about into over under up down out off again also any all each every some more most
        other own same too very just only please yes s t
        """,
    )
)
_GRAMMAR_KANJI = frozenset(
    {"事", "物", "者", "時", "為", "等", "様", "方", "所", "中", "的", "回答", "質問", "場合"}
)
_SUFFIXES_EN = (
    "ically",
    "ations",
    "ation",
    "ingly",
    "edly",
    "ings",
    "ies",
    "ied",
    "ing",
    "ed",
    "es",
    "ly",
    "s",
)


class Kind(StrEnum):
    NUMBER = "number"
    WORD = "word"
    KATAKANA = "katakana"
    KANJI = "kanji"
    HIRAGANA = "hiragana"


@dataclass(frozen=True, slots=True)
class Term:
    """One piece of content, and how much it says."""

    text: str
    kind: Kind
    weight: float


@lru_cache(maxsize=4096)
def normal(text: str) -> str:
    """One form per character: width, case and compatibility forms folded, white space single."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """Letters and digits only."""
    return "".join(char for char in normal(text) if char.isalnum() or char == "ー")


def grams(plain: str, size: int) -> list[str]:
    """The character n-grams of a folded text; a shorter text is one gram."""
    if len(plain) < size:
        return [plain] if plain else []
    return [plain[start : start + size] for start in range(len(plain) - size + 1)]


@lru_cache(maxsize=4096)
def bigrams(text: str) -> frozenset[str]:
    return frozenset(grams(folded(text), 2))


@lru_cache(maxsize=4096)
def terms(text: str) -> tuple[Term, ...]:
    """Content terms in order: numbers, English words without endings, runs of katakana, kanji and hiragana."""
    found = (_term(match.group()) for match in _TERM.finditer(normal(text)))
    return tuple(term for term in found if term is not None)


@lru_cache(maxsize=4096)
def pieces(text: str) -> tuple[str, ...]:
    """Every run of one script in order, grammar included."""
    return tuple(_TERM.findall(normal(text)))


def is_content(piece: str) -> bool:
    """Does a piece name something? Kana grammar, English grammar and words for "thing" do not."""
    term = _term(piece)
    return term is not None and term.kind is not Kind.HIRAGANA


@lru_cache(maxsize=4096)
def stems(text: str) -> frozenset[str]:
    return frozenset(term.text for term in terms(text) if term.kind is Kind.WORD)


def _term(text: str) -> Term | None:
    first = text[0]
    if first.isdigit():
        return Term(text.replace(",", ""), Kind.NUMBER, 2.0)
    if "a" <= first <= "z":
        grammar = text in _GRAMMAR_EN or text == "cannot" or text.endswith(("n't", "n’t"))
        return None if grammar else Term(stem(text), Kind.WORD, min(1.0 + 0.2 * len(text), 2.4))
    if "\u30a1" <= first <= "\u30fa":
        return Term(text, Kind.KATAKANA, min(0.6 * len(text), 3.0))
    if "\u3041" <= first <= "\u3096" or first == "ー":
        return Term(text, Kind.HIRAGANA, 0.1 * len(text)) if len(text) >= 3 else None
    if text in _GRAMMAR_KANJI:
        return None
    return Term(text, Kind.KANJI, 0.5 if len(text) == 1 else min(0.9 * len(text), 4.5))


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """An English word without its usual endings: close enough to match "approved" with "approval"."""
    word = word.replace("’", "'").removesuffix("'s").replace("'", "")
    for suffix in _SUFFIXES_EN:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith("ss"):
            word = word[: -len(suffix)] + ("y" if suffix in ("ies", "ied") else "")
            break
    return word[:-1] if len(word) > 4 and word[-1] in "ey" else word
