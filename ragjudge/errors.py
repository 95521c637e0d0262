"""Every exception a user can meet, drawn as a tree. Each knows its exit code and how to mend it.

RagjudgeError
├── MustChange            exit 2: the user must change something
│   ├── UsageFault            a flag or an input of the action
│   ├── ConfigFault           ragjudge.yml or the environment; all problems at once
│   ├── SuiteFault            the suite; all problems at once, each with its place
│   ├── DslFault              a DSL export
│   ├── LabelsFault           people's scores for calibrate; all problems at once
│   ├── StoredFileFault       results or baseline: out of reach, or written by a newer version
│   │   └── DamagedFile           what stands in it cannot be read
│   ├── AppMisconfigured      wrong key, unpublished, API off, wrong kind of app, provider not set up
│   ├── ConsoleMisconfigured  Dify's console: credentials, rights, single sign-on, or what it refuses to do
│   ├── JudgeMisconfigured    wrong key, unknown or retired model, no reply that fits
│   ├── BaselineNotAllowed    the server answered, and said no: rights or a protected branch
│   └── OverBudget            the plan costs more than the config allows
├── CannotTell            exit 3: try later
│   ├── AppUnreachable        no answer from Dify at all
│   ├── ConsoleUnreachable    no usable answer from Dify's console
│   ├── PreviewDisturbed      somebody else changed the app that is being judged
│   ├── AppOutOfQuota
│   ├── JudgeUnreachable
│   ├── JudgeOutOfQuota
│   ├── BaselineUnreachable   not the same as "there is none"
│   ├── GitHubUnreachable
│   └── GitHubRefused         GitHub answered no to one call; the caller says what that means
├── Refused               exit 1: asked for something the gate forbids (a baseline from a failed run)
└── CaseFailure           never leaves the engine: one case or one score could not be had (becomes Unscored)
    ├── AppCouldNotAnswer
    └── JudgeCouldNotScore
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ragjudge.exit_codes import ExitCode
from ragjudge.language import Language, Text


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the user's files a fault sits. Line and cell are as the user's editor shows them (from 1)."""

    file: str
    line: int | None = None
    sheet: str | None = None
    cell: str | None = None

    def __str__(self) -> str:
        if self.cell is not None:
            return f"{self.file}#{self.sheet}!{self.cell}" if self.sheet else f"{self.file}!{self.cell}"
        return self.file if self.line is None else f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One of several faults found at once: what is wrong, where, and what to do."""

    what: Text
    place: Place | None = None
    cure: Text | None = None

    def in_language(self, language: Language) -> str:
        where = f"{self.place}: " if self.place else ""
        cure = f" {self.cure.in_language(language)}" if self.cure else ""
        return f"{where}{self.what.in_language(language)}{cure}"


class RagjudgeError(Exception):
    """Something a user can act on. Anything else that escapes is a bug."""

    exit_code: ExitCode = ExitCode.BUG

    def __init__(self, what: Text, *, hint: Text | None = None) -> None:
        super().__init__(what.en)
        self.what = what
        self.hint = hint

    def in_language(self, language: Language) -> str:
        text = self.what.in_language(language)
        return f"{text}\n  → {self.hint.in_language(language)}" if self.hint else text


class MustChange(RagjudgeError):
    exit_code = ExitCode.MUST_CHANGE


class UsageFault(MustChange):
    pass


class _ManyProblems(MustChange):
    """Carries every problem found, so that a user mends them in one go."""

    title = Text("Problems were found:", "次の問題が見つかりました:")

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(Text(self._listed(problems, "en"), self._listed(problems, "ja")))
        self.problems = tuple(problems)

    @classmethod
    def _listed(cls, problems: list[Problem], language: Language) -> str:
        return "\n".join(
            [cls.title.in_language(language), *(f"  - {p.in_language(language)}" for p in problems)]
        )


class ConfigFault(_ManyProblems):
    title = Text("The configuration needs a change:", "設定を直してください:")


class SuiteFault(_ManyProblems):
    """`notes` are what the readers saw besides, such as hidden rows: often the reason why a case is missed."""

    title = Text("The suite needs a change:", "テストケースを直してください:")

    def __init__(self, problems: list[Problem], notes: Sequence[Text] = ()) -> None:
        super().__init__(problems)
        self.notes = tuple(notes)
        if notes:
            said = [Text("Notes:", "注意:"), *(Text(f"  - {n.en}", f"  - {n.ja}") for n in notes)]
            self.what = Text(
                "\n".join([self.what.en, *(one.en for one in said)]),
                "\n".join([self.what.ja, *(one.ja for one in said)]),
            )


class DslFault(_ManyProblems):
    title = Text("The DSL file needs a change:", "DSLファイルを直してください:")


class LabelsFault(_ManyProblems):
    title = Text("The labels need a change:", "採点ラベルを直してください:")


class StoredFileFault(MustChange):
    pass


class DamagedFile(StoredFileFault):
    pass


class AppMisconfigured(MustChange):
    pass


class ConsoleMisconfigured(MustChange):
    pass


class JudgeMisconfigured(MustChange):
    pass


class BaselineNotAllowed(MustChange):
    pass


class OverBudget(MustChange):
    pass


class CannotTell(RagjudgeError):
    exit_code = ExitCode.CANNOT_TELL


class AppUnreachable(CannotTell):
    pass


class ConsoleUnreachable(CannotTell):
    pass


class PreviewDisturbed(CannotTell):
    pass


class AppOutOfQuota(CannotTell):
    pass


class JudgeUnreachable(CannotTell):
    pass


class JudgeOutOfQuota(CannotTell):
    pass


class BaselineUnreachable(CannotTell):
    pass


class GitHubUnreachable(CannotTell):
    pass


class GitHubRefused(CannotTell):
    """GitHub answered one call with a client error. `status` is the HTTP status, `answer` its shortened words."""

    def __init__(self, what: Text, *, status: int, answer: str, hint: Text | None = None) -> None:
        super().__init__(what, hint=hint)
        self.status = status
        self.answer = answer


class Refused(RagjudgeError):
    exit_code = ExitCode.FAILED


class CaseFailure(RagjudgeError):
    """One case or one score could not be had; the engine turns it into an Unscored value.

    `cause` is a short stable word (see results.outcome.Cause), `passing` tells whether another try may help.
    """

    exit_code = ExitCode.CANNOT_TELL

    def __init__(self, what: Text, *, cause: str, passing: bool = False, hint: Text | None = None) -> None:
        super().__init__(what, hint=hint)
        self.cause = cause
        self.passing = passing


class AppCouldNotAnswer(CaseFailure):
    """`conversation_id`: where the app's own log shows what happened; `asks`: how often the question was begun."""

    conversation_id: str | None = None
    asks: int = 1


class JudgeCouldNotScore(CaseFailure):
    """`spent` is what was paid in vain, by the names of results.usage.Usage (calls, prompt_tokens, …)."""

    spent: Mapping[str, int] = MappingProxyType({})
