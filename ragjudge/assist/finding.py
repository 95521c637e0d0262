"""What the doctor found: one line per thing that a run needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from ragjudge.errors import RagjudgeError
from ragjudge.exit_codes import ExitCode
from ragjudge.language import Language, Text
from ragjudge.report import escape


class State(Enum):
    GOOD = "✓"
    WARNING = "!"
    BAD = "✗"
    SKIPPED = "-"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at and found, and how to mend it."""

    state: State
    what: Text
    cure: Text | None = None
    exit_code: ExitCode = ExitCode.MUST_CHANGE
    """Of something bad: CANNOT_TELL where nothing needs to be changed, e.g. a server that is down."""

    def in_language(self, language: Language) -> str:
        cure = f"\n    → {escape.log_line(self.cure.in_language(language))}" if self.cure else ""
        return f"{self.state.value} {escape.log_line(self.what.in_language(language))}{cure}"


def bad(error: RagjudgeError) -> Finding:
    return Finding(State.BAD, error.what, error.hint, error.exit_code)


def exit_code(findings: Sequence[Finding]) -> ExitCode:
    """0 where a run may start; 3 where only other people's servers stand in its way, else 2."""
    found = {finding.exit_code for finding in findings if finding.state is State.BAD}
    if not found:
        return ExitCode.OK
    return ExitCode.CANNOT_TELL if found == {ExitCode.CANNOT_TELL} else ExitCode.MUST_CHANGE
