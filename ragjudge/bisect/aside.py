"""The run's journal for answers that are none of the check's: under names that nothing else reads."""

from ragjudge.ports import JournalSink, Remembered
from ragjudge.results.answer import Answer
from ragjudge.results.outcome import Outcome
from ragjudge.results.run import AppFailure
from ragjudge.results.usage import Usage


class AsideJournal:
    """A `ports.JournalSink` under a prefix of its own: the digest of the DSL that was asked.

    `spent` is what the check and earlier changes have paid: one budget holds for all.
    """

    def __init__(self, journal: JournalSink, digest: str, spent: Usage) -> None:
        self._journal = journal
        self._prefix = f"alone-{digest[:16]}-"
        self._spent = spent

    @property
    def spent(self) -> Usage:
        return self._spent

    def remembered(self, case_id: str, attempt: str) -> Remembered:
        return self._journal.remembered(case_id, self._prefix + attempt)

    def asking(self, case_id: str, attempt: str) -> None:
        self._journal.asking(case_id, self._prefix + attempt)

    def answered(self, case_id: str, attempt: str, answer: Answer | AppFailure) -> None:
        self._journal.answered(case_id, self._prefix + attempt, answer)

    def scored(self, case_id: str, attempt: str, metric: str, outcome: Outcome) -> None:
        self._journal.scored(case_id, self._prefix + attempt, metric, outcome)
