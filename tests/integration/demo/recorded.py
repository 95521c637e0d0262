"""Reads the recordings, repeats their requests to the demo server, and holds what it says against them."""

import http.client
import json
import os
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from ragjudge.demo.corpus import Corpus, Passage
from ragjudge.demo.server import ServerOptions
from tests.integration.demo import shapes

FOLDER = os.environ.get("RAGJUDGE_RECORDINGS", "")
RELEASES = ("1.9.2", "1.14.2")
CORPUS = Corpus(
    "shop",
    tuple(
        Passage(
            str(n),
            f"Rule {n}",
            f"Refunds are paid by rule {n}, shipping by part {n}. More in part {n}.",
            f"{n}.md",
            1,
        )
        for n in range(1, 6)
    ),
)


def named(groups):
    """One test parameter per release, app and exchange."""
    return [
        pytest.param(release, app, name, id=f"{release}-{name}")
        for release in RELEASES
        for app, names in groups.items()
        for name in names.split()
    ]


def exchange(release, name):
    if not FOLDER:
        pytest.skip("RAGJUDGE_RECORDINGS is not set: there are no recordings to compare with")
    return json.loads((Path(FOLDER) / release / f"{name}.json").read_text(encoding="utf-8"))


def dsl(release, app):
    return (Path(FOLDER) / "dsl" / f"{app}.dify-{release}.yml").read_text(encoding="utf-8")


def chain(release, *nodes, citation=True):
    """The recorded chatflow with other nodes between its start and its answer, as (id, data) pairs."""
    document = yaml.safe_load(dsl(release, "rag_chatflow"))
    graph = document["workflow"]["graph"]
    by_type = {node["data"]["type"]: node for node in graph["nodes"]}
    built = [by_type["start"], *({"id": i, "data": d} for i, d in nodes), by_type["answer"]]
    graph["nodes"] = built
    graph["edges"] = [{"source": a["id"], "target": b["id"]} for a, b in pairwise(built)]
    document["workflow"]["features"]["retriever_resource"]["enabled"] = citation
    return yaml.safe_dump(document, allow_unicode=True)


def node_data(release, kind):
    """A fresh copy of a recorded node's data."""
    document = yaml.safe_load(dsl(release, "rag_chatflow"))
    return next(n["data"] for n in document["workflow"]["graph"]["nodes"] if n["data"]["type"] == kind)


def options(release, **more):
    return ServerOptions(release=release, **{"silence_s": 0.05, **more})


def repeat(server, request, *, path=None, body=None):
    """Send a recorded request to the demo server; keys are swapped, everything else stays as it was."""
    port = int(server.base_url.split(":")[2].split("/")[0])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    sent = dict(request["headers"])
    if sent.get("Authorization", "").startswith("Bearer app-XXXX"):
        sent["Authorization"] = f"Bearer {server.api_key}"
    if sent.get("Authorization", "").startswith("Bearer dataset-XXXX"):
        sent["Authorization"] = "Bearer dataset-demo"
    given = body if body is not None else request.get("json")
    payload = _form(request) if "multipart" in request else request.get("body_text", "")
    if given is not None:
        payload = json.dumps(given)
    connection.request(request["method"], path or request["path"], payload or None, sent)
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply, text


def _form(request):
    """The recorded form again; its files hold a few bytes of ours."""
    boundary = request["headers"]["Content-Type"].partition("boundary=")[2]
    lines = []
    for name, (filename, kind) in request["multipart"]["files"].items():
        lines += [f"--{boundary}", f'Content-Disposition: form-data; name="{name}"; filename="{filename}"']
        lines += [f"Content-Type: {kind}", "", "some bytes"]
    for name, value in request["multipart"]["data"].items():
        lines += [f"--{boundary}", f'Content-Disposition: form-data; name="{name}"', "", value]
    return "\r\n".join([*lines, f"--{boundary}--", ""])


def assert_same(recording, said, *, without=()):
    """Status, headers, then events, or the error's wording, or the body's shape. `without`: events left out."""
    response = recording["response"]
    reply, text = said

    _equal("status", response["status"], reply.status)
    _equal("headers", shapes.headers(response["headers"]), shapes.headers(dict(reply.getheaders())))
    if "sse" in response:
        there = shapes.events([line["line"] for line in response["sse"]], without=without)
        here = shapes.events(text.split("\n"), without=without)
        _equal("order of events", [e["event"] for e in there], [e["event"] for e in here])
        for number, (one, other) in enumerate(zip(there, here, strict=True)):
            _equal(f"event {number} ({one['event']})", one, other)
    elif "body_text" in response and not isinstance(response.get("body"), dict):
        _equal("body", response["body_text"], text)
    elif response["status"] >= 400:
        _equal("wording", shapes.wording(response["body"]), shapes.wording(json.loads(text)))
    else:
        _equal("fields and types", shapes.shape(response["body"]), shapes.shape(json.loads(text)))


def _equal(what, recorded, said):
    assert recorded == said, f"{what} differ\n  recorded: {recorded}\n  demo:     {said}"
