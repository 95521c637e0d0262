"""Turns objects into the bytes of a reply, as each release writes its JSON, and reads JSON bodies."""

import json
from collections.abc import Iterable, Iterator

from ragjudge.demo.loose import JsonObject, mapping
from ragjudge.demo.server.asking import PING, World
from ragjudge.demo.server.refusals import refused
from ragjudge.demo.server.wire import Reply, Request


def json_reply(world: World, body: JsonObject, *, status: int = 200) -> Reply:
    """An ordinary JSON body; Dify escapes what is not ASCII and ends the text with a newline."""
    separators = (",", ":") if world.dialect.compact_json else None
    return Reply(status, json.dumps(body, separators=separators).encode() + b"\n")


def answer_reply(world: World, body: JsonObject) -> Reply:
    """The body of a blocking answer, which Dify writes by another road."""
    charset = "; charset=utf-8" if world.dialect.worker_streams else ""
    return Reply(200, json.dumps(body).encode(), f"application/json{charset}")


def nothing() -> Reply:
    return Reply(204)


def framed(events: Iterable[JsonObject]) -> Iterator[bytes]:
    """Server-sent events: one `data:` line each; a ping is `event: ping` without data."""
    for event in events:
        if event is PING:
            yield b"event: ping\n\n"
        else:
            data = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
            yield f"data: {data}\n\n".encode()


def read_json(request: Request) -> JsonObject:
    """A request's JSON object; half a surrogate pair is no text. Raises Refusal."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise refused(
            415,
            "unsupported_media_type",
            "Did not attempt to load JSON data because the request Content-Type was not 'application/json'.",
        )
    try:
        body = json.loads(request.body, parse_constant=_no_number)
        json.dumps(body, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise refused(
            400,
            "bad_request",
            "The browser (or proxy) sent a request that this server could not understand.",
        ) from None
    return mapping(body)


def _no_number(name: str) -> None:
    """NaN and Infinity are no JSON, though Python reads them."""
    raise ValueError(name)
