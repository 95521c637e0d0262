"""Errors of the command line itself (unknown option, missing argument, bad value), told in the user's language.

Click speaks English; its errors say by their class and parameter what is wrong, so Japanese is made of those and not of
the sentence. What is not known here keeps Click's own words.
"""

import re
from collections.abc import Sequence

import click

from ragjudge.language import Language, Text


class WrongUsage(click.UsageError):
    """A usage error of our own, in both languages."""

    def __init__(self, text: Text, ctx: click.Context | None = None) -> None:
        super().__init__(text.en, ctx)
        self.text = text


def show(error: click.UsageError, language: Language) -> None:
    """On stderr: how the command is used, where its help is, and what is wrong."""
    if language != "ja" or type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        return
    if error.ctx is not None:
        usage = error.ctx.get_usage().removeprefix("Usage:").strip()
        click.echo(f"使い方: {usage}\n「{error.ctx.command_path} --help」で説明を表示します。\n", err=True)
    click.echo(f"エラー: {japanese(error)}", err=True)


def japanese(error: click.UsageError) -> str:
    """The error as one sentence."""
    match error:
        case WrongUsage():
            return error.text.ja
        case click.NoSuchOption():
            near = f"「{error.possibilities[0]}」のことですか?" if error.possibilities else ""
            return f"オプション「{error.option_name}」はありません。{near}"
        case click.MissingParameter():
            return _missing(error)
        case click.BadParameter():
            return _bad(error)
        case click.BadOptionUsage() if "does not take a value" in error.message:
            return f"オプション「{error.option_name}」に値は指定できません。"
        case click.BadOptionUsage():
            return f"オプション「{error.option_name}」の値を指定してください。"
        case _:
            return _plain(error)


_PLAIN = (
    (r"Got unexpected extra arguments? \((?P<it>.*)\)", "余分な引数があります: {it}"),
    (r"No such command '(?P<it>[^']*)'\.(?P<near>.*)", "コマンド「{it}」はありません。"),
    (r"Missing command\.", "コマンドを指定してください。"),
)


def _plain(error: click.UsageError) -> str:
    """Errors that Click tells by their sentence alone."""
    message = error.format_message()
    for pattern, japanese in _PLAIN:
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found:
            return japanese.format(**found.groupdict())
    return message


def _missing(error: click.MissingParameter) -> str:
    kind = "オプション" if isinstance(error.param, click.Option) else "引数"
    return f"{kind}「{_named(error)}」を指定してください。{_wanted(error)}"


def _bad(error: click.BadParameter) -> str:
    wanted = _wanted(error)
    given = re.match(r"(['\"])(?P<it>.*)\1 is not ", error.message, re.DOTALL)
    shown = f" 指定された値: {given['it']}" if given and wanted else ""
    return f"「{_named(error)}」の値が正しくありません。{wanted or error.message}{shown}"


def _wanted(error: click.BadParameter) -> str:
    """What the parameter takes; nothing where its type does not tell."""
    kind = error.param.type if error.param is not None else None
    match kind:
        case click.Choice():
            return f"指定できるのは {'、'.join(map(str, kind.choices))} です。"
        case click.IntRange() | click.FloatRange():
            number = "整数" if isinstance(kind, click.IntRange) else "数値"
            return f"{_range(kind.min, kind.max)}の{number}を指定してください。"
        case click.types.IntParamType():
            return "整数を指定してください。"
        case click.types.FloatParamType():
            return "数値を指定してください。"
        case _:
            return ""


def _range(least: float | None, most: float | None) -> str:
    low = "" if least is None else f"{least:g}以上"
    return low + ("" if most is None else f"{most:g}以下")


def _named(error: click.BadParameter) -> str:
    """The parameter as one types it."""
    hint: str | Sequence[str] = error.param_hint or ""
    if not hint and error.param is not None:
        hint = error.param.get_error_hint(error.ctx) if error.ctx is not None else error.param.name or ""
    return (hint if isinstance(hint, str) else " / ".join(hint)).replace("'", "")
