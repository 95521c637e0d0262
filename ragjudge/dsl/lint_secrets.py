"""Keys that stand in an export in clear. Their values are never part of a message."""

import re
from collections.abc import Iterator

from pydantic import JsonValue

from ragjudge.dsl.findings import Finding, Rule
from ragjudge.dsl.graph import graph_of
from ragjudge.dsl.load import Data, Dsl, Path, items, part
from ragjudge.dsl.masking import holds_a_key, names_a_key
from ragjudge.language import Text

_HIDDEN = "[__HIDDEN__]"
_LOOKED_AT = frozenset({"environment_variables", "authorization", "headers", "params", "dependencies"})
_REFERENCE = re.compile(r"\{\{[^}]*\}\}")


def secrets(dsl: Dsl) -> Iterator[Finding]:
    """Secret variables with a value, credentials in HTTP nodes, and anything that looks like a key of a known kind."""
    for number, raw in enumerate(items(dsl.root, "workflow", "environment_variables")):
        if (
            isinstance(raw, dict)
            and raw.get("value_type") == "secret"
            and raw.get("value") not in (None, "", _HIDDEN)
        ):
            yield Finding(
                Rule.SECRET_VALUE,
                Text(
                    f"The secret variable {raw.get('name')} stands here with its value.",
                    f"秘密の環境変数「{raw.get('name')}」の値がそのまま書かれています。",
                ),
                dsl.place("workflow", "environment_variables", number, "value"),
                Text(
                    "Export without secrets, and change the key: it is in the history now.",
                    "シークレットを含めずにエクスポートし直し、履歴に残った値は変更してください。",
                ),
            )
    for number, raw in enumerate(items(dsl.root, "workflow", "environment_variables")):
        if isinstance(raw, dict) and raw.get("value_type") != "secret":
            yield from _keys(dsl, raw.get("value"), ("workflow", "environment_variables", number, "value"))
    for node in graph_of(dsl).of_type("http-request"):
        yield from _http(dsl, node.data, (*node.path, "data"), node.title)
    yield from _keys(dsl, dsl.root, ())


def _http(dsl: Dsl, data: Data, path: Path, title: str) -> Iterator[Finding]:
    """`headers` and `params` hold `name:value` lines, a body its entries."""
    config = part(data, "authorization", "config")
    if _in_clear(config.get("api_key")):
        yield _credential(dsl, (*path, "authorization", "config", "api_key"), title)
    for part_name in ("headers", "params"):
        given = [line.partition(":") for line in str(data.get(part_name) or "").splitlines()]
        if any(names_a_key(name) and _in_clear(value) for name, _, value in given):
            yield _credential(dsl, (*path, part_name), title)
    for number, entry in enumerate(items(data, "body", "data")):
        named = isinstance(entry, dict) and names_a_key(str(entry.get("key") or ""))
        if isinstance(entry, dict) and named and _in_clear(entry.get("value")):
            yield _credential(dsl, (*path, "body", "data", number, "value"), title)


def _in_clear(value: JsonValue) -> bool:
    return isinstance(value, str) and bool(_REFERENCE.sub("", value).replace("Bearer", "").strip())


def _credential(dsl: Dsl, path: Path, title: str) -> Finding:
    return Finding(
        Rule.CREDENTIAL,
        Text(
            f"The node “{title}” holds a credential in clear.",
            f"ノード「{title}」に認証情報がそのまま書かれています。",
        ),
        dsl.place(*path),
        Text(
            "Put it into a secret environment variable and refer to that.",
            "秘密の環境変数に移し、それを参照してください。",
        ),
    )


def _keys(dsl: Dsl, value: JsonValue, path: Path) -> Iterator[Finding]:
    """Texts that look like a key, outside the places looked at above."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key not in _LOOKED_AT:
                yield from _keys(dsl, item, (*path, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _keys(dsl, item, (*path, number))
    elif isinstance(value, str) and holds_a_key(value):
        yield _credential(dsl, path, str(next((s for s in reversed(path) if isinstance(s, str)), "")))
