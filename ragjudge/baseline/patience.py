"""How long to wait before trying again to move a branch that somebody else moved."""

from collections.abc import Callable
from dataclasses import dataclass

MOST_TRIES = 40
FIRST_WAIT_S = 0.2
LONGEST_WAIT_S = 5.0


@dataclass(frozen=True, slots=True)
class Patience:
    """`sleep` takes seconds; `random` gives the jitter, in [0, 1)."""

    sleep: Callable[[float], None]
    random: Callable[[], float]

    def after(self, tries: int) -> None:
        self.sleep(min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0**tries) * (0.5 + self.random()))


MOST_EQUAL = 5
"""Refusals with the same head, over about three seconds, before it is no race: a lock may be held for a moment, and a
server may show for a second what was there before.
"""


class Race:
    """Tells writers who are faster from a refusal that lasts: with the former, the branch's head moves on."""

    def __init__(self) -> None:
        self._heads: list[str | None] = []

    def is_none(self, head: str | None) -> bool:
        """After one more refusal, made from this head (None: no branch yet)."""
        self._heads = [*self._heads, head] if self._heads[-1:] == [head] else [head]
        return len(self._heads) >= MOST_EQUAL
