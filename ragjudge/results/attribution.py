"""Which change of the app breaks which cases: found by asking the regressed cases of apps with one change each."""

from dataclasses import dataclass

from ragjudge.language import Text


@dataclass(frozen=True, slots=True)
class Alone:
    """One change, applied alone to the base's DSL. `name` begins in lower case.

    `tried` are the cases that were scored so, `broken` those of them that got worse; worst of the check first.
    """

    name: Text
    changes: tuple[Text, ...] = ()
    """The change in words."""
    tried: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    why_not: Text | None = None
    """Why it was not tried, or not on every case."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """It decides nothing: no gate looks at it.

    `cases`: the regressed ones and then the suspects, worst first. `unchanged`: the base as it is, asked where every
    change alone broke a case. `why_not`: why no change was tried.
    """

    cases: tuple[str, ...] = ()
    alone: tuple[Alone, ...] = ()
    unchanged: Alone | None = None
    why_not: Text | None = None
    questions: int = 0
    judge_tokens: int = 0
    """What it took, beyond what the run's record counts."""

    def broken_by(self, case_id: str) -> tuple[Alone, ...]:
        return tuple(one for one in self.alone if case_id in one.broken)

    @property
    def together(self) -> tuple[str, ...]:
        """Cases that every change alone leaves as they were."""
        return tuple(c for c in self._tried_everywhere if not self.broken_by(c))

    @property
    def by_every(self) -> tuple[str, ...]:
        """Cases that every change alone breaks: it may be none of them."""
        return tuple(c for c in self._tried_everywhere if len(self.broken_by(c)) == len(self.alone))

    @property
    def open(self) -> tuple[str, ...]:
        """Cases that some change was tried on and none breaks, while another was not tried."""
        return tuple(c for c in self.asked if not self.broken_by(c) and c not in self.together)

    @property
    def asked(self) -> tuple[str, ...]:
        """Cases that some change was tried on."""
        return tuple(c for c in self.cases if any(c in one.tried for one in self.alone))

    @property
    def _tried_everywhere(self) -> tuple[str, ...]:
        return tuple(c for c in self.cases if self.alone and all(c in one.tried for one in self.alone))
