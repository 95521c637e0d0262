"""Compares two JSON values, event streams or replies by what a client can rely on: fields, types, order, wording."""

import json
import re

_UUID = re.compile(r"[0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12}")
_REPEATED = ("message", "agent_message", "text_chunk", "event: ping")


def shape(value):
    """Types instead of values; a list is the set of its items' shapes, so that its length does not matter."""
    if isinstance(value, dict):
        return {_UUID.sub("<id>", key): shape(item) for key, item in value.items()}
    if isinstance(value, list):
        return [
            json.loads(item) for item in sorted({json.dumps(shape(item), sort_keys=True) for item in value})
        ]
    if isinstance(value, bool) or value is None:
        return str(type(value).__name__)
    return "number" if isinstance(value, int | float) else "text"


def events(lines, *, without=()):
    """The shapes of a stream's events in their order; a run of equal text events, or of pings, counts once."""
    found = []
    for line in lines:
        if line.startswith("data: "):
            event = json.loads(line[6:])
            one = {
                "event": event["event"],
                "node_type": event.get("data", {}).get("node_type"),
                "shape": shape(event),
            }
        elif line:
            one = {"event": line}
        else:
            continue
        repeated = bool(found) and one["event"] in _REPEATED and found[-1] == one
        if not repeated and one["event"] not in without:
            found.append(one)
    return found


def wording(body):
    """An error body with ids taken out, for comparing word by word."""
    return json.loads(_UUID.sub("<id>", json.dumps(body)))


def headers(found):
    """The headers that tell something; those of the transport are left out."""
    ignored = {"content-length", "transfer-encoding", "date", "server", "connection"}
    return {name.lower(): value for name, value in found.items() if name.lower() not in ignored}
