"""JSON Schemas of what people write and of what a run leaves, for editors and other programs."""

import ast
import inspect
from itertools import pairwise
from typing import Any, Literal

from ragjudge.metric_specs import BUILT_IN
from ragjudge.results.run import RunResult
from ragjudge.settings import Settings, models
from ragjudge.settings.config_file import LISTS, SHORTHAND
from ragjudge.suite.case import Turn
from ragjudge.suite.columns import FIELDS

Name = Literal["suite", "config", "results"]
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]

_SCALAR: Schema = {"type": ["string", "number", "boolean", "null"]}
_TEXT: Schema = {"type": ["string", "number", "null"]}
_TEXTS: Schema = {"type": ["string", "array", "null"], "items": {"type": "string"}}

_TYPES: dict[str, Schema] = {
    "id": _TEXT,
    "question": {"type": "string", "minLength": 1},
    "reference": _TEXT,
    "category": _TEXT,
    "inputs": {"type": ["object", "null"]},
    "tags": _TEXTS,
    "files": _TEXTS,
    "reference_contexts": _TEXTS,
    "turns": {
        "type": ["array", "null"],
        "items": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/Turn"}]},
    },
    "checks": {"$ref": "#/$defs/Checks"},
    "metrics": {
        "type": ["array", "string", "null"],
        "items": {"type": "string"},
        "examples": [[*BUILT_IN]],
    },
    "skip": {"type": ["string", "boolean", "null"]},
}


def schema(name: Name) -> Schema:
    """The schema of suite files (JSON and YAML lists), of ragjudge.yml, or of results.json."""
    return {"$schema": _DIALECT} | {"suite": _suite, "config": _config, "results": _results}[name]()


def _results() -> Schema:
    return RunResult.model_json_schema() | {"title": "ragjudge results"}


def _suite() -> Schema:
    turn = Turn.model_json_schema()
    definitions = turn.pop("$defs")
    checks = definitions["Checks"]
    turn["properties"]["checks"] = {"$ref": "#/$defs/Checks"}
    for item in checks["properties"].values():
        if item.get("type") == "array":
            item["type"] = ["array", "string"]
    properties = {
        title: _TYPES[field] | ({"description": f"= {field}"} if title != field else {})
        for field, titles in FIELDS.items()
        if field in _TYPES
        for title in (field, *titles)
    }
    asked = [{"required": [title]} for title in ("question", *FIELDS["question"])]
    case = {
        "type": "object",
        "properties": properties,
        "additionalProperties": True,
        "anyOf": asked,
        "description": "Other keys are kept as the team's own columns.",
    }
    return {
        "title": "ragjudge suite",
        "type": "array",
        "minItems": 1,
        "items": case,
        "$defs": definitions | {"Turn": turn},
    }


def _config() -> Schema:
    found = Settings.model_json_schema()
    _describe(found)
    sections = {name: _definition(found, name) for name in SHORTHAND}
    for definition in found["$defs"].values():
        definition.get("properties", {}).pop("api_key", None)
        _take_numbers(definition)
    for path in LISTS:
        holder = found if len(path) == 1 else sections[str(path[0])]
        holder["properties"][path[-1]] = _loosened(holder["properties"][path[-1]])
    for section, field in SHORTHAND.items():
        reference = found["properties"][section]["$ref"]
        short = sections[section]["properties"][field]
        found["properties"][section] = {"anyOf": [{"$ref": reference}, _bare(short), {"type": "null"}]}
    return found | {"title": "ragjudge.yml"}


def _describe(schema: Schema) -> None:
    """Take over what the settings' source says under each field, so that an editor shows it."""
    for node in ast.parse(inspect.getsource(models)).body:
        if not isinstance(node, ast.ClassDef):
            continue
        known = schema if node.name == schema["title"] else schema["$defs"].get(node.name, {})
        for field, below in pairwise(node.body):
            match field, below:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(text))),
                ) if name in known.get("properties", {}):
                    known["properties"][name]["description"] = text


def _definition(schema: Schema, section: str) -> Schema:
    definition: Schema = schema["$defs"][schema["properties"][section]["$ref"].rpartition("/")[2]]
    return definition


def _loosened(short: Schema) -> Schema:
    """A list may be written as one bare string."""
    about = {key: short[key] for key in ("description",) if key in short}
    return {"anyOf": [_bare(short), {"type": "string"}]} | about


def _bare(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key not in ("default", "title", "description")}


def _take_numbers(schema: Schema) -> None:
    """Where text is asked for, a number is read as it is written: an unquoted id or version is no mistake."""
    for name, item in schema.get("properties", {}).items():
        if item.get("type") == "string" and set(item) <= {"type", "title", "default", "description"}:
            schema["properties"][name] = item | {"type": ["string", "number"]}
        for choice in item.get("anyOf", ()):
            if choice == {"type": "string"}:
                choice["type"] = ["string", "number"]
