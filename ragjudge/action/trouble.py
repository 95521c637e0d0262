"""What a step that could not do its job leaves behind: one sentence in log, summary, comment and outputs."""

from collections.abc import Iterator, Sequence

from ragjudge.errors import Problem, RagjudgeError
from ragjudge.exit_codes import ExitCode
from ragjudge.github.commands import Annotation
from ragjudge.language import Language, Text
from ragjudge.ports import Rendered
from ragjudge.report import escape

MOST_LINES = 60
MOST_CHARACTERS = 400
MOST_BODY = 60_000
"""GitHub refuses a comment over 65,536 characters whole; a character that must be escaped takes five and more."""

_TITLES = {
    ExitCode.MUST_CHANGE: Text(
        "ragjudge could not start: something must be changed",
        "ragjudgeを実行できませんでした: 修正が必要です",
    ),
    ExitCode.CANNOT_TELL: Text(
        "ragjudge could not tell: try again later",
        "ragjudgeで判定できませんでした: 時間をおいて再実行してください",
    ),
    ExitCode.FAILED: Text("ragjudge refused", "ragjudgeは実行を中止しました"),
    ExitCode.INTERRUPTED: Text("ragjudge was cancelled", "ragjudgeはキャンセルされました"),
    ExitCode.TERMINATED: Text("ragjudge was cancelled", "ragjudgeはキャンセルされました"),
    ExitCode.BUG: Text("ragjudge has a bug", "ragjudgeの不具合です"),
}
BUG = Text(
    "This is our fault, not your app's. Please report it with the lines above (without anything confidential).",
    "アプリではなくragjudgeの問題です。機密情報を除いたうえで、上のログを添えて報告してください。",
)
CANCELLED = Text(
    "The run was cancelled. What was answered and scored so far is in the journal.",
    "実行がキャンセルされました。それまでの回答と採点はジャーナルに残っています。",
)

CANCELLED_UNKEPT = Text(
    "The run was cancelled. With `report.content: scores` no answers are kept: run again.",
    "実行がキャンセルされました。report.content: scores のため回答は残していません。再実行してください。",
)


def told(what: Text, code: ExitCode, language: Language) -> Rendered:
    """The short report in place of a real one. `what` may quote outside text, so that it is shown as plain text."""
    title = _TITLES[code].in_language(language)
    lines = [line.strip() for line in what.in_language(language).splitlines() if line.strip()]
    shown = list(_fitting(lines))
    body = "\n".join(shown if len(shown) == len(lines) else [*shown, f"- … (+{len(lines) - len(shown)})"])
    markdown = f"### ⚠️ {title}\n\n{body}\n"
    return Rendered(
        markdown=markdown,
        comment=lambda: markdown,
        summary=lambda: markdown,
        console=title,
        verdict="inconclusive" if code is ExitCode.CANNOT_TELL else "",
        exit_code=code,
        outputs={
            "verdict": "inconclusive" if code is ExitCode.CANNOT_TELL else "",
            "exit-reason": escape.cut(" ".join(lines), 10 * MOST_CHARACTERS),
        },
    )


def of_error(error: RagjudgeError, language: Language) -> Rendered:
    return told(Text(error.in_language("en"), error.in_language("ja")), error.exit_code, language)


def lines(error: RagjudgeError, language: Language) -> list[str]:
    """One per problem; a fault that is none of several is one line."""
    problems: tuple[Problem, ...] = getattr(error, "problems", ())
    if problems:
        return [problem.in_language(language) for problem in problems]
    return [" ".join(error.in_language(language).split())]


def annotations(error: RagjudgeError, language: Language) -> list[Annotation]:
    """One per problem, on its own line of the user's file where it has one."""
    problems: tuple[Problem, ...] = getattr(error, "problems", ())
    if not problems:
        return [Annotation("error", error.in_language(language), title="ragjudge")]
    return [
        Annotation(
            "error",
            problem.in_language(language),
            title="ragjudge",
            file=problem.place.file if problem.place else "",
            line=problem.place.line if problem.place else None,
        )
        for problem in problems
    ]


def _fitting(lines: Sequence[str]) -> Iterator[str]:
    """Whole lines as they are shown, as many as there is room for."""
    room = MOST_BODY
    for line in lines[:MOST_LINES]:
        shown = _line(escape.cut(line, MOST_CHARACTERS))
        room -= len(shown) + 1
        if room < 0:
            return
        yield shown


def _line(line: str) -> str:
    item = line.startswith("- ")
    return f"{'- ' if item else ''}{escape.markdown(line.removeprefix('- '))}{'' if item else '<br>'}"
