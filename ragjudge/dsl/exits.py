"""The exits of a node that branches: which exit of the new export is which exit of the old one."""

from collections.abc import Mapping

from pydantic import JsonValue

from ragjudge.dsl.graph import GraphNode
from ragjudge.dsl.load import Data, items

LISTS = {"if-else": ("cases", "case_id"), "question-classifier": ("classes", "id")}
"""Nodes that branch: the list of their exits, and the key of an exit's name."""


def exits(node: GraphNode) -> list[str]:
    """Names of the exits in order, as the wires call them; empty for a node that does not branch."""
    if node.type not in LISTS:
        return []
    name, key = LISTS[node.type]
    return [str(entry.get(key)) for entry in items(node.data, name) if isinstance(entry, dict)]


def pair_exits(old: GraphNode, new: GraphNode) -> dict[str, str]:
    """New exit → old exit: the same name, else what is left in order."""
    before, after = exits(old), exits(new)
    pairs = {name: name for name in after if name in before}
    left = [name for name in before if name not in pairs]
    right = [name for name in after if name not in pairs]
    return pairs | dict(zip(right, left, strict=False))


def exit_numbers(node: GraphNode, old: GraphNode | None = None) -> dict[str, int]:
    """Exits by number from 1; those that `old` has too keep its numbers, others follow."""
    order = {name: number for number, name in enumerate(exits(old or node), start=1)}
    if old is None:
        return order
    paired = pair_exits(old, node)
    added = [name for name in exits(node) if name not in paired]
    return {name: order[then] for name, then in paired.items()} | {
        name: number for number, name in enumerate(added, start=len(order) + 1)
    }


def numbered(node: GraphNode, order: Mapping[str, int]) -> Data:
    """The node's settings with its exits named by number, so that a person can tell which is meant."""
    if node.type not in LISTS:
        return node.data
    name, key = LISTS[node.type]
    entries: list[JsonValue] = [
        {**entry, **dict.fromkeys(("id", key), str(order.get(str(entry.get(key)), 0)))}
        for entry in items(node.data, name)
        if isinstance(entry, dict)
    ]
    return {**node.data, name: entries}
