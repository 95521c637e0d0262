"""The part of JSON Schema (2020-12) that checks of an answer need: what a schema may hold, and what does not fit it.

Pure. A keyword that is not known here is refused when the suite is read, never silently passed over.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NoReturn

from pydantic import JsonValue

Search = Callable[[str, str], bool]
"""(pattern, text) → does the pattern occur?"""

_NOTES = frozenset({"$schema", "$id", "$comment", "title", "description", "default", "examples", "format"})
_SCHEMAS = ("additionalProperties", "items", "not")
_LISTS = ("allOf", "anyOf", "oneOf")
_COUNTS = ("minItems", "maxItems", "minLength", "maxLength")
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
_OTHERS = ("type", "enum", "const", "properties", "required", "pattern")
KEYWORDS = (*_OTHERS, *_SCHEMAS, *_LISTS, *_COUNTS, *_BOUNDS)


class NotJson(ValueError):
    """The text is no JSON value. `at` is the line and column where that shows, from 1."""

    def __init__(self, why: str, at: tuple[int, int] | None = None) -> None:
        super().__init__(why)
        self.at = at


def parse(text: str) -> JsonValue:
    """A whole text as JSON; numbers that JSON has not (NaN) are refused. Raises NotJson."""

    def refuse(name: str) -> NoReturn:
        raise NotJson(f"{name} is not JSON")

    try:
        value: JsonValue = json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError) as broken:
        at = (broken.lineno, broken.colno) if isinstance(broken, json.JSONDecodeError) else None
        raise NotJson(str(broken), at) from None
    return value


def schema_fault(schema: JsonValue, where: str = "") -> str | None:
    """The path of the first thing in a schema that can't be used; None where all can."""
    if isinstance(schema, bool):
        return None
    if not isinstance(schema, dict):
        return where or "/"
    for key, value in schema.items():
        at = f"{where}/{key}"
        fault = None if key in _NOTES else _keyword_fault(key, value, at)
        if fault is not None:
            return fault
    return None


def _keyword_fault(key: str, value: JsonValue, at: str) -> str | None:
    inner: Iterator[tuple[JsonValue, str]] = iter(())
    good = key in KEYWORDS
    if key in _SCHEMAS:
        inner = iter([(value, at)])
    elif key in _LISTS:
        good = isinstance(value, list) and bool(value)
        inner = ((one, f"{at}/{i}") for i, one in enumerate(value if isinstance(value, list) else []))
    elif key == "properties":
        good = isinstance(value, dict)
        inner = ((one, f"{at}/{name}") for name, one in (value if isinstance(value, dict) else {}).items())
    elif good:
        good = _is_good_value(key, value)
    if not good:
        return at
    return next((fault for one, path in inner if (fault := schema_fault(one, path)) is not None), None)


def _is_good_value(key: str, value: JsonValue) -> bool:
    match key:
        case "type":
            names = value if isinstance(value, list) else [value]
            return bool(names) and all(name in _TYPES for name in names)
        case "enum":
            return isinstance(value, list) and bool(value)
        case "required":
            return isinstance(value, list) and all(isinstance(name, str) for name in value)
        case "pattern":
            return isinstance(value, str) and _compiles(value)
        case "const":
            return True
        case _ if key in _COUNTS:
            return isinstance(value, int) and not isinstance(value, bool) and value >= 0
        case _:
            return isinstance(value, (int, float)) and not isinstance(value, bool)


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def mismatch(value: JsonValue, schema: JsonValue, search: Search, where: str = "") -> str | None:
    """The first place where the value does not fit a usable schema, as `path: keyword`; None where it fits."""
    if isinstance(schema, bool):
        return None if schema else f"{where or '/'}: not allowed"
    assert isinstance(schema, dict)
    for key, rule in schema.items():
        if key not in _NOTES and (
            found := _broken(value, key, rule, schema=schema, search=search, where=where)
        ):
            return found
    return None


def _broken(
    value: JsonValue,
    key: str,
    rule: JsonValue,
    *,
    schema: Mapping[str, JsonValue],
    search: Search,
    where: str,
) -> str | None:
    here = where or "/"
    if key in _LISTS or key == "not":
        return None if _combined(value, key, rule, search) else f"{here}: {key}"
    if isinstance(value, dict) and key in ("properties", "additionalProperties", "required"):
        return _in_object(value, key, rule, schema=schema, search=search, where=where)
    if isinstance(value, list) and key == "items":
        found = (mismatch(item, rule, search, f"{where}/{i}") for i, item in enumerate(value))
        return next(filter(None, found), None)
    return None if _holds(value, key, rule, search) else f"{here}: {key}"


def _combined(value: JsonValue, key: str, rule: JsonValue, search: Search) -> bool:
    schemas = rule if isinstance(rule, list) else [rule]
    fitting = sum(mismatch(value, schema, search) is None for schema in schemas)
    return {
        "allOf": fitting == len(schemas),
        "anyOf": fitting > 0,
        "oneOf": fitting == 1,
        "not": fitting == 0,
    }[key]


def _in_object(
    value: Mapping[str, JsonValue],
    key: str,
    rule: JsonValue,
    *,
    schema: Mapping[str, JsonValue],
    search: Search,
    where: str,
) -> str | None:
    if key == "required":
        missing = next((name for name in rule if name not in value), None) if isinstance(rule, list) else None
        return None if missing is None else f"{where}/{missing}: required"
    known = schema.get("properties", {})
    assert isinstance(known, dict)
    rules = rule if key == "properties" else dict.fromkeys(value.keys() - known.keys(), rule)
    assert isinstance(rules, dict)
    found = (
        mismatch(value[name], rules[name], search, f"{where}/{name}")
        for name in sorted(rules)
        if name in value
    )
    return next(filter(None, found), None)


def _holds(value: JsonValue, key: str, rule: JsonValue, search: Search) -> bool:
    """Rules for one kind of value hold for every other kind."""
    match key:
        case "type":
            return any(_is(value, name) for name in (rule if isinstance(rule, list) else [rule]))
        case "enum":
            return isinstance(rule, list) and any(_same(value, one) for one in rule)
        case "const":
            return _same(value, rule)
        case "pattern":
            return not isinstance(value, str) or search(str(rule), value)
        case "minItems" | "maxItems" if isinstance(value, list):
            return _within(len(value), key, rule)
        case "minLength" | "maxLength" if isinstance(value, str):
            return _within(len(value), key, rule)
        case _ if key in _BOUNDS and isinstance(value, (int, float)) and not isinstance(value, bool):
            return _within(value, key, rule)
        case _:
            return True


def _within(number: float, key: str, rule: JsonValue) -> bool:
    assert isinstance(rule, (int, float))
    if key.startswith("exclusive"):
        return number > rule if key.endswith("Minimum") else number < rule
    return number >= rule if key.startswith("min") else number <= rule


def _is(value: JsonValue, name: JsonValue) -> bool:
    match value:
        case None:
            return name == "null"
        case bool():
            return name == "boolean"
        case int():
            return name in ("number", "integer")
        case float():
            return name == "number" or (name == "integer" and value.is_integer())
        case str():
            return name == "string"
        case list():
            return name == "array"
        case _:
            return name == "object"


def _same(a: JsonValue, b: JsonValue) -> bool:
    """Equal as JSON: 1 is 1.0, but neither is true."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[name], b[name]) for name in a)
    return a == b
