"""`ragjudge dsl`: what changed in a DSL export, and what is broken in it."""

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragjudge.cli import options
from ragjudge.errors import Place, Problem, UsageFault
from ragjudge.exit_codes import ExitCode
from ragjudge.language import Text

if TYPE_CHECKING:
    from ragjudge.dsl.load import Dsl


@click.group(short_help="What changed in a DSL export, what is broken / DSLの差分と検査")
def command() -> None:
    """Compare and check Dify DSL exports.

    DifyのDSLファイルの差分表示と検査を行います。
    """


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

    language = loading.load_settings(options.chosen(params), os.environ).settings.report.language
    for line in told.lines(changes(_read(old), _read(new))):
        click.echo(line.in_language(language))
    return ExitCode.OK


@command.command("lint", short_help="What is broken, before it runs / 実行前の検査")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@options.config
@options.language
def lint(files: tuple[str, ...], **params: object) -> int:
    """Check exports (default: `dsl.files` of the config). Exit 2 where something is broken.

    DSLファイルを検査します(省略時は設定の dsl.files)。
    """
    from ragjudge.cli import loading
    from ragjudge.dsl.findings import Severity, levels
    from ragjudge.dsl.lint import lint as found_in

    settings = loading.load_settings(options.chosen(params), os.environ).settings
    language = settings.report.language
    paths = files or tuple(str(p) for pattern in settings.dsl.files for p in sorted(Path().glob(pattern)))
    if not paths:
        raise UsageFault(
            Text("No DSL file is named.", "DSLファイルが指定されていません。"),
            hint=Text(
                "Give a file, or set dsl.files.", "ファイルを指定するか、dsl.files を設定してください。"
            ),
        )
    worst = ExitCode.OK
    for path in paths:
        findings = found_in(_read(path), severity=levels(settings.dsl.severity))
        for finding in findings:
            mark = "✗" if finding.severity is Severity.ERROR else "⚠"
            click.echo(f"{mark} {finding.problem.in_language(language)}")
            worst = ExitCode.MUST_CHANGE if finding.severity is Severity.ERROR else worst
        if not findings:
            fine = Text("nothing found", "問題は見つかりませんでした")
            click.echo(f"✓ {path}: {fine.in_language(language)}")
    return worst


def _read(name: str) -> "Dsl":
    """A file, or `REVISION:FILE`. Raises DslFault or UsageFault."""
    from ragjudge.dsl.load import load

    path = Path(name)
    if path.exists() or ":" not in name:
        try:
            return load(path.read_bytes(), name)
        except OSError as error:
            raise _unreadable(name, error.strerror or "") from None
    revision, _, file = name.partition(":")
    if revision.startswith("-"):
        raise _unreadable(name, "")
    found = subprocess.run(  # noqa: S603 - a revision is no option, see above
        ["git", "show", f"{revision}:{file}"],  # noqa: S607 - the user's own git
        capture_output=True,
        check=False,
    )
    if found.returncode != 0:
        raise _unreadable(name, found.stderr.decode("utf-8", "replace").strip())
    return load(found.stdout, name)


def _unreadable(name: str, why: str) -> UsageFault:
    problem = Problem(Text(f"cannot be read: {why}", f"読み込めません: {why}"), Place(name))
    return UsageFault(Text(problem.in_language("en"), problem.in_language("ja")))
