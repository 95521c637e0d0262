"""What changed among the nodes and wires of a chatflow or workflow."""

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from ragjudge.dsl.change import Change, of_leaf
from ragjudge.dsl.changes_wires import Side, wire_changes
from ragjudge.dsl.exits import exit_numbers, numbered, pair_exits
from ragjudge.dsl.graph import GraphNode, graph_of, settings_of
from ragjudge.dsl.leaves import Leaf, differences
from ragjudge.dsl.load import Dsl
from ragjudge.dsl.matching import pair_ids, rewritten
from ragjudge.dsl.references import BUILT_IN, SELECTORS
from ragjudge.dsl.wiring import Pairs
from ragjudge.language import Text

_MAY_SELECT = frozenset({"value", "variables"})
"""Settings that hold a selector, or selectors, where no key says so."""


def graph_changes(old: Dsl, new: Dsl) -> Iterator[Change]:
    """Nodes that went, nodes that came or changed, then wires."""
    before, after = graph_of(old), graph_of(new)
    ids = pair_ids(before, after)
    kept = set(ids.values())
    names = before.names() | {i: name for i, name in after.names().items() if i not in ids}
    for node in before.nodes.values():
        if node.id not in kept:
            en, ja = (
                f"Node “{node.title}” ({node.type}) removed",
                f"ノード「{node.title}」({node.type})を削除",
            )
            yield Change(Text(en, ja), old.place(*node.path), node=node.title)
    for node in after.nodes.values():
        if node.id in ids:
            was = before.nodes[ids[node.id]]
            yield from _node(was, node, ids, new, names)
            yield from _moved(was, node, ids, new, names)
        else:
            en, ja = f"Node “{node.title}” ({node.type}) added", f"ノード「{node.title}」({node.type})を追加"
            yield Change(Text(en, ja), new.place(*node.path), node=node.title)
    exits = {
        (new_id, name): then
        for new_id, old_id in ids.items()
        for name, then in pair_exits(before.nodes[old_id], after.nodes[new_id]).items()
    }
    yield from wire_changes(Side(before, old), Side(after, new), Pairs(ids, exits))


def _node(
    old: GraphNode, new: GraphNode, ids: Mapping[str, str], dsl: Dsl, names: Mapping[str, str]
) -> Iterator[Change]:
    """`names` are the nodes' names for a reader, by old id, or by new id where a node is new."""
    before, after = numbered(old, exit_numbers(old)), rewritten(numbered(new, exit_numbers(new, old)), ids)
    assert isinstance(after, dict)
    subject = Text(f"Node “{new.title}”: ", f"ノード「{new.title}」: ")
    for leaf in differences(settings_of(before), settings_of(after)):
        told = Leaf(leaf.steps, *(_readable(side, names, leaf.steps[-1]) for side in (leaf.old, leaf.new)))
        yield from of_leaf(told, subject, dsl.place(*new.path, "data", *leaf.steps), node=new.title)


def _moved(
    old: GraphNode, new: GraphNode, ids: Mapping[str, str], dsl: Dsl, names: Mapping[str, str]
) -> Iterator[Change]:
    """Into a loop or iteration, out of it, or into another."""
    then, now = old.parent, None if new.parent is None else ids.get(new.parent, new.parent)
    if then == now:
        return
    left, into = (names.get(parent or "", parent) for parent in (then, now))
    if now is None:
        en, ja = f"taken out of “{left}”", f"「{left}」の外に移動"
    elif then is None:
        en, ja = f"moved into “{into}”", f"「{into}」の中に移動"
    else:
        en, ja = f"moved from “{left}” into “{into}”", f"「{left}」から「{into}」の中に移動"
    text = Text(f"Node “{new.title}”: {en}", f"ノード「{new.title}」: {ja}")
    yield Change(text, dsl.place(*new.path), node=new.title)


def _readable(value: JsonValue | object, names: Mapping[str, str], key: str = "") -> JsonValue | object:
    """With the titles of nodes in place of their ids; a selector as `title.variable`, or `sys.variable`."""
    if isinstance(value, list):
        first = value[0] if len(value) > 1 and isinstance(value[0], str) else ""
        if first in names or (first in BUILT_IN and (SELECTORS.search(key) or key in _MAY_SELECT)):
            return ".".join(map(str, [names.get(first, first), *value[1:]]))
        return [_readable(entry, names, key) for entry in value]
    if isinstance(value, dict):
        return {name: _readable(entry, names, name) for name, entry in value.items()}
    return rewritten(value, names) if isinstance(value, str) else value
