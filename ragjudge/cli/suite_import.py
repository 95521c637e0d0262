"""`ragjudge suite import`: cases from what the app and its users know already."""

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragjudge.cli import loading, options
from ragjudge.errors import SuiteFault, UsageFault
from ragjudge.exit_codes import ExitCode
from ragjudge.language import Text, why_not

if TYPE_CHECKING:
    from ragjudge.assist.suite_import import Merge
    from ragjudge.settings import Settings
    from ragjudge.suite import Case, Suite

_LISTED = 20


@click.command("import", short_help="Cases from Dify / Difyからケースを取り込む")
@options.basic
@options.suite
@click.option("--annotations", is_flag=True, help="The app's annotations / アプリの注釈")
@click.option("--feedback", is_flag=True, help="Every rated answer / 評価された回答すべて")
@click.option(
    "--user", "users", multiple=True, metavar="NAME", help="Rated answers of a user / ユーザーの評価済み回答"
)
@click.option("--batch-run", "batch", metavar="FILE", help="Result of a batch run / バッチ実行の結果CSV")
@click.option("--include-user", is_flag=True, help="Personal data, too / 個人情報も含める")
@click.option(
    "--write", "target", metavar="FILE", help="Write the new cases (default: dry run) / 新しいケースの保存先"
)
def command(**params: object) -> int:
    """Show which cases Dify has that the suite has not; with --write, put them into a new JSON file.

    Difyの注釈・評価済みの回答・バッチ実行の結果のうち、まだテストケースにないものを表示します。
    --write を付けると新しいJSONファイルに保存します(既存のケースは変更しません)。
    """
    from ragjudge import settings
    from ragjudge.assist import suite_import

    chosen = options.chosen(params)
    configured = loading.load_settings(chosen, os.environ).settings
    language = configured.report.language
    found = list(_from_file(params["batch"], configured)) if isinstance(params["batch"], str) else []
    if params["annotations"] or params["feedback"] or params["users"]:
        # A preview's own app knows no annotations: it is the published app that is read here, with its key.
        published = configured.dsl.model_copy(update={"preview": False})
        settings.require(configured.model_copy(update={"dsl": published}), "app")
        found += asyncio.run(_from_app(configured, params))
    elif not found:
        raise UsageFault(
            Text(
                "Say what to import: --annotations, --feedback, --user or --batch-run.",
                "取り込み元を指定してください: --annotations、--feedback、--user、--batch-run。",
            )
        )
    merge = suite_import.merge(_existing(configured), found)
    click.echo(merge.describe().in_language(language))
    for case in merge.new[:_LISTED]:
        click.echo(f"  {case.id}: {' '.join(case.question.split())[:60]}")
    if isinstance(target := params["target"], str):
        _write(Path(target), merge)
    return ExitCode.OK


async def _from_app(configured: "Settings", params: dict[str, object]) -> list["Case"]:
    from ragjudge import wiring
    from ragjudge.assist import suite_import
    from ragjudge.dify.client import DifyApp

    app = wiring.chat_app(configured)
    assert isinstance(app, DifyApp)
    try:
        await app.probe()
        form = app.profile.form
        privacy = suite_import.Privacy.by_form(form, include_user=bool(params["include_user"]))
        found = [*await suite_import.from_annotations(app.records)] if params["annotations"] else []
        if params["feedback"]:
            found += await suite_import.from_feedback(app.records, privacy)
        users = params["users"]
        if isinstance(users, tuple) and users:
            found += await suite_import.from_users(app.records, users, privacy)
    finally:
        await app.close()
    return found


def _from_file(name: str, configured: "Settings") -> tuple["Case", ...]:
    from ragjudge.assist import suite_import
    from ragjudge.suite.columns import Columns

    try:
        data = Path(name).read_bytes()
    except OSError as error:
        raise UsageFault(
            Text(f"{name} cannot be read ({error.strerror}).", f"{name} を読めません({why_not(error).ja})。")
        ) from error
    return suite_import.from_batch_run(data, name, Columns(configured.columns))


def _existing(configured: "Settings") -> "Suite | None":
    """What there is of the suite by now: the first import is where a suite begins. Raises SuiteFault."""
    from ragjudge.suite.loading import HOLDS_NO_CASE
    from ragjudge.suite.locating import naming_files

    there = naming_files(configured.suite, Path())
    if not there:
        return None
    try:
        return loading.load_suite(configured.model_copy(update={"suite": there}), as_written=True)
    except SuiteFault as fault:
        if [problem.what for problem in fault.problems] == [HOLDS_NO_CASE]:
            return None
        raise


def _write(target: Path, merge: "Merge") -> None:
    """Never over a file that is there: it may hold a person's work."""
    from ragjudge.assist import suite_import

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("x", encoding="utf-8", newline="\n") as file:
            file.write(suite_import.as_json(merge.new))
    except OSError as error:
        raise UsageFault(
            Text(
                f"{target} cannot be written ({error.strerror}).",
                f"{target} に書き込めません({why_not(error).ja})。",
            ),
            hint=Text("Name a new file.", "新しいファイル名を指定してください。"),
        ) from error
