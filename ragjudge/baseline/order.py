"""Whose turn it is: an update that comes late, for an older commit, must not replace a newer baseline."""

from collections.abc import Callable
from dataclasses import dataclass

from ragjudge.baseline.update import LONGEST_HISTORY, entry_of
from ragjudge.language import Text
from ragjudge.results.baseline import Baseline
from ragjudge.results.run import RunResult


@dataclass(frozen=True, slots=True)
class Turn:
    """The commit of the branch that an update is for; None where a person decides what is stored.

    `came_before(commit, other)` tells which of two commits is older, None where that is not known.
    """

    commit: str | None = None
    came_before: Callable[[str, str], bool | None] | None = None

    def is_over(self, stored: Baseline | None, run: RunResult | None) -> bool:
        """The stored baseline is for a later commit. Where that is not known: it is of a run that began later.

        `run` is what would be stored; None: a run that is yet to be made.
        """
        if stored is None or self.commit is None:
            return False
        theirs = stored.for_commit or stored.run.commit
        if theirs == self.commit:
            return False
        known = self.came_before(self.commit, theirs) if self.came_before and theirs else None
        if known is None:
            return run is not None and run.started_at < stored.run.started_at
        return known


BY_HAND = Turn()


def with_past(stored: Baseline, run: RunResult) -> Baseline:
    """The stored baseline as it is; the run that came late is one more entry of its history, once."""
    late = entry_of(run, at=run.finished_at)
    if any((entry.commit, entry.means) == (late.commit, late.means) for entry in stored.history):
        return stored
    history = sorted((*stored.history, late), key=lambda entry: entry.at)
    return stored.model_copy(update={"history": tuple(history)[-LONGEST_HISTORY:]})


def left_alone(stored: Baseline) -> Text:
    """Why a baseline was left as it is."""
    commit = (stored.for_commit or stored.run.commit or "?")[:12]
    return Text(
        f"The baseline was left as it is: it is of a newer commit ({commit}) than this update.",
        f"ベースラインは変更していません。保存済みのもの({commit})が、この更新より新しいコミットのものだからです。",
    )
