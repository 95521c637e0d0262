"""`ragjudge calibrate LABELS`: the judge against people's scores, from stored results."""

import os
from pathlib import Path

import click

from ragjudge.cli import options
from ragjudge.exit_codes import ExitCode


@click.command("calibrate")
@click.argument("labels", type=click.Path(path_type=Path))
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    help="results.json of the run that people scored / 採点した実行結果 (default: <out>/results.json)",
)
@options.basic
@options.out
def command(labels: Path, results: Path | None, **params: object) -> int:
    """Compare the judge's scores with people's. Nothing is asked, nothing is paid.

    LABELS is CSV, JSON, YAML or Excel with an id column and either a column per metric or the columns metric and score.

    保存した結果の点数を、人が付けた点数と比べます(呼び出しはしません)。LABELSには、id列と、指標名の列または「指標」「点数」の列が必要です。
    """
    from ragjudge.assist import calibrate
    from ragjudge.cli import loading, stored
    from ragjudge.publish import RESULTS

    chosen = options.chosen(params)
    settings = loading.load_settings(chosen, os.environ).settings
    run = stored.results(results or chosen.out / RESULTS)
    agreements = calibrate.calibrate(run, labels, settings.metrics.custom)
    for line in calibrate.lines(agreements, run):
        click.echo(line.in_language(settings.report.language))
    return ExitCode.OK
