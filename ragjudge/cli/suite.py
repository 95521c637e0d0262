"""`ragjudge suite`: what helps the person who keeps the questions."""

import os
from typing import TYPE_CHECKING

import click

from ragjudge.cli import loading, options, suite_import
from ragjudge.errors import SuiteFault, UsageFault
from ragjudge.exit_codes import ExitCode
from ragjudge.language import Text, why_not

if TYPE_CHECKING:
    from pathlib import Path

    from ragjudge.suite.columns import Columns
    from ragjudge.suite.locating import SuiteFile


@click.group(short_help="Help with the suite's files / テストケースのファイルの補助")
def command() -> None:
    """Help with the suite's files.

    テストケースのファイルを補助するコマンドです。
    """


command.add_command(suite_import.command)


@command.command("ids", short_help="Write an id column / id列を書き込む")
@options.config
@options.language
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--numbers", is_flag=True, help="Count 1, 2, 3 … / 連番を付ける")
@click.option("--dry-run", is_flag=True, help="Only say what would change / 変更せずに内容だけ表示")
def ids(files: tuple[str, ...], numbers: bool, dry_run: bool, **params: object) -> int:
    """Write the missing ids into CSV and Excel files (default: the suite of the config).

    CSVとExcelのテストケースに、足りないidを書き込みます。書式や他のセルは変えません。
    idがあれば、質問を書き直してもベースラインとの対応が保たれます。
    """
    from pathlib import Path

    from ragjudge import settings
    from ragjudge.suite import locating
    from ragjudge.suite.columns import Columns

    chosen = options.chosen({**params, "suite": files})
    configured = loading.load_settings(chosen, os.environ).settings
    settings.require(configured, "suite")
    problems = (columns := Columns(configured.columns)).problems()
    found = locating.find(configured.suite, Path(), problems)
    if problems:
        raise SuiteFault(problems)
    for file in found:
        said = _one(file, columns, counting=numbers, dry_run=dry_run)
        click.echo(said.in_language(configured.report.language))
    return ExitCode.OK


def _one(file: "SuiteFile", columns: "Columns", *, counting: bool, dry_run: bool) -> Text:
    from ragjudge.assist import suite_ids

    name = file.shown
    if file.path.suffix.lower() not in suite_ids.TABLES:
        return Text(f"{name}: not a table, left as it is.", f"{name}: CSV・Excelではないため、変更しません。")
    done = suite_ids.number(_read(file.path), file, columns, counting=counting)
    if not done.written:
        return Text(
            f"{name}: all {done.cases} cases have an id.", f"{name}: {done.cases}件すべてにidがあります。"
        )
    if dry_run:
        return Text(
            f"{name}: {done.written} of {done.cases} cases would get an id.",
            f"{name}: {done.cases}件中{done.written}件にidを書き込みます(今回は変更していません)。",
        )
    _replace(file.path, done.data)
    return Text(
        f"{name}: wrote {done.written} ids ({done.cases} cases).",
        f"{name}: {done.cases}件中{done.written}件にidを書き込みました。",
    )


def _read(path: "Path") -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _trouble(path, error) from None


def _replace(path: "Path", data: bytes) -> None:
    """All or nothing: a half-written workbook would lose the team's questions."""
    beside = path.with_name(path.name + ".ragjudge-tmp")
    try:
        beside.write_bytes(data)
        beside.chmod(path.stat().st_mode & 0o777)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise _trouble(path, error) from None


def _trouble(path: "Path", error: OSError) -> UsageFault:
    return UsageFault(
        Text(f"{path}: {error.strerror}", f"{path}: {why_not(error).ja}"),
        hint=Text(
            "If the file is open in Excel, close it and try again.",
            "Excelで開いている場合は、閉じてからもう一度実行してください。",
        ),
    )
