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
