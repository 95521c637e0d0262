"""`ragjudge doctor`: try out once what a run needs."""

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragjudge.cli import loading, options

if TYPE_CHECKING:
    from ragjudge.assist.finding import Finding
    from ragjudge.dsl.load import Dsl
    from ragjudge.settings import Loaded, Settings
    from ragjudge.suite import Suite


@click.command("doctor", short_help="One line per thing a run needs / 実行に必要なものの確認")
@options.basic
@options.cases
@options.judging
@options.baseline
def command(**params: object) -> int:
    """Ask one question, and say what works and how to mend the rest. The question is taken back afterwards.

    With dsl.preview the console and the DSL files are looked at instead, and nothing is asked.

    1問だけ質問して、実行に必要なものを1行ずつ確認し、直し方を示します。確認に使った会話は削除します。
    dsl.preview が有効な場合は、質問の代わりに管理画面とDSLファイルを確認します。
    """
    from ragjudge import settings, wiring
    from ragjudge.assist import doctor, finding
    from ragjudge.suite import Suite

    chosen = options.chosen(params)
    loaded = loading.load_settings(chosen, os.environ)
    configured = loaded.settings
    settings.require(configured, "app", "judge")
    suite = Suite(name="", cases=())
    if configured.suite:
        suite = loading.select_cases(loading.load_suite(configured), chosen)
    console = _console(loaded, suite) if configured.dsl.preview else ()
    findings = asyncio.run(_examined(configured, suite, console))
    redact = wiring.redactor(configured, *_console_secrets())
    click.echo(redact(doctor.rendered(findings, configured.report.language)))
    return finding.exit_code(findings)


async def _examined(
    configured: "Settings", suite: "Suite", console: "tuple[Finding, ...]"
) -> "tuple[Finding, ...]":
    from ragjudge import wiring
    from ragjudge.assist import doctor
    from ragjudge.dify.client import DifyApp

    app = None if configured.dsl.preview else wiring.chat_app(configured)
    assert app is None or isinstance(app, DifyApp)
    judge, embedder = wiring.judge(configured), wiring.embedder(configured)
    store = wiring.baseline_store(configured, base_dir=Path())
    try:
        return await doctor.examine(
            doctor.Patient(app, configured.app, suite, judge, embedder, store, console)
        )
    finally:
        for part in (app, judge, embedder):
            if part is not None:
                await part.close()


def _console(loaded: "Loaded", suite: "Suite") -> "tuple[Finding, ...]":
    from ragjudge.assist import dsl_check
    from ragjudge.assist.doctor_console import examine_console
    from ragjudge.cli import console_address
    from ragjudge.judged import sign_in
    from ragjudge.preview.target import Target, target_of
    from ragjudge.wiring import SystemClock

    def look() -> Target:
        console_address.refuse_proposed(loaded)
        return target_of(loaded.settings, sign_in(os.environ), clock=SystemClock())

    def exports() -> "tuple[Dsl, ...]":
        return dsl_check.load_exports(loaded.settings, Path())

    return tuple(examine_console(loaded.settings, suite, look, exports))


def _console_secrets() -> tuple[str, ...]:
    from ragjudge.dify.console.credentials import ADMIN_KEY, PASSWORD

    return tuple(value for name in (ADMIN_KEY, PASSWORD) if (value := os.environ.get(name, "").strip()))
