"""`ragjudge check`: the whole job."""

from typing import TYPE_CHECKING

import click

from ragjudge.cli import options

if TYPE_CHECKING:
    from ragjudge.session import Session


@click.command("check")
@options.basic
@options.cases
@options.judging
@options.baseline
@options.out
@options.resuming
@click.option("--dsl-base", metavar="REV", help="Report DSL changes since it left REV / DSLの変更点の比較元")
def command(dsl_base: str | None, **params: object) -> int:
    """Ask every question, score the answers, compare with the baseline, say what got worse.

    すべての質問を実行・採点し、ベースラインと比較してデグレを報告します。
    """
    from ragjudge import session
    from ragjudge.cli.sitting import asking_session

    sitting = asking_session(options.chosen(params))
    if dsl_base is not None:
        sitting = _with_changes(sitting, dsl_base)
    return session.check(sitting).exit_code


def _with_changes(sitting: "Session", revision: str) -> "Session":
    """With the DSL files' changes since HEAD left `revision` in the report."""
    from ragjudge.assist import app_changes
    from ragjudge.cli import git_files

    start = git_files.branching_point(revision)
    before = app_changes.Before(lambda file: git_files.before(start, file), lambda: git_files.names(start))
    proposal = app_changes.proposed(sitting.settings, before)
    return app_changes.shown(sitting, proposal)
