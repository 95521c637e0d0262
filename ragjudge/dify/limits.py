"""The bounds of the connector, in seconds and bytes: everything that waits or grows has one."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Time and memory that one question may take."""

    timeout_s: float = 120.0
    """Wall clock per question: tries, waits between them and re-asks, but not the wait for a free slot."""
    connect_s: float = 10.0
    call_s: float = 30.0
    """For calls other than questions: who are you, history, delete."""
    first_event_s: float = 60.0
    """Silence allowed before the first event: a queued run sends no pings, a refused one (1.13 and later) nothing."""
    idle_s: float = 45.0
    """Silence allowed later: Dify sends a ping every 10 s while a model thinks."""
    grace_s: float = 2.5
    """Wait for the second of `message_end` and `workflow_finished`, either of which may never come."""
    tries: int = 5
    """Requests per question that get no event: 5xx, resets, refused connections."""
    longest_wait_s: float = 60.0
    """Cap of any Retry-After."""
    max_event_bytes: int = 16 << 20
    max_stream_bytes: int = 64 << 20
    max_body_bytes: int = 8 << 20
