"""`ragjudge check`: the whole job."""

import click

from ragjudge.cli import options


@click.command("check")
@options.basic
@options.cases
@options.judging
@options.baseline
@options.out
@options.resuming
def command(**params: object) -> int:
    """Ask every question, score the answers, compare with the baseline, say what got worse.

    すべての質問を実行・採点し、ベースラインと比較してデグレを報告します。
    """
    from ragjudge import session
    from ragjudge.cli.sitting import asking_session

    return session.check(asking_session(options.chosen(params))).exit_code
