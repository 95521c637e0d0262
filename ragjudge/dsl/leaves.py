"""What differs between two values of an export, leaf by leaf, whatever the order of keys and unordered lists."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

Steps = tuple[str, ...]

ABSENT = object()
ORDER = "order"
"""Last step of a leaf that tells the entries' order."""
_UNORDERED = frozenset(
    {"dataset_ids", "allowed_file_types", "allowed_file_extensions", "allowed_file_upload_methods"}
)
_ANY_ORDER = frozenset({"variables", "user_input_form", "tools", "outputs", "classes", "datasets", "data"})
"""Lists of named entries whose order decides nothing; of every other list it is told."""
_DATASET = "dataset"
"""Datasets of a basic app have no name but their id, which is no other after an import."""
NAMES = ("variable", "name", "key", "tool_name", "role", "label")
"""What an entry is called by: the first of these that it has."""
_NAMED_BY = {"classes": "id", "cases": "case_id"}
_NO_MEANING = frozenset({"id", "selector"})
"""Of entries that have a name: the id is made anew at each import."""
_NO_NAME = frozenset({"conditions", "prompt_template", "loop_variables", "break_conditions"})
"""Lists of entries that often have no name; their ids are made anew as well."""


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
            yield from differences(old.get(key, ABSENT), new.get(key, ABSENT), (*steps, key))
    elif (_entries(old) or _entries(new)) and all(nothing(v) or _entries(v) for v in (old, new)):
        yield from _of_entries(old, new, steps)
    else:
        yield Leaf(steps, old, new)


def _of_entries(old: JsonValue | object, new: JsonValue | object, steps: Steps) -> Iterator[Leaf]:
    kind = steps[-1] if steps else ""
    before, after = (_named(v, kind) if isinstance(v, list) else {} for v in (old, new))
    for then, now in _replaced(before, after):
        yield from differences(before.pop(then), after.pop(now), (*steps, _DATASET))
    for name in [*before, *(n for n in after if n not in before)]:
        yield from differences(before.get(name, ABSENT), after.get(name, ABSENT), (*steps, *name))
    order = [
        [".".join(name) for name in these if name in others]
        for these, others in ((before, after), (after, before))
    ]
    if order[0] != order[1] and kind not in _ANY_ORDER:
        yield Leaf((*steps, ORDER), *(list[JsonValue](names) for names in order))


def _replaced(
    before: Mapping[Steps, JsonValue], after: Mapping[Steps, JsonValue]
) -> list[tuple[Steps, Steps]]:
    """Datasets that stand in for each other, in order: one that went and one that came are one change."""
    gone, come = (
        [name for name in these if name[:-1] == (_DATASET,) and name not in others]
        for these, others in ((before, after), (after, before))
    )
    return list(zip(gone, come, strict=False))


def _equal(old: object, new: object, steps: Steps) -> bool:
    if nothing(old) and nothing(new):
        return True
    if steps and steps[-1] in _UNORDERED and isinstance(old, list) and isinstance(new, list):
        return sorted(map(str, old)) == sorted(map(str, new))
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in (old, new))
    return (numbers or type(old) is type(new)) and old == new


def nothing(value: object) -> bool:
    """An empty text, list or mapping, null and a missing key mean the same to Dify."""
    return value is ABSENT or value is None or value in ("", [], {})


def _entries(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _named(entries: list[JsonValue], kind: str) -> dict[Steps, JsonValue]:
    """Entries by name (their place where they have none), without what is made anew at each import."""
    found: dict[Steps, JsonValue] = {}
    for number, raw in enumerate(entries, start=1):
        entry = _unwrapped(raw)
        wrapped = entry is not raw
        name = _name(entry, kind) or (str(entry["type"]) if wrapped else "")
        dropped = _NO_MEANING if (name or kind in _NO_NAME) and not wrapped else frozenset[str]()
        above = (_DATASET,) if wrapped and name == _DATASET else ()
        name = str(entry.get("id") or name) if above else name
        key, again = (*above, name or f"#{number}"), 2
        while key in found:
            key, again = (*above, f"{name} #{again}"), again + 1
        found[key] = {k: v for k, v in entry.items() if k not in dropped}
    return found


def _name(entry: dict[str, JsonValue], kind: str) -> str:
    keys = (_NAMED_BY[kind],) if kind in _NAMED_BY else NAMES
    return next((str(entry[key]) for key in keys if isinstance(entry.get(key), str) and entry[key]), "")


def _unwrapped(raw: JsonValue) -> dict[str, JsonValue]:
    """Form fields and datasets of basic apps stand in a mapping of one key, their kind."""
    assert isinstance(raw, dict)
    if len(raw) == 1:
        ((kind, inner),) = raw.items()
        if isinstance(inner, dict):
            return {"type": kind, **inner}
    return raw
