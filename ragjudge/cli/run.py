"""`ragjudge run`: ask and score only."""

import click

from ragjudge.cli import options


@click.command("run")
@options.basic
@options.cases
@options.judging
@options.out
@options.resuming
def command(**params: object) -> int:
    """Ask and score, write results.json and the report; compare nothing.

    質問と採点だけを行い、結果を保存します(比較はしません)。
    """
    from ragjudge import sitting
    from ragjudge.cli.sessions import asking_session

    chosen = options.chosen(params)
    return sitting.ask_only(asking_session(chosen, shard=chosen.shard is not None)).exit_code
