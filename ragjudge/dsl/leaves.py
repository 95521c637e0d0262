"""What differs between two values of an export, leaf by leaf, whatever the order of keys and unordered lists."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import JsonValue

Steps = tuple[str, ...]

ABSENT = object()
LAYOUT = frozenset(
    {
        "position", "positionAbsolute", "width", "height", "selected", "dragging", "zIndex", "sourcePosition",
        "targetPosition", "viewport", "desc", "isInIteration", "isInLoop", "_isBundled", "_connectedSourceHandleIds",
        "_connectedTargetHandleIds", "_runningStatus", "_targetBranches", "created_at", "updated_at", "created_by",
        "updated_by", "hash",
    }
)  # fmt: skip
"""How the canvas looks, and who touched it when: no part of what the app does."""
_UNORDERED = frozenset(
    {"dataset_ids", "allowed_file_types", "allowed_file_extensions", "allowed_file_upload_methods"}
)
_NAMES = ("variable", "name", "key", "tool_name", "role")
_NO_MEANING = frozenset({"id", "selector"})
"""Of entries that have a name: the id is made anew at each import."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One difference. `old` or `new` is ABSENT where there is nothing on that side."""

    steps: Steps
    old: JsonValue | object
    new: JsonValue | object


def differences(old: JsonValue | object, new: JsonValue | object, steps: Steps = ()) -> Iterator[Leaf]:
    """Every leaf that differs. A selector, a list of plain values and a value that changed its type are leaves."""
    if _equal(old, new, steps):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(k for k in new if k not in old)]:
            if key not in LAYOUT:
                yield from differences(old.get(key, ABSENT), new.get(key, ABSENT), (*steps, key))
    elif (_entries(old) or _entries(new)) and all(_nothing(v) or _entries(v) for v in (old, new)):
        before, after = (_named(v) if isinstance(v, list) else {} for v in (old, new))
        for name in [*before, *(n for n in after if n not in before)]:
            yield from differences(before.get(name, ABSENT), after.get(name, ABSENT), (*steps, name))
    else:
        yield Leaf(steps, old, new)


def _equal(old: object, new: object, steps: Steps) -> bool:
    if _nothing(old) and _nothing(new):
        return True
    if steps and steps[-1] in _UNORDERED and isinstance(old, list) and isinstance(new, list):
        return sorted(map(str, old)) == sorted(map(str, new))
    return type(old) is type(new) and old == new


def _nothing(value: object) -> bool:
    """An empty text, list or mapping, null and a missing key mean the same to Dify."""
    return value is ABSENT or value is None or value in ("", [], {})


def _entries(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _named(entries: list[JsonValue]) -> dict[str, JsonValue]:
    """Entries by name (their place where they have none), without what is made anew at each import."""
    found: dict[str, JsonValue] = {}
    for number, raw in enumerate(entries, start=1):
        entry = _unwrapped(raw)
        name = next((str(entry[key]) for key in _NAMES if entry.get(key)), "")
        name = name or (str(entry["type"]) if entry is not raw else "")
        key = name or f"#{number}"
        while key in found:
            key = f"{name} #{number}"
            number += 1  # noqa: PLW2901 - a second entry of one name gets the next free number
        found[key] = {k: v for k, v in entry.items() if k not in _NO_MEANING or entry is not raw or not name}
    return found


def _unwrapped(raw: JsonValue) -> dict[str, JsonValue]:
    """Form fields and datasets of basic apps stand in a mapping of one key, their kind."""
    assert isinstance(raw, dict)
    if len(raw) == 1:
        ((kind, inner),) = raw.items()
        if isinstance(inner, dict):
            return {"type": kind, **inner}
    return raw
