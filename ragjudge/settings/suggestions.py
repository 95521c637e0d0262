"""Did you mean …: the known name nearest to a mistyped one."""

import difflib
import unicodedata
from collections.abc import Iterable

from ragjudge.language import Text


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
