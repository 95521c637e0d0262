"""Did you mean …: the known name nearest to a mistyped one."""

import difflib
import re
import unicodedata
from collections.abc import Iterable

from ragjudge.language import Text

_JOINED = re.compile(r"([^:：]+)[:：]\s*(.*)", re.DOTALL)
"""A key with its value still in it: `name:value` without a space (or with a full-width colon) is one word of YAML."""
_SHOWN = 40


def unjoined(key: str) -> tuple[str, str] | None:
    """Name and value of a key that was written together with its value; None where it holds no colon."""
    found = _JOINED.fullmatch(key.strip())
    return (found[1].strip(), found[2].strip()) if found else None


def space_after_colon(key: str) -> Text | None:
    """The cure for such a key."""
    parts = unjoined(key)
    if parts is None:
        return None
    name, value = (part if len(part) <= _SHOWN else part[:_SHOWN] + "…" for part in parts)
    return Text(
        f"Write a space after the colon: `{name}: {value or '…'}`.",
        f"コロンは半角にし、その後に半角の空白を入れてください: 「{name}: {value or '…'}」",
    )


def cure_of_key(key: str, known: Iterable[str]) -> Text:
    """For an unknown key: what its writer most likely meant."""
    if key.isdecimal():
        return Text(
            "Write a number with a point (`3.5`): a comma begins the next entry.",
            "小数は「3.5」のようにピリオドで書いてください。カンマは次の項目との区切りになります。",
        )
    return space_after_colon(key) or did_you_mean(key, known)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The most similar known name, or None where nothing is similar."""
    return next(iter(nearest_few(name, known, most=1)), None)


def nearest_few(name: str, known: Iterable[str], *, most: int) -> tuple[str, ...]:
    """The most similar known names, best first. Case and width (１ for 1) make no difference."""
    by_folded = {_folded(candidate): candidate for candidate in known}
    found = difflib.get_close_matches(_folded(name[:80]), by_folded, n=most, cutoff=0.6)
    return tuple(by_folded[one] for one in found)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def did_you_mean(name: str, known: Iterable[str]) -> Text:
    """A cure for an unknown name: the nearest one, else all that exist."""
    names = list(known)
    guess = nearest(name, names)
    if guess is not None:
        return Text(f"Did you mean {guess!r}?", f"「{guess}」の間違いではありませんか。")
    listed = ", ".join(names[:30])
    return Text(f"Known: {listed}.", f"使える名前: {listed}")
