"""A blocking reply → the events that a stream would have shown, so that there is one way of reading answers.

Asked for by `app.response_mode: blocking`; and some gateways join a stream into one body unasked.
"""

from collections.abc import Mapping

from ragjudge.dify.events import Event
from ragjudge.dify.wire import mapping_of


def as_events(body: Mapping[str, object]) -> tuple[Event, ...]:
    """Empty for a body that is no blocking reply."""
    if body.get("event") == "workflow_paused":
        return (Event("workflow_paused", body),)
    data = mapping_of(body.get("data"))
    if "status" in data and "outputs" in data:
        return (Event("workflow_finished", body),)
    if isinstance(body.get("answer"), str):
        return (Event("message", body), Event("message_end", body))
    return ()
