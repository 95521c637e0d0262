"""`ragjudge report RESULTS`: stored results in another form."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from ragjudge.cli import options

if TYPE_CHECKING:
    from ragjudge.report.formats import Format

FORMS = ("markdown", "html", "junit", "csv", "xlsx", "json")


@click.command("report")
@click.argument("results", type=click.Path(path_type=Path))
@click.option(
    "--format", "form", type=click.Choice(FORMS), default="markdown", help="Form of the report / 形式"
)
@click.option(
    "--to", type=click.Path(path_type=Path), help="File to write (default: stdout) / 出力先のファイル"
)
@options.basic
@options.baseline
def command(results: Path, form: str, to: Path | None, **params: object) -> int:
    """Render stored results again, compared with the baseline where there is one. Nothing is asked.

    保存した結果からレポートを作り直します(質問はしません)。
    """
    from ragjudge import sitting
    from ragjudge.cli import sessions, stored
    from ragjudge.publish import write_file
    from ragjudge.results.codec import dumps

    here = sessions.reading_session(options.chosen(params))
    run = stored.results(results)
    if form == "json":
        content = here.redact(dumps(run).decode()).encode()
    else:
        content = sitting.rendered_again(here, run, cast("Format", form))
    if to is not None:
        write_file(to, content)
    else:
        sys.stdout.buffer.write(content)
    return 0
