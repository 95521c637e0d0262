"""How a run goes on, as plain lines in the step's log: one per tenth of the cases, never a case's own text."""

from collections.abc import Callable

from ragjudge.language import Text

SHARE = 10


class LogProgress:
    """Says a line per tenth of the cases."""

    def __init__(self, say: Callable[[Text], None]) -> None:
        self._say = say
        self._total = 0
        self._done = 0

    def started(self, total: int) -> None:
        self._total, self._done = total, 0
        self._say(Text(f"Asking {total} questions", f"質問{total}件を実行します"))

    def case_done(self, case_id: str) -> None:  # noqa: ARG002 - ids come from outside and are not logged
        self._done += 1
        step = max(1, self._total // SHARE)
        if self._done % step == 0 or self._done == self._total:
            self._say(Text(f"{self._done} of {self._total} done", f"{self._total}件中{self._done}件完了"))

    def note(self, text: str) -> None:
        self._say(Text(text, text))
