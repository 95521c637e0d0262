"""`ragjudge merge RESULTS...`: the shards of one run become one."""

import os
from pathlib import Path

import click

from ragjudge.cli import options


@click.command("merge")
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path))
@options.basic
@options.suite
@options.out
def command(results: tuple[Path, ...], **params: object) -> int:
    """Join results.json files of the shards of one run into one, ready for `ragjudge check --from`.

    分割して実行した結果(results.json)を1つにまとめます。`ragjudge check --from` でそのまま判定できます。
    テストケースが分かる場合は、足りないケースも確認します。
    """
    from ragjudge.cli import loading, stored
    from ragjudge.language import Text
    from ragjudge.publish import RESULTS, write_file
    from ragjudge.results.codec import dumps
    from ragjudge.results.merge import merge

    chosen = options.chosen(params)
    settings = loading.load_settings(chosen, os.environ).settings
    expected = [case.id for case in loading.load_suite(settings).cases] if settings.suite else None
    joined = merge([stored.results(path) for path in results], expected=expected)
    target = chosen.out / RESULTS
    write_file(target, dumps(joined))
    said = Text(
        f"{len(results)} parts joined: {len(joined.cases)} cases in {target}",
        f"{len(results)}個の結果をまとめました: {len(joined.cases)}件 → {target}",
    )
    click.echo(said.in_language(settings.report.language))
    return 0
