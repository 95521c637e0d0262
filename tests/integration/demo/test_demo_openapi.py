"""The demo server against Dify's published description of its API, wherever a real server keeps to it too."""

import json
import os
from pathlib import Path

import pytest

from ragjudge.demo.definition import read_app
from ragjudge.demo.server import DemoServer
from tests.integration.demo.recorded import CORPUS, FOLDER, RELEASES, dsl, exchange, options, repeat

pytestmark = pytest.mark.recordings

KINDS = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
}
PAGES = [
    ("rag_chatflow", "info_rag_chatflow", "/info"),
    ("rag_chatflow_inputs", "parameters_rag_chatflow_inputs", "/parameters"),
    ("chat_basic", "parameters_chat_basic", "/parameters"),
    ("rag_chatflow", "meta_rag_chatflow", "/meta"),
    ("rag_chatflow", "site_rag_chatflow", "/site"),
    ("rag_chatflow", "conversations_list", "/conversations"),
    ("rag_chatflow", "chatflow_rag_blocking", "/chat-messages"),
    ("chat_basic", "chat_basic_blocking", "/chat-messages"),
    ("completion_rag", "completion_blocking", "/completion-messages"),
    ("workflow_rag", "workflow_blocking", "/workflows/run"),
]


def described():
    if not FOLDER:
        pytest.skip("RAGJUDGE_RECORDINGS is not set: there is nothing to compare with")
    beside = Path(FOLDER).parent / "dify-openapi" / "openapi_service.json"
    path = Path(os.environ.get("RAGJUDGE_OPENAPI", beside))
    if not path.is_file():
        pytest.skip(f"no OpenAPI file at {path}; RAGJUDGE_OPENAPI names another")
    return json.loads(path.read_text(encoding="utf-8"))


def schema_of(document, path, method):
    content = document["paths"][path][method]["responses"]["200"]["content"]
    return content["application/json"]["schema"]


def departures(document, schema, value, place="body"):
    """Where a value leaves its schema: types, required fields, allowed values. A null is told as such."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
    for part in schema.get("allOf", ()):
        yield from departures(document, part, value, place)
    choices = schema.get("oneOf") or schema.get("anyOf")
    if choices:
        tried = [list(departures(document, choice, value, place)) for choice in choices]
        yield from min(tried, key=len)
    if value is None:
        if not schema.get("nullable") and "type" in schema:
            yield f"{place}: null"
        return
    kind = schema.get("type")
    if kind in KINDS and (
        not isinstance(value, KINDS[kind]) or (isinstance(value, bool) and kind != "boolean")
    ):
        yield f"{place}: {type(value).__name__} instead of {kind}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place}: {value!r} is none of {schema['enum']}"
    if isinstance(value, dict):
        yield from (f"{place}.{name}: missing" for name in schema.get("required", ()) if name not in value)
        for name, part in schema.get("properties", {}).items():
            if name in value:
                yield from departures(document, part, value[name], f"{place}.{name}")
    if isinstance(value, list):
        for item in value:
            yield from departures(document, schema.get("items", {}), item, f"{place}[]")


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize(("app", "name", "path"), PAGES, ids=[name for _, name, _ in PAGES])
def test_demo_leaves_the_published_description_nowhere_but_where_the_real_server_does(
    release, app, name, path
):
    """What the documentation promises and the recording keeps, the demo keeps."""
    document = described()
    recording = exchange(release, name)
    method = recording["request"]["method"].lower()
    schema = schema_of(document, path, method)
    with DemoServer(read_app(dsl(release, app)), CORPUS, options(release)) as server:
        if name == "conversations_list":
            for _ in range(4):
                repeat(server, exchange(release, "chatflow_rag_blocking")["request"])
        _, text = repeat(server, recording["request"])
    here = set(departures(document, schema, json.loads(text)))
    there = set(departures(document, schema, recording["response"]["body"]))

    assert here <= there, f"only the demo: {sorted(here - there)}"


def test_a_departure_is_seen():
    """The checker itself: a missing field, a wrong type, a null, a value that is not allowed."""
    schema = {
        "type": "object",
        "required": ["a", "z"],
        "properties": {
            "a": {"type": "string"},
            "b": {"type": "integer"},
            "c": {"type": "string", "enum": ["x"]},
        },
    }

    found = sorted(departures({}, schema, {"a": None, "b": True, "c": "y"}))

    assert [
        "body.a: null",
        "body.b: bool instead of integer",
        "body.c: 'y' is none of ['x']",
        "body.z: missing",
    ] == found
