"""Keys that stand in an export in clear. Their values are never part of a message."""

from collections.abc import Collection, Iterator

from pydantic import JsonValue

from ragjudge.dsl.findings import Finding, Rule
from ragjudge.dsl.graph import Graph, graph_of
from ragjudge.dsl.load import Data, Dsl, Path, items, part
from ragjudge.dsl.masking import gives_a_key, holds_a_key, tells_a_key
from ragjudge.language import Text

_HIDDEN = "[__HIDDEN__]"
_VARIABLES: Path = ("workflow", "environment_variables")
_HTTP = ("url", "authorization", "headers", "params", "body")


def secrets(dsl: Dsl) -> Iterator[Finding]:
    """Secret variables with a value, credentials in HTTP nodes, and anything that looks like a key of a known kind."""
    yield from _variables(dsl)
    graph = graph_of(dsl)
    looked_at: set[Path] = {_VARIABLES, ("dependencies",)}
    for node in graph.of_type("http-request"):
        settings = (*node.path, "data")
        looked_at |= {(*settings, name) for name in _HTTP}
        for path in _http(node.data):
            yield _credential(dsl, (*settings, *path), _of_node(node.title))
    for path in _keys(dsl.root, (), (), looked_at):
        yield _credential(dsl, path, _owner(graph, path))


def _variables(dsl: Dsl) -> Iterator[Finding]:
    for number, raw in enumerate(items(dsl.root, "workflow", "environment_variables")):
        if not isinstance(raw, dict):
            continue
        name, value, path = str(raw.get("name") or ""), raw.get("value"), (*_VARIABLES, number, "value")
        if raw.get("value_type") == "secret":
            if value not in (None, "", _HIDDEN):
                yield Finding(
                    Rule.SECRET_VALUE,
                    Text(
                        f"The secret variable {name} stands here with its value.",
                        f"秘密の環境変数「{name}」の値がそのまま書かれています。",
                    ),
                    dsl.place(*path),
                    Text(
                        "Export without secrets, and change the key: it is in the history now.",
                        "シークレットを含めずにエクスポートし直し、履歴に残った値は変更してください。",
                    ),
                )
        elif isinstance(value, str) and gives_a_key(name, value):
            yield _credential(dsl, path, Text(f"The environment variable {name}", f"環境変数「{name}」"))


def _http(data: Data) -> Iterator[Path]:
    """Where an HTTP node holds a key: `headers` and `params` are `name:value` lines, a body entries or a text."""
    if gives_a_key("api_key", _text(part(data, "authorization", "config").get("api_key"))):
        yield ("authorization", "config", "api_key")
    if tells_a_key(_text(data.get("url"))):
        yield ("url",)
    for name in ("headers", "params"):
        lines = (line.partition(":") for line in _text(data.get(name)).splitlines())
        if any(gives_a_key(key.strip(), value) for key, _, value in lines):
            yield (name,)
    if tells_a_key(_text(part(data, "body").get("data"))):
        yield ("body", "data")
    for number, entry in enumerate(items(data, "body", "data")):
        if isinstance(entry, dict) and gives_a_key(_text(entry.get("key")), _text(entry.get("value"))):
            yield ("body", "data", number, "value")


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


def _credential(dsl: Dsl, path: Path, where: Text) -> Finding:
    return Finding(
        Rule.CREDENTIAL,
        Text(f"{where.en} holds a credential in clear.", f"{where.ja}に認証情報がそのまま書かれています。"),
        dsl.place(*path),
        Text(
            "Put it into a secret environment variable and refer to that.",
            "秘密の環境変数に移し、それを参照してください。",
        ),
    )


def _owner(graph: Graph, path: Path) -> Text:
    """Whose setting stands at a path: a node's, else the setting itself."""
    for node in graph.nodes.values():
        if path[: len(node.path)] == node.path:
            return _of_node(node.title)
    name = next((step for step in reversed(path) if isinstance(step, str)), "")
    return Text(f"The setting {name}", f"設定「{name}」")


def _of_node(title: str) -> Text:
    return Text(f"The node “{title}”", f"ノード「{title}」")


def _keys(
    value: JsonValue, path: Path, names: tuple[str, ...], looked_at: Collection[Path]
) -> Iterator[Path]:
    """Where a text holds what looks like a key, outside the places looked at before. `names`: of what it stands in."""
    if path in looked_at:
        return
    if isinstance(value, dict):
        entry = (_text(value.get("name")), _text(value.get("key")))
        for key, item in value.items():
            inner = (*names, key, *entry) if key == "value" else (*names, key)
            yield from _keys(item, (*path, key), inner, looked_at)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _keys(item, (*path, number), names, looked_at)
    elif isinstance(value, str) and holds_a_key(value, names):
        yield path
