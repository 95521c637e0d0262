"""The exits of a node that branches: which exit of the new export is which exit of the old one."""

from collections.abc import Mapping

from pydantic import JsonValue

from ragjudge.dsl.graph import GraphNode
from ragjudge.dsl.load import Data, items
from ragjudge.dsl.masking import masked
from ragjudge.language import Text

LISTS = {"if-else": ("cases", "case_id"), "question-classifier": ("classes", "id")}
"""Nodes that branch: the list of their exits, and the key of an exit's name."""
_PLAIN = "source"
_ON_ERROR = "fail-branch"
_ON_SUCCESS = frozenset({_PLAIN, "success-branch"})
_IF, _ELSE = "true", "false"
_LONG = 40


def exits(node: GraphNode) -> list[str]:
    """Names of the exits in order, as the wires call them; empty for a node that does not branch."""
    if node.type not in LISTS:
        return []
    name, key = LISTS[node.type]
    return [str(entry.get(key)) for entry in items(node.data, name) if isinstance(entry, dict)]


def has_exit(node: GraphNode, handle: str) -> bool:
    """Whether a wire can leave there. Of a node that does not branch by a list, whatever its wires say."""
    if node.type not in LISTS or handle == _ON_ERROR:
        return True
    name, key = LISTS[node.type]
    entries = [entry for entry in items(node.data, name) if isinstance(entry, dict)]
    known = {str(entry[k]) for entry in entries for k in (key, "id") if entry.get(k) is not None}
    if node.type == "if-else":
        known |= {_ELSE} if entries else {_IF, _ELSE}
    return handle in known


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


def exit_name(node: GraphNode, handle: str, old: GraphNode | None = None) -> Text | None:
    """What a reader calls the exit of a node that has several; None for the only one of a node."""
    number = exit_numbers(node, old).get(handle)
    if node.type == "question-classifier" and number is not None:
        return _class(node, handle, number)
    if node.type == "if-else" and (number is not None or handle in (_IF, _ELSE)):
        branch = 1 if number is None else number
        elsewhere = number is None and handle == _ELSE
        return Text("else", "ELSE") if elsewhere else Text(f"branch {branch}", f"分岐{branch}")
    if handle == _ON_ERROR:
        return Text("on error", "エラー時")
    if handle in _ON_SUCCESS:
        several = handle != _PLAIN or node.data.get("error_strategy") == _ON_ERROR
        return Text("on success", "正常時") if several else None
    return Text(f"exit {_short(handle)}", f"出口「{_short(handle)}」")


def _class(node: GraphNode, handle: str, number: int) -> Text:
    entries = (entry for entry in items(node.data, "classes") if isinstance(entry, dict))
    name = next(str(entry.get("name") or "") for entry in entries if str(entry.get("id")) == handle)
    if not name.strip():
        return Text(f"class {number}", f"分類{number}")
    return Text(f"class “{_short(name)}”", f"分類「{_short(name)}」")


def _short(text: str) -> str:
    one = masked(" ".join(text.split()))
    return one if len(one) <= _LONG else one[:_LONG] + "…"
