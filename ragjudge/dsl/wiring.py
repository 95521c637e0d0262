"""Which wires between nodes came or went, beyond those that follow from nodes that came or went."""

from collections.abc import Mapping
from typing import NamedTuple

from ragjudge.dsl.graph import Edge, Graph


class Rewired(NamedTuple):
    gone: tuple[Edge, ...]
    come: tuple[Edge, ...]


class Pairs(NamedTuple):
    """What of the new graph is what of the old one: nodes, and the exits of nodes that branch."""

    nodes: Mapping[str, str]
    exits: Mapping[tuple[str, str], str]

    def exit(self, edge: Edge) -> tuple[str, str]:
        """The old node and exit that a wire of the new graph begins at."""
        return self.nodes.get(edge.source, ""), self.exits.get((edge.source, edge.handle), edge.handle)


def rewired(old: Graph, new: Graph, pairs: Pairs) -> Rewired:
    """Wires between nodes that both graphs have.

    A wire that now leads through added nodes, or led through removed ones, is told by those nodes already.
    """
    ids = pairs.nodes
    kept = set(ids.values())
    before = {(e.source, e.handle, e.target): e for e in old.edges if e.source in kept and e.target in kept}
    after = {(*pairs.exit(e), ids[e.target]): e for e in new.edges if e.source in ids and e.target in ids}
    through_new = _detours(new, {old_id: new_id for new_id, old_id in ids.items()})
    through_old = _detours(old, {old_id: old_id for old_id in kept})
    gone = [edge for key, edge in before.items() if key not in after and (key[0], key[2]) not in through_new]
    come = [edge for key, edge in after.items() if key not in before and (key[0], key[2]) not in through_old]
    return Rewired(tuple(gone), tuple(come))


def _detours(graph: Graph, kept: Mapping[str, str]) -> set[tuple[str, str]]:
    """Pairs of kept nodes (by old id) that are joined by a way over nodes of this graph alone."""
    here = {new_id: old_id for old_id, new_id in kept.items()}
    following: dict[str, set[str]] = {}
    for edge in graph.edges:
        following.setdefault(edge.source, set()).add(edge.target)
    found = set()
    for start, old_id in here.items():
        waiting = [target for target in following.get(start, ()) if target not in here]
        seen = set(waiting)
        while waiting:
            for target in following.get(waiting.pop(), ()):
                if target in here:
                    found.add((old_id, here[target]))
                elif target not in seen:
                    seen.add(target)
                    waiting.append(target)
    return found
