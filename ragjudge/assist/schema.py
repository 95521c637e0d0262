"""JSON Schemas of what people write and of what a run leaves, for editors and other programs."""

from typing import Any, Literal

from ragjudge.metric_specs import BUILT_IN
from ragjudge.results.run import RunResult
from ragjudge.settings import Settings
from ragjudge.settings.config_file import SHORTHAND
from ragjudge.suite.case import Checks, Turn
from ragjudge.suite.columns import FIELDS

Name = Literal["suite", "config", "results"]
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]

_SCALAR: Schema = {"type": ["string", "number", "boolean", "null"]}
_TEXT: Schema = {"type": ["string", "number", "null"]}
_TEXTS: Schema = {"type": ["string", "array", "null"], "items": {"type": "string"}}


def schema(name: Name) -> Schema:
    """The schema of suite files (JSON and YAML lists), of ragjudge.yml, or of results.json."""
    return {"$schema": _DIALECT} | {"suite": _suite, "config": _config, "results": _results}[name]()


def _results() -> Schema:
    return RunResult.model_json_schema() | {"title": "ragjudge results"}


def _suite() -> Schema:
    checks, turn = Checks.model_json_schema(), Turn.model_json_schema()
    turn.pop("$defs", None)
    turn["properties"]["checks"] = {"$ref": "#/$defs/Checks"}
    for item in checks["properties"].values():
        if item.get("type") == "array":
            item["type"] = ["array", "string"]
    types: dict[str, Schema] = {
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
    properties = {
        title: types[field] | ({"description": f"= {field}"} if title != field else {})
        for field, titles in FIELDS.items()
        if field in types
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
        "$defs": {"Checks": checks, "Turn": turn},
    }


def _config() -> Schema:
    found = Settings.model_json_schema()
    for definition in found["$defs"].values():
        definition.get("properties", {}).pop("api_key", None)
    for section, field in SHORTHAND.items():
        whole = found["properties"][section]
        reference = whole.get("$ref") or whole["allOf"][0]["$ref"]
        short = found["$defs"][reference.rpartition("/")[2]]["properties"][field]
        either: list[Schema] = [{"$ref": reference}, _loosened(short), {"type": "null"}]
        found["properties"][section] = {"anyOf": either}
    found["properties"]["suite"] = _loosened(found["properties"]["suite"])
    return found | {"title": "ragjudge.yml"}


def _loosened(short: Schema) -> Schema:
    """A list may be written as one bare string."""
    plain = {key: value for key, value in short.items() if key not in ("default", "title")}
    return {"anyOf": [plain, {"type": "string"}]} if plain.get("type") == "array" else plain
