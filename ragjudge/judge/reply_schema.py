"""A reply's schema in the small part of JSON Schema that every provider's strict mode accepts.

Only types, properties (in the order of the model's fields: a reason before its verdict), items and enums; ranges and
lengths are checked when the reply is read. See https://platform.openai.com/docs/guides/structured-outputs
"""

import json
from functools import cache

from pydantic import BaseModel, JsonValue


@cache
def _plain_schema(reply: type[BaseModel]) -> str:
    whole = reply.model_json_schema()
    return json.dumps(_plain(whole, whole.get("$defs", {})), ensure_ascii=False)


def json_schema(reply: type[BaseModel]) -> JsonValue:
    """The strict schema of a reply, without references."""
    schema: JsonValue = json.loads(_plain_schema(reply))
    return schema


def instruction(reply: type[BaseModel]) -> str:
    """The same in words, for a server that takes no schema."""
    return (
        f"Reply with one JSON object and nothing else. It must fit this JSON Schema:\n{_plain_schema(reply)}"
    )


def _plain(
    schema: dict[str, JsonValue], definitions: dict[str, dict[str, JsonValue]]
) -> dict[str, JsonValue]:
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return _plain(definitions[reference.rpartition("/")[2]], definitions)
    made: dict[str, JsonValue] = {key: schema[key] for key in ("type", "enum") if key in schema}
    properties = schema.get("properties")
    if isinstance(properties, dict):
        made["properties"] = {
            name: _plain(inner, definitions) for name, inner in properties.items() if isinstance(inner, dict)
        }
        made["required"] = list(properties)
        made["additionalProperties"] = False
    items, choices = schema.get("items"), schema.get("anyOf")
    if isinstance(items, dict):
        made["items"] = _plain(items, definitions)
    if isinstance(choices, list):
        made["anyOf"] = [_plain(choice, definitions) for choice in choices if isinstance(choice, dict)]
    return made
