"""The command line's front door: find the command, run it, turn errors into an exit code and a cure.

Commands are imported only when they are called, so that `--version` and `--help` stay quick.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from ragjudge import __version__
from ragjudge.cli.language import configured, spoken
from ragjudge.errors import RagjudgeError
from ragjudge.exit_codes import ExitCode
from ragjudge.language import Language, Text

COMMANDS = {
    "check": ("check", "The whole job: run, compare, confirm, gate, report / 実行・比較・判定"),
    "run": ("run", "Ask and score only, write results / 質問と採点だけ"),
    "compare": ("compare", "Gate stored results against a baseline; no calls / 保存した結果を比較"),
    "merge": ("merge", "Join the shards of one run / 分割した実行結果をまとめる"),
    "report": ("report", "Render stored results again / レポートを作り直す"),
    "baseline": ("baseline", "Update or show the stored baseline / ベースラインの更新と表示"),
    "calibrate": ("calibrate", "The judge against people's scores; no calls / 人の採点との比較"),
    "validate": ("validate", "Check suite and config, no calls / テストケースと設定の検査"),
    "suite": ("suite", "Help with the suite's files / テストケースのファイルの補助"),
    "init": ("init", "Write config, starter suite and workflow / 最初のファイルを作る"),
    "dsl": ("dsl", "Compare, check and push DSL exports / DSLの差分・検査・反映"),
    "doctor": ("doctor", "One line per thing a run needs / 実行に必要なものの確認"),
    "schema": ("schema", "JSON Schemas for editors / エディター用のスキーマ"),
    "demo": ("demo", "The whole story with nothing but this machine / お試し"),
}


JOURNALED = frozenset({"check", "run", "baseline"})
CANCELLED = Text("Cancelled.", "中断しました。")
CAN_GO_ON = Text(
    "Cancelled. What was answered and scored is in the journal: --resume goes on from there.",
    "中断しました。ここまでの回答と採点は記録されています。--resume で続きから再開できます。",
)


class _Lazy(click.Group):
    """Knows its commands by name; imports one when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"ragjudge.cli.{COMMANDS[cmd_name][0]}")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS:
            import difflib

            close = difflib.get_close_matches(args[0], COMMANDS, n=1)
            en, ja = (f" Did you mean {close[0]!r}?", f"「{close[0]}」のことですか?") if close else ("", "")
            what = Text(f"There is no command {args[0]!r}.{en}", f"コマンド「{args[0]}」はありません。{ja}")
            from ragjudge.cli.usage import WrongUsage

            raise WrongUsage(what, ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ragjudge", message="%(prog)s %(version)s")
def group() -> None:
    """Regression tests for RAG chatbots built in Dify.

    DifyのRAGチャットボットのデグレを検出します。
    """


def run(arguments: Sequence[str]) -> int:
    """Run one command; the exit code is the command's, or the error's."""
    speech: dict[str, Language] = {"language": spoken(arguments)}
    try:
        code = group.main(args=list(arguments), standalone_mode=False, obj=speech)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.UsageError as usage:
        from ragjudge.cli.usage import show

        show(usage, configured(arguments) or speech["language"])
        return ExitCode.MUST_CHANGE
    except (click.Abort, KeyboardInterrupt):
        journaled = bool(arguments) and arguments[0] in JOURNALED
        _tell((CAN_GO_ON if journaled else CANCELLED).in_language(speech["language"]))
        return ExitCode.INTERRUPTED
    except RagjudgeError as error:
        _tell(error.in_language(speech["language"]))
        return error.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK
    except Exception:  # noqa: BLE001 - the edge: whatever escapes is our bug, told with the way to report it
        return _bug()
    return int(code or 0)


def _tell(text: str) -> None:
    click.echo(click.style("✗ ", fg="red") + text, err=True)


def _bug() -> int:
    import traceback

    traceback.print_exc()
    click.echo(
        "\nThis is a bug in ragjudge, not in your app. Please report it with the lines above"
        " (remove anything confidential).\n"
        "これはragjudgeの不具合です。上の内容から機密情報を除いて報告してください。",
        err=True,
    )
    return ExitCode.BUG
