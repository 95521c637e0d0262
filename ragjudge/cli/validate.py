"""`ragjudge validate`: suite, config and DSL exports are looked at, nothing is called."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragjudge.cli import loading, options
from ragjudge.errors import ConfigFault, SuiteFault
from ragjudge.exit_codes import ExitCode
from ragjudge.language import Language, Text

if TYPE_CHECKING:
    from ragjudge.cli.options import Chosen
    from ragjudge.settings import Loaded


@click.command(short_help="Check suite and config, no calls / テストケースと設定の検査")
@options.basic
@options.cases
@options.judging
@options.baseline
@click.option(
    "--plan", is_flag=True, help="Count calls and estimate tokens / 呼び出し回数とトークンの見積もり"
)
def command(plan: bool, **params: object) -> int:
    """Check suite, settings and DSL exports without calling anything.

    テストケース、設定、DSLファイルを検査します。アプリや評価者は呼び出しません。-v で各設定値の出どころを表示します。
    """
    chosen = options.chosen(params)
    try:
        loaded = loading.load_settings(chosen, os.environ)
    except ConfigFault:
        # The suite is looked at all the same, so that everything can be mended in one go.
        _tell_suite_fault(chosen)
        raise
    _examine(loaded, chosen, plan=plan)
    return ExitCode.OK


def _examine(loaded: "Loaded", chosen: "Chosen", *, plan: bool) -> None:
    from ragjudge import settings
    from ragjudge.assist import dsl_check, validate
    from ragjudge.cli import findings

    language = loaded.settings.report.language
    settings.require(loaded.settings, "suite")
    if chosen.verbose:
        _say(validate.setting_lines(loaded), language)
    whole = loading.load_suite(loaded.settings)
    suite = loading.select_cases(whole, chosen)
    _say(validate.suite_lines(suite, loaded.settings), language)
    exports = dsl_check.load_exports(loaded.settings, Path())
    _say(
        (Text(f"DSL: {d.file} ({d.name}, {d.mode})", f"DSL: {d.file}({d.name}、{d.mode})") for d in exports),
        language,
    )
    found = dsl_check.findings(exports, suite, loaded.settings)
    dsl_check.refuse_errors(found)
    for finding in found:
        click.echo(f"  {findings.line(finding, language)}")
    notes = (*loaded.notes, *whole.notes)
    if notes and not chosen.quiet:
        _say([Text("Notes:", "注意:"), *(Text(f"  - {n.en}", f"  - {n.ja}") for n in notes)], language)
    if plan:
        from ragjudge.metrics import budget

        cost = budget.planned(suite, loaded.settings)
        _say(validate.plan_lines(cost, suite, loaded.settings), language)
        budget.require_within(suite, loaded.settings, repeats=loaded.settings.repeats, cost=cost)
    _say([Text("✓ No problems were found.", "✓ 問題は見つかりませんでした。")], language)


def _tell_suite_fault(chosen: "Chosen") -> None:
    from ragjudge import settings, suite

    text = loading.config_text(chosen)
    language: Language = chosen.language or settings.language_of(text) or "ja"
    patterns, columns = settings.suite_of(text, loading.config_path(chosen), chosen.flags)
    if not patterns:
        return
    try:
        suite.load(patterns, columns)
    except SuiteFault as found:
        click.echo(found.in_language(language), err=True)


def _say(lines: Iterable[Text], language: Language) -> None:
    for line in lines:
        click.echo(line.in_language(language))
