"""Did you mean …: the known name nearest to a mistyped one."""

import difflib
from collections.abc import Iterable

from ragjudge.language import Text


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The most similar known name, or None where nothing is similar."""
    by_folded = {candidate.casefold(): candidate for candidate in known}
    found = difflib.get_close_matches(name[:80].casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str]) -> Text:
    """A cure for an unknown name: the nearest one, else all that exist."""
    names = list(known)
    guess = nearest(name, names)
    if guess is not None:
        return Text(f"Did you mean {guess!r}?", f"「{guess}」の間違いではありませんか。")
    listed = ", ".join(names[:30])
    return Text(f"Known: {listed}.", f"使える名前: {listed}")
