"""The proposed graph in the base graph's terms: ids of nodes and names of exits are the base's wherever both have them.

An import makes ids anew; without this a node taken over alone would read from nodes that are not there.
"""

from collections.abc import Mapping
from typing import NamedTuple

from pydantic import JsonValue

from ragjudge.dsl.edits import Wire, node_id, wire_of
from ragjudge.dsl.exits import LISTS, pair_exits
from ragjudge.dsl.graph import Graph, GraphNode, graph_of
from ragjudge.dsl.load import Data, Dsl, items
from ragjudge.dsl.matching import pair_ids, rewritten


class Raw(NamedTuple):
    """Nodes and wires of a graph as they stand in its document."""

    nodes: Mapping[str, Data]
    wires: Mapping[Wire, Data]


def raw_of(data: Data, graph: Graph) -> Raw:
    """Nodes that count (no sticky notes, no second node of an id), and wires, each once."""
    found = items(data, "workflow", "graph", "nodes")
    nodes = {node.id: found[number] for node in graph.nodes.values() if (number := _number(node)) is not None}
    wires: dict[Wire, Data] = {}
    for raw in items(data, "workflow", "graph", "edges"):
        wire = wire_of(raw)
        if wire is not None and isinstance(raw, dict):
            wires.setdefault(wire, raw)
    return Raw({name: raw for name, raw in nodes.items() if isinstance(raw, dict)}, wires)


def _number(node: GraphNode) -> int | None:
    last = node.path[-1] if node.path else None
    return last if isinstance(last, int) else None


def in_terms_of(base: Dsl, proposed: Dsl) -> Data:
    """`proposed`'s document; only its nodes and wires are rewritten."""
    before, after = graph_of(base), graph_of(proposed)
    ids = _all_ids(before, after)
    exits = {
        (node.id, new): old
        for node in after.nodes.values()
        if ids[node.id] in before.nodes
        for new, old in pair_exits(before.nodes[ids[node.id]], node).items()
    }
    workflow = proposed.root.get("workflow")
    graph = workflow.get("graph") if isinstance(workflow, dict) else None
    if not isinstance(workflow, dict) or not isinstance(graph, dict):
        return proposed.root
    nodes: list[JsonValue] = [
        _node(raw, ids, exits) for raw in items(proposed.root, "workflow", "graph", "nodes")
    ]
    edges: list[JsonValue] = [
        _edge(raw, ids, exits) for raw in items(proposed.root, "workflow", "graph", "edges")
    ]
    return {**proposed.root, "workflow": {**workflow, "graph": {**graph, "nodes": nodes, "edges": edges}}}


def _all_ids(before: Graph, after: Graph) -> dict[str, str]:
    """New id → base's id; a node that the base has not gets an id that is free there."""
    ids = pair_ids(before, after)
    taken = {*before.nodes, *ids.values()}
    for node in after.nodes:
        if node in ids:
            continue
        free, number = node, 2
        while free in taken:
            free, number = f"{node}_{number}", number + 1
        ids[node] = free
        taken.add(free)
    return ids


def _node(raw: JsonValue, ids: Mapping[str, str], exits: Mapping[tuple[str, str], str]) -> JsonValue:
    if not isinstance(raw, dict):
        return raw
    name = node_id(raw)
    found = rewritten(raw, ids)
    assert isinstance(found, dict)
    data = found.get("data")
    if isinstance(data, dict):
        found["data"] = _with_exits(data, name, exits)
    return {**found, "id": ids.get(name, name)}


def _with_exits(data: Data, name: str, exits: Mapping[tuple[str, str], str]) -> Data:
    kind = str(data.get("type") or "")
    if kind not in LISTS:
        return data
    list_name, key = LISTS[kind]
    entries: list[JsonValue] = []
    for entry in items(data, list_name):
        old = exits.get((name, str(entry.get(key)))) if isinstance(entry, dict) else None
        if old is None or not isinstance(entry, dict):
            entries.append(entry)
        else:
            entries.append({**entry, **{k: old for k in ("id", key) if k in entry}})
    return {**data, list_name: entries}


def _edge(raw: JsonValue, ids: Mapping[str, str], exits: Mapping[tuple[str, str], str]) -> JsonValue:
    wire = wire_of(raw)
    if wire is None or not isinstance(raw, dict):
        return raw
    source, handle, target = wire
    new = (ids.get(source, source), exits.get((source, handle), handle), ids.get(target, target))
    found = rewritten(raw, ids)
    assert isinstance(found, dict)
    if new != wire:
        found["id"] = "-".join((new[0], new[1], new[2], str(raw.get("targetHandle") or "target")))
    return {**found, "source": new[0], "sourceHandle": new[1], "target": new[2]}
