"""The nodes and wires that differ, and which of them need each other. Both graphs are in the base's terms already."""

from collections.abc import Hashable, Iterator
from typing import NamedTuple

from ragjudge.dsl.changes_wires import named_source
from ragjudge.dsl.edits import NodeEdit, Wire, WireEdit
from ragjudge.dsl.exits import exit_numbers, exits, numbered
from ragjudge.dsl.graph import START_TYPES, Edge, Graph, GraphNode, graph_of, settings_of
from ragjudge.dsl.joining import Piece
from ragjudge.dsl.leaves import differences
from ragjudge.dsl.load import Dsl, items
from ragjudge.dsl.one_graph import Raw, raw_of
from ragjudge.dsl.references import references
from ragjudge.language import Text

_PLAIN_EXITS = frozenset({"source", "target"})
_ELSE = frozenset({"true", "false"})
"""Exits of a branch that stand in no list."""
VARIABLES = {"env": "environment_variables", "conversation": "conversation_variables"}
"""Scopes of the app's own variables, and where an export keeps them."""


class _Side(NamedTuple):
    graph: Graph
    raw: Raw
    names: dict[str, str]


def pieces(base: Dsl, proposed: Dsl) -> Iterator[Piece]:
    """One piece per node and wire that differs, nodes first."""
    before, after = (_side(dsl) for dsl in (base, proposed))
    yield from _nodes(before, after)
    yield from _wires(before, after)


def node_key(name: str) -> Hashable:
    return ("node", name)


def variable_key(list_name: str, name: str) -> Hashable:
    return (list_name, name)


def _side(dsl: Dsl) -> _Side:
    graph = graph_of(dsl)
    return _Side(graph, raw_of(dsl.root, graph), graph.names())


def _nodes(before: _Side, after: _Side) -> Iterator[Piece]:
    order = [*after.raw.nodes, *(name for name in before.raw.nodes if name not in after.raw.nodes)]
    for name in order:
        old, new = before.graph.nodes.get(name), after.graph.nodes.get(name)
        if old is not None and new is not None and not _differ(old, new):
            continue
        yield Piece(
            key=node_key(name),
            edit=NodeEdit(name, after.raw.nodes.get(name)),
            name=_called(before, after, name),
            needs=(*_read(old), *_read(new), *_around(old), *_around(new)),
        )


def _differ(old: GraphNode, new: GraphNode) -> bool:
    """As the diff sees it, or in another loop."""
    then, now = numbered(old, exit_numbers(old)), numbered(new, exit_numbers(new, old))
    return old.parent != new.parent or any(differences(settings_of(then), settings_of(now)))


def _called(before: _Side, after: _Side, name: str) -> Text:
    if name not in before.graph.nodes:
        title = after.names[name]
        return Text(f"new node “{title}”", f"追加したノード「{title}」")
    if name not in after.graph.nodes:
        title = before.names[name]
        return Text(f"removed node “{title}”", f"削除したノード「{title}」")
    title = after.names[name]
    return Text(f"node “{title}”", f"ノード「{title}」")


def _read(node: GraphNode | None) -> Iterator[Hashable]:
    """What the node reads. A node that came or went is named by its own edit; a field of the form or a variable of
    the app, by the edit that brings it or takes it away.
    """
    if node is None:
        return
    for reference in references(node):
        yield ("only", reference.source)
        name = reference.variable.partition(".")[0]
        yield ("field", reference.source, name)
        if reference.source in VARIABLES:
            yield ("variable", VARIABLES[reference.source], name)


def _around(node: GraphNode | None) -> Iterator[Hashable]:
    if node is not None and node.parent is not None:
        yield ("only", node.parent)


def _wires(before: _Side, after: _Side) -> Iterator[Piece]:
    gone = [wire for wire in before.raw.wires if wire not in after.raw.wires]
    come = [wire for wire in after.raw.wires if wire not in before.raw.wires]
    for wire in come:
        yield Piece(
            key=("wire", wire),
            edit=WireEdit(wire, after.raw.wires[wire]),
            name=_wire_name(after, wire, before),
            needs=(*_ends(wire), *_new_exit(wire, after, before)),
        )
    for wire in gone:
        yield Piece(
            key=("wire", wire),
            edit=WireEdit(wire, None),
            name=_wire_name(before, wire, before),
            needs=(*_ends(wire), *_new_exit(wire, before, after), *_instead(wire, come)),
        )


def _ends(wire: Wire) -> Iterator[Hashable]:
    source, _, target = wire
    yield ("only", source)
    yield ("only", target)


def _new_exit(wire: Wire, here: _Side, there: _Side) -> Iterator[Hashable]:
    """A wire at an exit that only one of the two has needs the change of that node."""
    source, handle, _ = wire
    here_node, there_node = here.graph.nodes.get(source), there.graph.nodes.get(source)
    if handle in _PLAIN_EXITS or (there_node is not None and handle in exits(there_node)):
        return
    if handle not in _ELSE or (here_node is not None and handle in exits(here_node)):
        yield node_key(source)


def _instead(wire: Wire, come: list[Wire]) -> Iterator[Hashable]:
    """The wires that lead elsewhere from the same exit, or here from elsewhere: without them the way would end."""
    source, handle, target = wire
    for other in come:
        if other[:2] == (source, handle) or other[2] == target:
            yield ("wire", other)


def _wire_name(side: _Side, wire: Wire, base: _Side) -> Text:
    source = named_source(side.graph, Edge(*wire, path=()), base.graph.nodes.get(wire[0]))
    target = side.graph.title(wire[2])
    return Text(f"wire {source.en} → “{target}”", f"接続{source.ja}→「{target}」")


def aliases(base: Dsl, proposed: Dsl) -> dict[Hashable, Hashable]:
    """Which edit a need stands for: that of a node that came or went, of a form's field, of a variable."""
    before, after = graph_of(base), graph_of(proposed)
    found: dict[Hashable, Hashable] = {
        ("only", name): node_key(name) for name in before.nodes.keys() ^ after.nodes.keys()
    }
    for name in before.nodes.keys() & after.nodes.keys():
        then, now = (_fields(graph.nodes[name]) for graph in (before, after))
        found |= {("field", name, field): node_key(name) for field in then ^ now}
    for list_name in VARIABLES.values():
        then, now = (_names(dsl, list_name) for dsl in (base, proposed))
        found |= {("variable", list_name, name): variable_key(list_name, name) for name in then ^ now}
    return found


def _fields(node: GraphNode) -> set[str]:
    if node.type not in START_TYPES:
        return set()
    return {str(raw.get("variable")) for raw in items(node.data, "variables") if isinstance(raw, dict)}


def _names(dsl: Dsl, list_name: str) -> set[str]:
    return {str(raw.get("name")) for raw in items(dsl.root, "workflow", list_name) if isinstance(raw, dict)}
