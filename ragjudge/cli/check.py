"""`ragjudge check`: the whole job."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragjudge.cli import options
from ragjudge.errors import UsageFault
from ragjudge.language import Text

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
@click.option(
    "--from",
    "earlier",
    type=click.Path(path_type=Path),
    metavar="RESULTS",
    help="Go on from results.json; only suspects are asked again / 保存した結果から続ける(疑わしいケースだけを再確認)",
)
def command(dsl_base: str | None, earlier: Path | None, **params: object) -> int:
    """Ask every question, score the answers, compare with the baseline, say what got worse.

    すべての質問を実行・採点し、ベースラインと比較してデグレを報告します。
    """
    from ragjudge import sitting
    from ragjudge.cli import stored
    from ragjudge.cli.sessions import asking_session

    chosen = options.chosen(params)
    if earlier is not None:
        _refuse_selection(chosen)
    session = asking_session(chosen, asked=stored.results(earlier) if earlier else None)
    if dsl_base is not None:
        session = _with_changes(session, dsl_base)
    return sitting.check(session).exit_code


def _refuse_selection(chosen: options.Chosen) -> None:
    """The results say which cases they hold."""
    given = (chosen.cases, chosen.tags, chosen.shard, chosen.limit, chosen.flags.get("repeats"))
    if any(one not in (None, ()) for one in given):
        raise UsageFault(
            Text(
                "--from goes with no --case, --tag, --shard, --limit or --repeats: the results hold what was asked.",
                "--from は --case、--tag、--shard、--limit、--repeats と同時に指定できません"
                "(対象は保存した結果で決まります)。",
            )
        )


def _with_changes(session: "Session", revision: str) -> "Session":
    """With the DSL files' changes since HEAD left `revision` in the report."""
    from ragjudge.assist import app_changes
    from ragjudge.cli import git_files

    start = git_files.branching_point(revision)
    before = app_changes.Before(lambda file: git_files.before(start, file), lambda: git_files.names(start))
    proposal = app_changes.proposed(session.settings, before)
    return app_changes.shown(session, proposal)
