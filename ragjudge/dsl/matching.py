"""Which node of the new export is which node of the old one: ids may all be new after an import.

Pairs are made from the surest to the least sure sign; the new export is then rewritten with the old ids, so that
references to a node compare equal.
"""

import re
from collections.abc import Callable, Hashable, Mapping

from pydantic import JsonValue

from ragjudge.dsl.graph import Graph, GraphNode

_IN_TEXT = re.compile(r"\{\{#([^.#{}]+)\.")


def pair_ids(old: Graph, new: Graph) -> dict[str, str]:
    """New id → old id, for every pair of nodes that are taken to be the same."""
    pairs: dict[str, str] = {}
    signs: tuple[Callable[[GraphNode], Hashable], ...] = (
        lambda node: (node.id, node.type, node.title),
        lambda node: (node.type, node.title),
        lambda node: (node.id, node.type),
        lambda node: node.type,
    )
    for sign in signs:
        left = _alone(old, sign, set(pairs.values()))
        right = _alone(new, sign, set(pairs))
        pairs |= {right[key]: left[key] for key in right.keys() & left.keys()}
    return pairs


def _alone(graph: Graph, sign: Callable[[GraphNode], Hashable], taken: set[str]) -> dict[Hashable, str]:
    """Ids by sign, of the nodes still free, where no other free node has the same sign."""
    found: dict[Hashable, list[str]] = {}
    for node in graph.nodes.values():
        if node.id not in taken:
            found.setdefault(sign(node), []).append(node.id)
    return {key: ids[0] for key, ids in found.items() if len(ids) == 1}


def rewritten(value: JsonValue, ids: Mapping[str, str]) -> JsonValue:
    """The value with every reference to a node under its other id: in selectors and in `{{#id.name#}}`."""
    if isinstance(value, str):
        return _IN_TEXT.sub(lambda m: f"{{{{#{ids.get(m[1], m[1])}.", value)
    if isinstance(value, list):
        if len(value) > 1 and all(isinstance(step, str) for step in value) and value[0] in ids:
            return [ids[str(value[0])], *value[1:]]
        return [rewritten(item, ids) for item in value]
    if isinstance(value, dict):
        return {key: _identity(key, item, ids) for key, item in value.items()}
    return value


def _identity(key: str, value: JsonValue, ids: Mapping[str, str]) -> JsonValue:
    if key in _ID_KEYS and isinstance(value, str):
        return ids.get(value, value)
    return rewritten(value, ids)


_ID_KEYS = frozenset({"iteration_id", "loop_id", "start_node_id", "parentId"})
