"""`ragjudge doctor`: try out once what a run needs."""

import asyncio
import os
from pathlib import Path

import click

from ragjudge.cli import loading, options
from ragjudge.exit_codes import ExitCode


@click.command("doctor", short_help="One line per thing a run needs / 実行に必要なものの確認")
@options.basic
@options.cases
@options.judging
@options.baseline
def command(**params: object) -> int:
    """Ask one question, and say what works and how to mend the rest. The question is taken back afterwards.

    1問だけ質問して、実行に必要なものを1行ずつ確認し、直し方を示します。確認に使った会話は削除します。
    """
    from ragjudge import settings, wiring
    from ragjudge.assist import doctor
    from ragjudge.dify.client import DifyApp
    from ragjudge.suite import Suite

    chosen = options.chosen(params)
    configured = loading.load_settings(chosen, os.environ).settings
    settings.require(configured, "app", "judge")
    suite = Suite(name="", cases=())
    if configured.suite:
        suite = loading.select_cases(loading.load_suite(configured), chosen)

    async def examined() -> tuple[doctor.Finding, ...]:
        app = wiring.chat_app(configured)
        assert isinstance(app, DifyApp)
        judge, embedder = wiring.judge(configured), wiring.embedder(configured)
        store = wiring.baseline_store(configured, base_dir=Path())
        try:
            return await doctor.examine(doctor.Patient(app, configured.app, suite, judge, embedder, store))
        finally:
            for part in (app, judge, embedder):
                await part.close()

    findings = asyncio.run(examined())
    redact = wiring.redactor(configured)
    click.echo(redact(doctor.rendered(findings, configured.report.language)))
    return ExitCode.OK if doctor.all_good(findings) else ExitCode.MUST_CHANGE
