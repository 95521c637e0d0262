"""Does the export fit the server it will go to? Known only where the console was asked."""

from collections.abc import Collection, Iterator

from ragjudge.dsl.findings import Finding, Rule
from ragjudge.dsl.load import Dsl, items, part
from ragjudge.language import Text

SERVER_RULES = frozenset({Rule.NEWER_DSL, Rule.MISSING_PLUGIN})


def server(dsl: Dsl, *, server_dsl: str | None, server_plugins: Collection[str] | None) -> Iterator[Finding]:
    """A newer DSL is imported with a warning or not at all; a missing plugin is noticed only when the app runs."""
    if server_dsl is not None and _parts(dsl.version) > _parts(server_dsl):
        yield Finding(
            Rule.NEWER_DSL,
            Text(
                f"The export has DSL version {dsl.version}; the server knows {server_dsl}.",
                f"DSLのバージョン {dsl.version} は、サーバーの {server_dsl} より新しいものです。",
            ),
            dsl.place("version"),
            Text(
                "Upgrade the server, or export from one of its version.",
                "サーバーを更新するか、同じ版から出力してください。",
            ),
        )
    if server_plugins is None:
        return
    installed = {plugin.partition(":")[0] for plugin in server_plugins}
    for number, name in needed_plugins(dsl):
        if name not in installed:
            yield Finding(
                Rule.MISSING_PLUGIN,
                Text(
                    f"The plugin {name} is not installed on the server.",
                    f"プラグイン {name} がサーバーにありません。",
                ),
                dsl.place("dependencies", number),
                Text("Install it in Dify before the import.", "取り込む前にDifyへインストールしてください。"),
            )


def needed_plugins(dsl: Dsl) -> Iterator[tuple[int, str]]:
    """Which plugins the export says it needs, as `author/name`, with their places in `dependencies`."""
    for number, entry in enumerate(items(dsl.root, "dependencies")):
        value = part(entry, "value") if isinstance(entry, dict) else {}
        identifier = next((str(v) for k, v in value.items() if k.endswith("identifier") and v), "")
        if name := identifier.partition(":")[0]:
            yield number, name


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(step) if step.isdigit() else 0 for step in version.split("."))
