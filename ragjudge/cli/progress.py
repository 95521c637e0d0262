"""How a run goes on, on stderr: a live bar at a terminal, a line now and then in a log."""

import sys
from typing import Any

from ragjudge.language import Language, Text

SHARE = 10
"""In a log, one line per tenth of the cases."""


class Quiet:
    """Says nothing."""

    def started(self, total: int) -> None:
        pass

    def case_done(self, case_id: str) -> None:
        pass

    def note(self, text: str) -> None:
        pass


class LogProgress:
    """A short line per tenth of the cases. Case ids are never printed: they come from outside."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._total = 0
        self._done = 0

    def started(self, total: int) -> None:
        self._total, self._done = total, 0
        self._say(Text(f"Asking {total} questions", f"質問{total}件を実行します"))

    def case_done(self, case_id: str) -> None:  # noqa: ARG002 - ids come from outside and are not printed
        self._done += 1
        step = max(1, self._total // SHARE)
        if self._done % step == 0 or self._done == self._total:
            self._say(Text(f"{self._done} of {self._total} done", f"{self._total}件中{self._done}件完了"))

    def note(self, text: str) -> None:
        sys.stderr.write(text + "\n")

    def _say(self, text: Text) -> None:
        sys.stderr.write(f"ragjudge: {text.in_language(self._language)}\n")
        sys.stderr.flush()


class BarProgress:
    """A live bar at a terminal."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._bar: Any = None
        self._task: Any = None
        self._total = 0
        self._done = 0

    def started(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        self._stop()
        self._total, self._done = total, 0
        what = Text("Asking and scoring", "質問と採点").in_language(self._language)
        self._bar = Progress(
            TextColumn(what),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._bar.start()
        self._task = self._bar.add_task(what, total=total)

    def case_done(self, case_id: str) -> None:  # noqa: ARG002 - ids come from outside and are not printed
        self._done += 1
        if self._bar is not None:
            self._bar.advance(self._task)
            if self._done >= self._total:
                self._stop()

    def note(self, text: str) -> None:
        if self._bar is None:
            sys.stderr.write(text + "\n")
        else:
            self._bar.console.print(text, markup=False, highlight=False)

    def _stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def progress(language: Language, *, quiet: bool) -> Quiet | LogProgress | BarProgress:
    """The right one for where stderr goes."""
    if quiet:
        return Quiet()
    return BarProgress(language) if sys.stderr.isatty() else LogProgress(language)
