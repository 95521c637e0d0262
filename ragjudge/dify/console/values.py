"""What the console answers, in our words. Whatever does not fit is absent."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from pydantic import SecretStr

from ragjudge.dify.wire import count_of, list_of, mapping_of, text_of

Json = Mapping[str, object]


class Outcome(StrEnum):
    """How an import ended."""

    COMPLETED = "completed"
    WARNINGS = "completed-with-warnings"
    """Done; the DSL is of an older minor version than the server."""
    PENDING = "pending"
    """Not done: the DSL is newer, or of another major version, and must be confirmed within ten minutes."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class App:
    """One app of the workspace. `created_at` in seconds since 1970, 0 where unknown."""

    id: str
    name: str
    description: str
    mode: str
    created_at: int
    identity: Json
    """What an import over the app would overwrite: name, icon, description."""


@dataclass(frozen=True, slots=True)
class Imported:
    id: str
    outcome: Outcome | None
    app_id: str
    server_dsl: str
    file_dsl: str
    error: str


@dataclass(frozen=True, slots=True)
class Version:
    """A draft or a published version of a workflow."""

    id: str
    hash: str
    marked_name: str
    datasets: tuple[str, ...] = ()
    """Plain ids of the knowledge bases that its retrieval nodes name."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    id: str
    token: SecretStr


_IDENTITY = (
    "name",
    "description",
    "icon",
    "icon_type",
    "icon_background",
    "use_icon_as_answer_icon",
)


def app_of(body: object) -> App | None:
    data = mapping_of(body)
    if not text_of(data.get("id")):
        return None
    return App(
        id=text_of(data.get("id")),
        name=text_of(data.get("name")),
        description=text_of(data.get("description")),
        mode=text_of(data.get("mode")),
        created_at=count_of(data.get("created_at")),
        identity={name: data[name] for name in _IDENTITY if data.get(name) is not None},
    )


def apps_of(body: Json) -> tuple[App, ...]:
    return tuple(app for entry in list_of(body.get("data")) if (app := app_of(entry)) is not None)


def imported_of(body: Json) -> Imported:
    try:
        outcome = Outcome(text_of(body.get("status")))
    except ValueError:
        outcome = None
    return Imported(
        id=text_of(body.get("id")),
        outcome=outcome,
        app_id=text_of(body.get("app_id")),
        server_dsl=text_of(body.get("current_dsl_version")),
        file_dsl=text_of(body.get("imported_dsl_version")),
        error=text_of(body.get("error")),
    )


def version_of(body: Json) -> Version | None:
    """None where there is none: the app was never published."""
    if not text_of(body.get("id")):
        return None
    return Version(
        id=text_of(body.get("id")),
        hash=text_of(body.get("hash")),
        marked_name=text_of(body.get("marked_name")),
        datasets=tuple(_datasets_of(mapping_of(body.get("graph")))),
    )


def _datasets_of(graph: Json) -> Iterator[str]:
    for node in list_of(graph.get("nodes")):
        data = mapping_of(mapping_of(node).get("data"))
        yield from (text_of(entry) for entry in list_of(data.get("dataset_ids")) if text_of(entry))


def key_of(body: object) -> ApiKey | None:
    data = mapping_of(body)
    if not text_of(data.get("id")):
        return None
    return ApiKey(text_of(data.get("id")), SecretStr(text_of(data.get("token"))))


def missing_plugins_of(body: Json) -> tuple[str, ...]:
    """Names of the plugins that the last import needs and the server lacks; version and digest cut off."""
    found = []
    for entry in list_of(body.get("leaked_dependencies")):
        value = mapping_of(mapping_of(entry).get("value"))
        name = next((text_of(v) for k, v in value.items() if k.endswith("identifier") and text_of(v)), "")
        found.append(name.partition("@")[0] or "?")
    return tuple(found)


def workspace_of(body: Json) -> str:
    """The name of the current workspace; "" where none is said to be it."""
    listed = (mapping_of(entry) for entry in list_of(body.get("workspaces")))
    return next((text_of(one.get("name")) for one in listed if one.get("current") is True), "")


def dsl_of(exported: str) -> str:
    """The version at the top level of an export; "" without one."""
    found = re.search(r"^version: *['\"]?(\d+(?:\.\d+)+)['\"]? *$", exported, re.MULTILINE)
    return found[1] if found else ""


class Plugins(NamedTuple):
    """One page of the list of plugins: `author/name` each. `total` is None where the whole list came at once."""

    names: tuple[str, ...]
    total: int | None


def plugins_of(body: Json) -> Plugins | None:
    """None for a body that is no such list, or in which one entry has no name."""
    listed = body.get("plugins")
    if not isinstance(listed, list):
        return None
    entries = [mapping_of(entry) for entry in listed]
    names = tuple(
        text_of(one.get("plugin_id")) or text_of(one.get("plugin_unique_identifier")).partition(":")[0]
        for one in entries
    )
    total = body.get("total")
    if not all("/" in name for name in names):
        return None
    return Plugins(names, total if isinstance(total, int) and not isinstance(total, bool) else None)
