"""Which exits lead elsewhere, in words."""

from collections.abc import Iterator
from typing import NamedTuple

from ragjudge.dsl.change import Change
from ragjudge.dsl.exits import exit_name
from ragjudge.dsl.graph import Edge, Graph, GraphNode
from ragjudge.dsl.load import Dsl
from ragjudge.dsl.wiring import Pairs, Rewired, Way, rewired
from ragjudge.language import Text


class Side(NamedTuple):
    """One of the two exports."""

    graph: Graph
    dsl: Dsl


def wire_changes(old: Side, new: Side, pairs: Pairs) -> Iterator[Change]:
    """One line per exit and node that it leads to now, or no longer."""
    for one in rewired(old.graph, new.graph, pairs):
        yield _told(one, old, new, pairs)


def named_source(graph: Graph, wire: Edge, old: GraphNode | None = None) -> Text:
    """The node that a wire begins at, with its exit where it has several; numbered as in `old`, if that is given."""
    title, node = graph.title(wire.source), graph.nodes.get(wire.source)
    name = exit_name(node, wire.handle, old) if node is not None else None
    if name is None:
        return Text(f"“{title}”", f"「{title}」")
    return Text(f"“{title}” ({name.en})", f"「{title}」({name.ja})")


def _told(one: Rewired, old: Side, new: Side, pairs: Pairs) -> Change:
    side, way = (old, one.was) if one.now is None else (new, one.now)
    assert way is not None
    here = old.graph.nodes.get(pairs.nodes.get(way.wire.source, "")) if side is new else None
    source = named_source(side.graph, way.wire, here)
    if one.was is not None and one.now is not None:
        then, now = _end(old, one.was), _end(new, one.now)
        text = Text(
            f"Wire of {source.en} leads to {now.en} instead of {then.en}",
            f"{source.ja}の接続先を{then.ja}から{now.ja}に変更",
        )
    elif not way.plain:
        end = _end(side, way)
        text = Text(
            f"Wire of {source.en} leads to nothing instead of {end.en}",
            f"{source.ja}の接続先がなくなりました(以前は{end.ja})",
        )
    else:
        end = _end(side, way)
        verb = Text("removed", "削除") if side is old else Text("added", "追加")
        text = Text(f"Wire {verb.en}: {source.en} → {end.en}", f"接続を{verb.ja}: {source.ja}→{end.ja}")
    return Change(text, side.dsl.place(*way.wire.path), node=side.graph.title(way.wire.source))


def _end(side: Side, way: Way) -> Text:
    title = side.graph.title(way.end)
    if way.through is None:
        return Text(f"“{title}”", f"「{title}」")
    through = side.graph.title(way.through)
    return Text(f"“{title}” through “{through}”", f"「{through}」経由の「{title}」")
