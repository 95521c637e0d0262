"""`ragjudge compare RESULTS`: gate stored results against the baseline."""

from pathlib import Path

import click

from ragjudge.cli import options


@click.command("compare")
@click.argument("results", type=click.Path(path_type=Path))
@options.basic
@options.baseline
@options.out
def command(results: Path, **params: object) -> int:
    """Gate stored results against the baseline. Nothing is asked, nothing is paid.

    保存した結果をベースラインと比較して判定します(質問はしません)。
    """
    from ragjudge import sitting
    from ragjudge.cli import stored
    from ragjudge.cli.sessions import reading_session

    return sitting.compare(reading_session(options.chosen(params)), stored.results(results)).exit_code
