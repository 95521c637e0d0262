"""Which ways between nodes came or went, beyond those that follow from nodes that came or went."""

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import NamedTuple

from ragjudge.dsl.exits import exits
from ragjudge.dsl.graph import Edge, Graph


class Pairs(NamedTuple):
    """What of the new graph is what of the old one: nodes, and the exits of nodes that branch."""

    nodes: Mapping[str, str]
    exits: Mapping[tuple[str, str], str]

    def exit(self, edge: Edge) -> tuple[str, str]:
        """The old node and exit that a wire of the new graph begins at."""
        return self.nodes.get(edge.source, ""), self.exits.get((edge.source, edge.handle), edge.handle)


class Way(NamedTuple):
    """From an exit of a node that both graphs have to the next such node: by a wire, or through nodes of one of them.

    `end` is that node by its graph's own id. Where none follows, it is the one that the wire leads to, and not `known`.
    """

    wire: Edge
    end: str
    known: bool = True

    @property
    def through(self) -> str | None:
        return self.wire.target if self.wire.target != self.end else None

    @property
    def plain(self) -> bool:
        """A wire between nodes that both graphs have."""
        return self.known and self.through is None


class Rewired(NamedTuple):
    """What an exit led to, and what it leads to instead; None where there is nothing on that side."""

    was: Way | None
    now: Way | None


_Exit = tuple[str, str]
_End = tuple[str, bool]
_Ways = dict[_Exit, dict[_End, Way]]
"""By exit in the old graph's terms, then by the node at the end: its old id, or its own where it is not known."""


def rewired(old: Graph, new: Graph, pairs: Pairs) -> Iterator[Rewired]:
    """Exits that lead elsewhere, exit by exit.

    A way that now leads through added nodes, or led through removed ones, is told by those nodes already; unless it
    stands in another way's place, or nothing stands in its own.
    """
    before, after = _ways(old, Pairs({name: name for name in pairs.nodes.values()}, {})), _ways(new, pairs)
    lost = _lost_exits(old, pairs)
    for place in [*before, *(place for place in after if place not in before)]:
        then, now = before.get(place, {}), after.get(place, {})
        gone = [way for key, way in then.items() if key not in now]
        come = [way for key, way in now.items() if key not in then]
        yield from _at_exit(gone, come)
        if not now and place not in lost:
            yield from (Rewired(way, None) for way in gone if way.known and not way.plain)


def _at_exit(gone: list[Way], come: list[Way]) -> Iterator[Rewired]:
    """What went and what came at the same exit are one change; one of them is a wire that other lines don't tell."""
    for was, now in zip_longest(
        *(sorted(ways, key=lambda w: (not w.plain, not w.known)) for ways in (gone, come))
    ):
        if any(way is not None and way.plain for way in (was, now)):
            yield Rewired(was, now)


def _lost_exits(old: Graph, pairs: Pairs) -> set[_Exit]:
    """Exits of branching nodes that went; what went with them is told by the node."""
    left = {(pairs.nodes[new_id], name) for (new_id, _), name in pairs.exits.items()}
    return {(name, way) for name in pairs.nodes.values() for way in exits(old.nodes[name])} - left


def _ways(graph: Graph, pairs: Pairs) -> _Ways:
    follow: dict[str, list[str]] = {}
    for edge in graph.edges:
        follow.setdefault(edge.source, []).append(edge.target)
    reached: dict[str, list[str]] = {}
    found: _Ways = {}
    for edge in graph.edges:
        if edge.source not in pairs.nodes or edge.target not in graph.nodes:
            continue
        here = found.setdefault(pairs.exit(edge), {})
        if edge.target in pairs.nodes:
            here[pairs.nodes[edge.target], True] = Way(edge, edge.target)
            continue
        if edge.target not in reached:
            reached[edge.target] = _reached(edge.target, follow, pairs.nodes)
        for end in reached[edge.target]:
            here.setdefault((pairs.nodes[end], True), Way(edge, end))
        if not reached[edge.target]:
            here[edge.target, False] = Way(edge, edge.target, known=False)
    return found


def _reached(start: str, follow: Mapping[str, list[str]], known: Mapping[str, str]) -> list[str]:
    """The first known nodes behind an unknown one."""
    waiting, seen = [start], {start}
    found: list[str] = []
    while waiting:
        for target in follow.get(waiting.pop(), ()):
            if target in seen:
                continue
            seen.add(target)
            (found if target in known else waiting).append(target)
    return found
