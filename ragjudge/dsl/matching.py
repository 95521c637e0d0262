"""Which node of the new export is which node of the old one: ids may all be new after an import.

Pairs are made from the surest to the least sure sign; the new export is then rewritten with the old ids, so that
references to a node compare equal.
"""

import json
import re
from collections.abc import Callable, Hashable, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from pydantic import JsonValue

from ragjudge.dsl.graph import Graph, GraphNode, settings_of

_IN_TEXT = re.compile(r"\{\{#([^.#{}]+)\.")
_FEWEST_ROUNDS, _MOST_LOOKS = 50, 500_000
"""Each round looks at every node and pairs at least one; what is left after them is paired in the file's order."""

Sign = Callable[[GraphNode], Hashable]


def pair_ids(old: Graph, new: Graph) -> dict[str, str]:
    """New id → old id, for every pair of nodes that are taken to be the same."""
    pairs: dict[str, str] = {}
    kept_ids = _keeps_ids(old, new)
    left, right = _Side(old, kept_ids=kept_ids), _Side(new, kept_ids=kept_ids)
    signs = 7
    number = rounds = 0
    most = max(_FEWEST_ROUNDS, _MOST_LOOKS // (1 + len(old.nodes) + len(new.nodes)))
    while number < signs and rounds < most:
        rounds += 1
        known = {old_id: old_id for old_id in pairs.values()}
        before = left.alone(left.signs(known)[number], set(pairs.values()))
        after = right.alone(right.signs(pairs)[number], set(pairs))
        found = {after[key]: before[key] for key in after.keys() & before.keys() if key is not None}
        pairs |= found
        number = 0 if found else number + 1
    return pairs | _twins(left, right, pairs)


def _keeps_ids(old: Graph, new: Graph) -> bool:
    """Whether most nodes have their ids still: then an id tells more than a title, which can change hands."""
    same = sum(
        1 for node in new.nodes.values() if node.id in old.nodes and old.nodes[node.id].type == node.type
    )
    return 2 * same > min(len(old.nodes), len(new.nodes))


def _twins(left: "_Side", right: "_Side", pairs: Mapping[str, str]) -> dict[str, str]:
    """Nodes that nothing tells apart, in order of the file."""
    before = left.groups(left.look, set(pairs.values()))
    after = right.groups(right.look, set(pairs))
    return {
        new_id: old_id
        for key in before.keys() & after.keys()
        for old_id, new_id in zip(before[key], after[key], strict=False)
    }


class _Wire(NamedTuple):
    way: str
    handle: str
    node: str


class _Side:
    """One of the two graphs, with what its nodes look like from outside."""

    def __init__(self, graph: Graph, *, kept_ids: bool) -> None:
        self._graph = graph
        self._kept_ids = kept_ids
        nobody = dict.fromkeys(graph.nodes, "")
        self._content = {
            node.id: json.dumps(rewritten(settings_of(node.data), nobody), sort_keys=True)
            for node in graph.nodes.values()
        }
        self._wires: dict[str, list[_Wire]] = {}
        for edge in graph.edges:
            self._wires.setdefault(edge.source, []).append(_Wire("to", edge.handle, edge.target))
            self._wires.setdefault(edge.target, []).append(_Wire("from", edge.handle, edge.source))

    def look(self, node: GraphNode) -> Hashable:
        return (node.type, node.title)

    def signs(self, known: Mapping[str, str]) -> tuple[Sign, ...]:
        """From the surest. `known` gives the ids that both sides agree on."""
        return (
            lambda node: (node.id, node.type) if self._kept_ids else (node.id, node.type, node.title),
            lambda node: (node.type, node.title),
            lambda node: (node.type, self._content[node.id]),
            lambda node: (near := self._near(node, known)) and (node.type, node.title, near),
            lambda node: (node.id, node.type),
            lambda node: (near := self._near(node, known)) and (node.type, near),
            lambda node: node.type,
        )

    def _near(self, node: GraphNode, known: Mapping[str, str]) -> Hashable:
        """The neighbours that are known already, and the loop it is in; None where there is none."""
        parent = known.get(node.parent or "")
        near = {
            (wire.way, wire.handle, known[wire.node])
            for wire in self._wires.get(node.id, ())
            if wire.node in known
        }
        return frozenset(near | ({("in", "", parent)} if parent else set())) or None

    def groups(self, sign: Sign, taken: AbstractSet[str]) -> dict[Hashable, list[str]]:
        found: dict[Hashable, list[str]] = {}
        for node in self._graph.nodes.values():
            if node.id not in taken:
                found.setdefault(sign(node), []).append(node.id)
        return found

    def alone(self, sign: Sign, taken: AbstractSet[str]) -> dict[Hashable, str]:
        """Ids by sign, of the nodes still free, where no other free node has the same sign."""
        return {key: ids[0] for key, ids in self.groups(sign, taken).items() if len(ids) == 1}


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
