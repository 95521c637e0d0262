"""Whatever a client sends, the demo's service answers in Dify's way; nothing crashes a handler."""

import json
import threading

from hypothesis import given, settings
from hypothesis import strategies as st

from ragjudge.demo.corpus import load_corpus
from ragjudge.demo.definition import load_app
from ragjudge.demo.packaged import APP, CORPUS
from ragjudge.demo.retrieval import Index
from ragjudge.demo.retrieval_log import RetrievalLog
from ragjudge.demo.server.asking import World
from ragjudge.demo.server.memory import Memory
from ragjudge.demo.server.options import ServerOptions, dialect_of
from ragjudge.demo.server.service import Service
from ragjudge.demo.server.wire import Request

INDEX = Index(load_corpus(CORPUS))
GOOD = load_app(APP)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    [
        "user",
        "inputs",
        "query",
        "response_mode",
        "conversation_id",
        "workflow_id",
        "auto_generate_name",
        "rating",
    ]
)
SENSIBLE = st.sampled_from(["streaming", "blocking", "", {"Entity": "本社"}, "日当は？"])
BODIES = st.dictionaries(FIELDS, VALUES | SENSIBLE, max_size=6)
PATHS = st.sampled_from(
    ["/v1/chat-messages", "/v1/completion-messages", "/v1/workflows/run", "/v1/chat-messages/x/stop",
     "/v1/messages", "/v1/messages/x/feedbacks", "/v1/conversations/x", "/v1/info", "/v1/", "/nowhere"]
)  # fmt: skip


def service(release):
    world = World(
        app=GOOD,
        index=INDEX,
        options=ServerOptions(release=release, silence_s=0.0),
        dialect=dialect_of(release),
        memory=Memory(),
        log=RetrievalLog(),
        new_id=iter(f"00000000-0000-4000-8000-{n:012d}" for n in range(10**6)).__next__,
        closing=threading.Event(),
    )
    return Service(world)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["1.9.2", "1.14.2"]), st.sampled_from(["GET", "POST", "DELETE"]), PATHS, BODIES)
def test_every_request_gets_a_reply_in_difys_way(release, method, path, body):
    """A known status, and a body that is JSON, events, a page or nothing."""
    headers = {"authorization": "Bearer app-demo", "content-type": "application/json"}
    reply = service(release).handle(Request(method, path, {}, headers, json.dumps(body).encode()))
    said = b"".join(reply.stream) if reply.stream is not None else reply.body
    reply.done()

    assert reply.status in {200, 204, 400, 404, 405, 500}
    if reply.stream is not None:
        blocks = said.decode().removesuffix("\n\n").split("\n\n")
        assert all(b == "event: ping" or json.loads(b.removeprefix("data: ")) for b in blocks)
    elif reply.content_type.startswith("application/json") and said:
        json.loads(said)


@given(st.binary(max_size=60))
def test_bytes_that_are_no_json_are_refused(body):
    """Never a crash, never a 200."""
    headers = {"authorization": "Bearer app-demo", "content-type": "application/json"}
    reply = service("1.14.2").handle(Request("POST", "/v1/chat-messages", {}, headers, body))

    assert 400 == reply.status
