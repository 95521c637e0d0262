"""`ragjudge dsl push`: a DSL file onto a staging app, its check during a run, and the way back."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ragjudge.cli import console_address, options
from ragjudge.errors import UsageFault
from ragjudge.exit_codes import ExitCode
from ragjudge.language import Text, why_not

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping

    from ragjudge.dify.console.console import Console
    from ragjudge.preview.restoring import Pushed
    from ragjudge.preview.staging import Push
    from ragjudge.settings import Settings

T = TypeVar("T")

RECORD = ".ragjudge/dsl-push.json"


@click.command("push", short_help="Onto a staging app, verified / ステージング用アプリに反映")
@click.argument("file", required=False, metavar="[FILE]", type=click.Path(path_type=Path))
@click.option("--app", "app_id", metavar="ID", help="The staging app / 反映先アプリのID")
@click.option("--mark", default="ragjudge", show_default=True, help="Version name / バージョン名(20文字まで)")
@click.option("--comment", default="", help="Version comment / バージョンの説明(100文字まで)")
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    default=RECORD,
    show_default=True,
    help="What the push did / 反映の記録ファイル",
)
@click.option("--check", is_flag=True, help="Is our version still served? / 反映した版のままか確認")
@click.option("--restore", is_flag=True, help="Publish the former version again / 元のバージョンに戻す")
@click.option("--force", is_flag=True, help="Restore over another's version / 他の版が公開されていても戻す")
@click.option("--overwrite-draft", is_flag=True, help="Drop unpublished edits / 未公開の編集を破棄する")
@options.config
@options.language
def command(*, file: Path | None, record: Path, check: bool, restore: bool, **params: object) -> int:
    """Overwrite a staging app with FILE, publish it, and verify what is served.

    Needs DIFY_CONSOLE_EMAIL and DIFY_CONSOLE_PASSWORD (or DIFY_ADMIN_API_KEY and DIFY_WORKSPACE_ID).
    Prints the workflow id, for app.workflow_id; --record keeps what --check and --restore need.

    ステージング用アプリをFILEの内容で上書きして公開し、公開された内容を確認します。
    """
    from ragjudge.cli import loading

    given = loading.load_settings(options.chosen(params), os.environ)
    settings, language = given.settings, given.settings.report.language
    console_address.refuse_proposed(given)
    if check or restore:
        before = _recorded(record)
        said = _back(settings, before, record, params) if restore else _still(settings, before)
        click.echo(said.in_language(language))
        return ExitCode.OK
    done = _push(settings, _wanted(file, params), record)
    click.echo(done.workflow_id or done.app_id)
    for path in done.differing:
        click.echo(_changed_by_server(path).in_language(language), err=True)
    return ExitCode.OK


def _wanted(file: Path | None, params: "Mapping[str, object]") -> "Push":
    from ragjudge.preview import secrets
    from ragjudge.preview.staging import Push

    if file is None or not params["app_id"]:
        raise UsageFault(
            Text(
                "A file and --app are needed (or --check, --restore).",
                "ファイルと --app を指定してください(または --check、--restore)。",
            )
        )
    return Push(
        content=_content(file),
        file=file.as_posix(),
        app_id=str(params["app_id"]),
        mark=str(params["mark"]),
        comment=str(params["comment"]),
        secrets=secrets.from_environ(os.environ),
        overwrite_draft=bool(params["overwrite_draft"]),
    )


def _push(settings: "Settings", wanted: "Push", record: Path) -> "Pushed":
    from ragjudge.preview import staging

    def keep(done: "Pushed") -> None:
        _record(record, done)

    return _at_console(settings, lambda console: staging.push(console, wanted, keep=keep))


def _record(path: Path, done: "Pushed") -> None:
    from ragjudge.publish import write_file

    write_file(path, done.model_dump_json(indent=1))


def _still(settings: "Settings", before: "Pushed") -> Text:
    from ragjudge.preview import restoring

    _at_console(settings, lambda console: restoring.check(console, before))
    return Text("The app still serves what was pushed.", "反映した内容のまま公開されています。")


def _back(settings: "Settings", before: "Pushed", record: Path, params: "Mapping[str, object]") -> Text:
    from ragjudge.preview import restoring

    if before.restored and not params["force"]:
        return Text(
            "The push was restored before: there is nothing to do.",
            "この push はすでに元に戻されています。何もする必要はありません。",
        )
    allowed = {name: bool(params[name]) for name in ("force", "overwrite_draft")}
    version = _at_console(settings, lambda console: restoring.restore(console, before, **allowed))
    _record(record, before.model_copy(update={"restored": True}))
    again = f" ({version.id})" if version else ""
    return Text(
        f"The former version is published again{again}.", f"元のバージョンを公開し直しました{again}。"
    )


def _at_console(settings: "Settings", work: "Callable[[Console], Coroutine[Any, Any, T]]") -> "T":
    from ragjudge.dify.console import credentials
    from ragjudge.preview import secrets
    from ragjudge.preview.leased import at_console
    from ragjudge.wiring import SystemClock

    given = credentials.from_environ(os.environ)
    if given is None:
        raise UsageFault(
            Text("No console credentials are given.", "管理画面の認証情報がありません。"),
            hint=Text(
                "Set DIFY_CONSOLE_EMAIL and DIFY_CONSOLE_PASSWORD, or DIFY_ADMIN_API_KEY and DIFY_WORKSPACE_ID.",
                "DIFY_CONSOLE_EMAIL と DIFY_CONSOLE_PASSWORD、または DIFY_ADMIN_API_KEY と DIFY_WORKSPACE_ID を"
                "設定してください。",
            ),
        )
    values = tuple(value.get_secret_value() for value in secrets.from_environ(os.environ).values())
    return at_console(settings, given, work, clock=SystemClock(), secrets=values)


def _recorded(path: Path) -> "Pushed":
    from pydantic import ValidationError

    from ragjudge.preview.restoring import Pushed

    try:
        return Pushed.model_validate_json(_content(path))
    except ValidationError:
        raise UsageFault(
            Text(f"{path} is no record of a push.", f"{path} は push の記録ファイルではありません。"),
            hint=Text("Give the file that the push wrote.", "push が書き出したファイルを指定してください。"),
        ) from None


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageFault(
            Text(f"{path} cannot be read ({error.strerror}).", f"{path} を読めません({why_not(error).ja})。")
        ) from None


def _changed_by_server(path: str) -> Text:
    return Text(
        f"The server changed {path} while importing.", f"取り込み時に、サーバーが {path} を変更しました。"
    )
