"""The JSON Schema of a check: what it means, and what is refused before a run."""

import re

import pytest

from ragjudge.suite.json_shape import NotJson, mismatch, parse, schema_fault


def search(pattern, text):
    return re.search(pattern, text) is not None


PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string", "minLength": 1}, "age": {"type": "integer", "minimum": 0}},
    "required": ["name"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("value", "schema", "found"),
    [
        ({"name": "山田", "age": 3}, PERSON, None),
        ({"age": 3}, PERSON, "/name: required"),
        ({"name": "", "age": 3}, PERSON, "/name: minLength"),
        ({"name": "x", "age": -1}, PERSON, "/age: minimum"),
        ({"name": "x", "extra": 1}, PERSON, "/extra: not allowed"),
        ([], PERSON, "/: type"),
        (3.0, {"type": "integer"}, None),
        (3.5, {"type": "integer"}, "/: type"),
        (True, {"type": "integer"}, "/: type"),
        (10**400, {"type": "integer", "minimum": 0}, None),
        (None, {"type": ["string", "null"]}, None),
        (1, {"enum": [True, "1"]}, "/: enum"),
        (1.0, {"const": 1}, None),
        ([1, [2]], {"const": [1, [2]]}, None),
        ({"a": 1}, {"const": {"a": 2}}, "/: const"),
        ([1, "x"], {"items": {"type": "number"}}, "/1: type"),
        ([1, 2, 3], {"maxItems": 2}, "/: maxItems"),
        ([], {"minItems": 1}, "/: minItems"),
        ("2026-01-02", {"pattern": r"^\d{4}-\d\d-\d\d$"}, None),
        ("明日", {"pattern": r"^\d"}, "/: pattern"),
        ("x" * 5, {"maxLength": 4}, "/: maxLength"),
        (5, {"exclusiveMaximum": 5}, "/: exclusiveMaximum"),
        (5, {"exclusiveMinimum": 4}, None),
        (float("inf"), {"maximum": 100}, "/: maximum"),
        ("x", {"minimum": 3, "items": {"type": "null"}, "required": ["a"]}, None),
        (1, {"anyOf": [{"type": "string"}, {"minimum": 1}]}, None),
        (1, {"oneOf": [{"type": "number"}, {"minimum": 1}]}, "/: oneOf"),
        (1, {"allOf": [{"type": "number"}, {"minimum": 2}]}, "/: allOf"),
        (1, {"not": {"type": "number"}}, "/: not"),
        (
            {"a": {"b": [None]}},
            {"properties": {"a": {"properties": {"b": {"items": False}}}}},
            "/a/b/0: not allowed",
        ),
        (
            {"a": 1, "b": 2},
            {"properties": {"a": True}, "additionalProperties": {"type": "string"}},
            "/b: type",
        ),
        ("anything", {}, None),
    ],
)
def test_a_value_fits_or_the_place_and_keyword_are_named(value, schema, found):
    """As JSON Schema 2020-12 defines these keywords."""
    assert schema_fault(schema) is None
    assert mismatch(value, schema, search) == found


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        ({"$ref": "#/x"}, "/$ref"),
        ({"properties": {"a": {"typ": "string"}}}, "/properties/a/typ"),
        ({"type": "text"}, "/type"),
        ({"required": "name"}, "/required"),
        ({"minLength": -1}, "/minLength"),
        ({"pattern": "("}, "/pattern"),
        ({"items": 3}, "/items"),
        ({"anyOf": []}, "/anyOf"),
        ({"maximum": True}, "/maximum"),
    ],
)
def test_what_is_not_known_is_refused_not_passed_over(schema, place):
    """A misspelt keyword would make a check that always passes."""
    assert schema_fault(schema) == place


def test_notes_of_a_schema_mean_nothing():
    """title, description and the like are for people."""
    assert schema_fault({"$schema": "x", "title": "t", "description": "d", "format": "date"}) is None


@pytest.mark.parametrize(
    "text", ["", "はい", "{'a': 1}", '{"a": NaN}', "[" * 100_000, '```json\n{"a": 1}\n```']
)
def test_a_text_that_is_not_json_from_end_to_end_is_none(text):
    """Prose around it, a fence, NaN, or nesting without end."""
    with pytest.raises(NotJson):
        parse(text)
