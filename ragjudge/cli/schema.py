"""`ragjudge schema`: JSON Schemas for editors."""

import click

from ragjudge.exit_codes import ExitCode


@click.command(short_help="JSON Schemas for editors / エディター用のスキーマ")
@click.argument("name", type=click.Choice(["suite", "config", "results"]))
def command(name: str) -> int:
    """Print the JSON Schema of suite files, of ragjudge.yml or of results.json.

    テストケース、ragjudge.yml、results.json のJSON Schemaを出力します。
    """
    import json
    from typing import cast

    from ragjudge.assist.schema import Name, schema

    click.echo(json.dumps(schema(cast("Name", name)), ensure_ascii=False, indent=2))
    return ExitCode.OK
