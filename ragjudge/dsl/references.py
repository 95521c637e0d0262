"""Every place in a node's settings that reads another node's output."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

from ragjudge.dsl.graph import GraphNode
from ragjudge.dsl.load import Path, part

_IN_TEXT = re.compile(r"\{\{#([^.#{}]+)\.([^#{}]+)#\}\}")
BUILT_IN = frozenset({"sys", "env", "conversation", "rag"})
"""Scopes that are no node; `#context#` has no dot and is none either."""
SELECTORS = re.compile(r"(^|_)(selector|selectors)$")
_WORDS = frozenset({"title", "desc"})
"""For the reader of the canvas only."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reading of `variable` of the node (or scope) `source`, standing at `path` below the node."""

    source: str
    variable: str
    path: Path


def references(node: GraphNode) -> Iterator[Reference]:
    """In order of the file; the same one may stand in several places. What is switched off reads nothing."""
    silent = _WORDS | _switched_off(node)
    for key, value in node.data.items():
        if key not in silent:
            yield from _in(value, (*node.path, "data", key), node.type)


def _switched_off(node: GraphNode) -> frozenset[str]:
    """Settings that Dify keeps in the file without reading them, and code, which is no template."""
    found = set()
    match node.type:
        case "variable-aggregator":
            grouped = part(node.data, "advanced_settings").get("group_enabled") is True
            found.add("variables" if grouped else "advanced_settings")
        case "http-request":
            found |= {
                key
                for key, off in (("authorization", "no-auth"), ("body", "none"))
                if part(node.data, key).get("type") == off
            }
        case "knowledge-retrieval":
            if node.data.get("metadata_filtering_mode") in (None, "", "disabled"):
                found.add("metadata_filtering_conditions")
        case "code":
            found.add("code")
    return frozenset(found)


def _in(value: JsonValue, path: Path, node_type: str) -> Iterator[Reference]:
    if isinstance(value, str):
        for found in _IN_TEXT.finditer(value):
            yield Reference(found[1], found[2], path)
    elif isinstance(value, list):
        if _is_selector(value, path, node_type):
            yield Reference(str(value[0]), ".".join(map(str, value[1:])), path)
            return
        for number, item in enumerate(value):
            yield from _in(item, (*path, number), node_type)
    elif isinstance(value, dict) and value.get("enabled") is not False:
        mixed = value.get("type") == "variable" and isinstance(value.get("value"), list)
        for key, item in value.items():
            here = (*path, key)
            if key == "value" and mixed and isinstance(item, list) and len(item) > 1:
                yield Reference(str(item[0]), ".".join(map(str, item[1:])), here)
            else:
                yield from _in(item, here, node_type)


def _is_selector(value: list[JsonValue], path: Path, node_type: str) -> bool:
    """A list of texts under a key that says so; an aggregator's `variables` are selectors without a key each."""
    if len(value) < 2 or not all(isinstance(step, str) and step for step in value):
        return False
    named = next((step for step in reversed(path) if isinstance(step, str)), "")
    aggregated = node_type == "variable-aggregator" and named == "variables"
    return bool(SELECTORS.search(named)) or aggregated
