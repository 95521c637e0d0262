"""Single edits of an export as plain data, and how a document looks after some of them."""

import copy
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from pydantic import JsonValue

from ragjudge.dsl.leaves import ABSENT
from ragjudge.dsl.load import Data, part

Wire = tuple[str, str, str]
"""Source, its exit, target."""


@dataclass(frozen=True, slots=True)
class NodeEdit:
    """A node as it is to be, by its id; None: it goes."""

    id: str
    raw: Data | None = field(hash=False)

    def apply(self, data: Data) -> None:
        nodes = _list(data, "workflow", "graph", "nodes")
        _put(nodes, [n for n, raw in enumerate(nodes) if node_id(raw) == self.id], self.raw)


@dataclass(frozen=True, slots=True)
class WireEdit:
    """A wire that is to be there; None: it goes."""

    wire: Wire
    raw: Data | None = field(hash=False)

    def apply(self, data: Data) -> None:
        edges = _list(data, "workflow", "graph", "edges")
        _put(edges, [n for n, raw in enumerate(edges) if wire_of(raw) == self.wire], self.raw)


@dataclass(frozen=True, slots=True)
class EntryEdit:
    """A variable of the app as it is to be, by its name; None: it goes."""

    list_name: str
    name: str
    raw: Data | None = field(hash=False)

    def apply(self, data: Data) -> None:
        entries = _list(data, "workflow", self.list_name)
        here = [n for n, raw in enumerate(entries) if isinstance(raw, dict) and raw.get("name") == self.name]
        _put(entries, here, self.raw)


@dataclass(frozen=True, slots=True)
class ValueEdit:
    """The value at a path; ABSENT: the key goes."""

    path: tuple[str, ...]
    value: JsonValue | object = field(hash=False)

    def apply(self, data: Data) -> None:
        *above, key = self.path
        here = _mapping(data, *above)
        if self.value is ABSENT:
            here.pop(key, None)
        else:
            here[key] = copy.deepcopy(self.value)  # type: ignore[assignment]  # ABSENT is dealt with


Edit: TypeAlias = NodeEdit | WireEdit | EntryEdit | ValueEdit


def edited(data: Data, edits: Iterable[Edit]) -> Data:
    """A copy of the document with these edits."""
    found = copy.deepcopy(data)
    for edit in edits:
        edit.apply(found)
    return found


def node_id(raw: JsonValue) -> str:
    return str(raw.get("id") or "") if isinstance(raw, dict) else ""


def wire_of(raw: JsonValue) -> Wire | None:
    if not isinstance(raw, dict):
        return None
    return (
        str(raw.get("source") or ""),
        str(raw.get("sourceHandle") or "source"),
        str(raw.get("target") or ""),
    )


def _put(entries: list[JsonValue], here: list[int], raw: Data | None) -> None:
    """In place of the first of those entries, or at the end; the others go."""
    if raw is not None:
        if here:
            entries[here[0]] = copy.deepcopy(raw)
        else:
            entries.append(copy.deepcopy(raw))
    for number in reversed(here if raw is None else here[1:]):
        del entries[number]


def _mapping(data: Data, *path: str) -> Data:
    for step in path:
        found = data.get(step)
        if not isinstance(found, dict):
            found = data[step] = {}
        data = found
    return data


def _list(data: Data, *path: str) -> list[JsonValue]:
    *above, key = path
    here = _mapping(data, *above)
    found = here.get(key)
    if not isinstance(found, list):
        found = here[key] = []
    return found


def plugins_of(data: Data) -> dict[str, JsonValue]:
    """The entries of `dependencies` by the plugin's name."""
    found: dict[str, JsonValue] = {}
    entries = data.get("dependencies")
    for number, entry in enumerate(entries if isinstance(entries, list) else []):
        value = part(entry, "value") if isinstance(entry, dict) else {}
        identifier = next((str(v) for k, v in value.items() if k.endswith("identifier") and v), str(number))
        found[identifier.partition("@")[0].partition(":")[0]] = entry
    return found
