"""The nodes and edges of a chatflow or workflow, by id, with what of them matters."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from ragjudge.dsl.load import Data, Dsl, Path, items, part

START_TYPES = frozenset({"start", "trigger-webhook", "trigger-schedule", "trigger-plugin"})
INNER_STARTS = frozenset({"iteration-start", "loop-start"})
NOTES = frozenset({"custom-note"})
"""Sticky notes of the canvas: no part of the app."""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """One node. `data` holds its settings; `path` is where it stands in the file; `parent` its loop or iteration."""

    id: str
    type: str
    title: str
    data: Data
    path: Path
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """A wire from one node's exit to another node."""

    source: str
    handle: str
    target: str
    path: Path


@dataclass(frozen=True, slots=True)
class Graph:
    nodes: Mapping[str, GraphNode] = field(default_factory=dict)
    edges: tuple[Edge, ...] = ()
    repeated: tuple[GraphNode, ...] = ()
    """Nodes whose id an earlier node has already."""

    def title(self, node_id: str) -> str:
        node = self.nodes.get(node_id)
        return node.title if node is not None else node_id

    def names(self) -> dict[str, str]:
        """A name for a reader by id: the title, with a number where several nodes have it."""
        seen: dict[str, int] = {}
        found = {}
        for node in self.nodes.values():
            seen[node.title] = seen.get(node.title, 0) + 1
            number = seen[node.title]
            found[node.id] = node.title if number == 1 else f"{node.title} #{number}"
        return found

    def of_type(self, *types: str) -> Iterator[GraphNode]:
        return (node for node in self.nodes.values() if node.type in types)


_LAYOUT = frozenset(
    {"selected", "desc", "isInIteration", "isInLoop", "width", "height", "position", "iteration_id", "loop_id", "type"}
)  # fmt: skip


def settings_of(data: Data) -> Data:
    """What a node does: its `data` without its looks, its place and what the canvas notes for itself."""
    return {key: value for key, value in data.items() if key not in _LAYOUT and not key.startswith("_")}


def graph_of(dsl: Dsl) -> Graph:
    """The graph of an export; empty for an app without one."""
    nodes: dict[str, GraphNode] = {}
    repeated = []
    for number, raw in enumerate(items(dsl.root, "workflow", "graph", "nodes")):
        node = _node(raw, ("workflow", "graph", "nodes", number))
        if node is None:
            continue
        if node.id in nodes:
            repeated.append(node)
        else:
            nodes[node.id] = node
    edges = [
        _edge(raw, ("workflow", "graph", "edges", number))
        for number, raw in enumerate(items(dsl.root, "workflow", "graph", "edges"))
        if isinstance(raw, dict)
    ]
    return Graph(nodes, tuple(edges), tuple(repeated))


def _node(raw: JsonValue, path: Path) -> GraphNode | None:
    if not isinstance(raw, dict) or str(raw.get("type")) in NOTES:
        return None
    data = part(raw, "data")
    node_type = str(data.get("type") or "")
    node_id = str(raw.get("id") or "")
    parent = raw.get("parentId") or data.get("iteration_id") or data.get("loop_id")
    return GraphNode(
        id=node_id,
        type=node_type,
        title=str(data.get("title") or node_id),
        data=data,
        path=path,
        parent=str(parent) if parent else None,
    )


def _edge(raw: Data, path: Path) -> Edge:
    return Edge(
        source=str(raw.get("source") or ""),
        handle=str(raw.get("sourceHandle") or "source"),
        target=str(raw.get("target") or ""),
        path=path,
    )
