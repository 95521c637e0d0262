"""`ragjudge dsl`: what changed in a DSL export, what is broken in it, and its way onto a staging app."""

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragjudge.cli import dsl_push, git_files, options
from ragjudge.errors import DslFault, Problem, UsageFault
from ragjudge.exit_codes import ExitCode
from ragjudge.language import Language, Text, why_not

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ragjudge.dsl.findings import Finding
    from ragjudge.dsl.load import Dsl
    from ragjudge.settings import Settings


@click.group(short_help="Compare, check and push DSL exports / DSLの差分・検査・反映")
def command() -> None:
    """Compare and check Dify DSL exports, and push one to a staging app.

    DifyのDSLファイルの差分表示と検査、ステージング用アプリへの反映を行います。
    """


command.add_command(dsl_push.command)


@command.command("diff", short_help="What changed, in words / 変更点を言葉で表示")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@options.config
@options.language
def diff(old: str, new: str, **params: object) -> int:
    """Say in words what changed from OLD to NEW: files, or `REVISION:FILE` of this Git repository.

    OLDからNEWへの変更点を言葉で示します。ファイルのほか、Gitの「リビジョン:ファイル」も指定できます。
    """
    from ragjudge.cli import loading
    from ragjudge.dsl import told
    from ragjudge.dsl.changes import changes
    from ragjudge.report import escape

    language = loading.load_settings(options.chosen(params), os.environ).settings.report.language
    for line in told.lines(changes(_read(old), _read(new))):
        click.echo(escape.log_line(line.in_language(language)))
    return ExitCode.OK


@command.command("lint", short_help="What is broken, before it runs / 実行前の検査")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "--server/--no-server",
    default=None,
    help="Ask the Dify server, too (default: with dsl.preview) / Difyサーバーとも照合する",
)
@options.config
@options.language
def lint(files: tuple[str, ...], server: bool | None, **params: object) -> int:
    """Check exports (files or patterns such as 'dify/*.yml'; default: `dsl.files` of the config).

    Exit 2 where something is broken. With console credentials the target server is asked for its DSL version and its
    plugins.

    DSLファイルを検査します('dify/*.yml' のようなパターンも可、省略時は設定の dsl.files)。管理画面の認証情報があれば、
    サーバーのDSLバージョンとプラグインも確認します。
    """
    from ragjudge.cli import loading, target_server
    from ragjudge.dsl.findings import Severity, levels
    from ragjudge.dsl.lint import lint as found_in

    loaded = loading.load_settings(options.chosen(params), os.environ)
    settings, language = loaded.settings, loaded.settings.report.language
    paths = _files(files or _configured(settings))
    severity = levels(settings.dsl.severity)
    wanted = settings.dsl.preview if server is None else server
    target = target_server.asked(loaded, partial(_warn, language)) if wanted else None
    dsl, plugins = (target.dsl, target.plugins) if target else (None, None)
    worst = ExitCode.OK
    faults: list[Problem] = []
    for path in paths:
        try:
            findings = found_in(_read(path), severity=severity, server_dsl=dsl, server_plugins=plugins)
        except DslFault as fault:
            faults += fault.problems
            continue
        _say(path, findings, language)
        if any(finding.severity is Severity.ERROR for finding in findings):
            worst = ExitCode.MUST_CHANGE
    if faults:
        raise DslFault(faults)
    return worst


def _configured(settings: "Settings") -> tuple[str, ...]:
    """The patterns of `dsl.files`. Raises UsageFault without any."""
    if not settings.dsl.files:
        raise UsageFault(
            Text("No DSL file is named.", "DSLファイルが指定されていません。"),
            hint=Text(
                "Give a file, or set dsl.files.", "ファイルを指定するか、dsl.files を設定してください。"
            ),
        )
    return tuple(settings.dsl.files)


def _files(names: "Sequence[str]") -> tuple[str, ...]:
    """Each file once, patterns as in `dsl.files`. Raises DslFault for patterns that name nothing."""
    from glob import has_magic

    from ragjudge.assist import dsl_files

    found: list[str] = []
    faults: list[Problem] = []
    for name in names:
        if not has_magic(name) or Path(name).exists():
            found.append(name)
            continue
        matching = sorted(dsl_files.matches(name, Path()))
        found += matching or ([name] if ":" in name else [])
        if not matching and ":" not in name:
            what = Text(f"No file matches {name!r}.", f"「{name}」に一致するファイルがありません。")
            cure = Text(
                "Check the pattern, which counts from this folder.",
                "パターンを確認してください(現在のフォルダーからの指定です)。",
            )
            faults.append(Problem(what, cure=cure))
    if faults:
        raise DslFault(faults)
    return tuple(dict.fromkeys(found))


def _warn(language: Language, text: Text) -> None:
    from ragjudge.report import escape

    click.echo(f"⚠ {escape.log_line(text.in_language(language))}", err=True)


def _say(path: str, findings: "Sequence[Finding]", language: Language) -> None:
    from ragjudge.cli.findings import line
    from ragjudge.report import escape

    for finding in findings:
        click.echo(line(finding, language))
    if not findings:
        fine = Text("nothing found", "問題は見つかりませんでした")
        click.echo(f"✓ {escape.log_line(path)}: {fine.in_language(language)}")


def _read(name: str) -> "Dsl":
    """A file, or `REVISION:FILE`. Raises DslFault or UsageFault."""
    from ragjudge.dsl.load import load

    if Path(name).exists() or ":" not in name:
        try:
            return load(Path(name).read_bytes(), name)
        except OSError as error:
            raise git_files.unreadable(name, why_not(error)) from None
    revision, _, file = name.partition(":")
    return load(git_files.show(revision, file), name)
