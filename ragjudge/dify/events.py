"""One decoded server event → one event of Dify's protocol."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from ragjudge.dify.sse import SseEvent, StreamUnreadable
from ragjudge.dify.wire import mapping_of, text_of

_SENTINELS = ("", "[DONE]")
"""Data that some gateways add and that means nothing."""


@dataclass(frozen=True, slots=True)
class Event:
    """`name` as Dify calls it (`message`, `node_finished`…); `body` is the whole JSON object."""

    name: str
    body: Mapping[str, object] = field(default_factory=dict)

    @property
    def data(self) -> Mapping[str, object]:
        return mapping_of(self.body.get("data"))


PING = Event("ping")


def read(event: SseEvent) -> Event:
    """Raises StreamUnreadable for data that is not JSON: part of an answer may have stood in it."""
    data = event.data.strip()
    if data in _SENTINELS:
        return PING if event.name in ("ping", "message") else Event(event.name)
    try:
        body = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise StreamUnreadable(f"an event that is not JSON: {data[:80]}") from error
    if not isinstance(body, dict):
        return Event("unknown")
    return Event(text_of(body.get("event")) or event.name, body)
