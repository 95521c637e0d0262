"""How the demo server is started, and what differs between the Dify releases it can stand for."""

from dataclasses import dataclass
from typing import Literal

Release = Literal["1.9.2", "1.14.2"]


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """`port` 0 takes a free one. `answer_delay_s` is spent before the first word of each answer.

    `silence_s`: how long a stream that cannot start stays open without a word (Dify 1.13 and later: 300 s).
    `max_active_requests` 0: no limit of its own.
    """

    release: Release = "1.14.2"
    port: int = 0
    api_key: str = "app-demo"
    dataset_key: str = "dataset-demo"
    answer_delay_s: float = 0.0
    ping_every_s: float = 10.0
    silence_s: float = 300.0
    published: bool = True
    api_enabled: bool = True
    max_active_requests: int = 0


@dataclass(frozen=True, slots=True)
class Dialect:
    """The differences between the releases, each with a name."""

    version: str
    worker_streams: bool
    """Streams of chatflows and workflows come from a worker: a ping first, bad input ends in silence."""
    message_end_last: bool
    """`message_end` follows `workflow_finished` (else the other way round)."""
    start_node_shows_system: bool
    """The start node's outputs hold the `sys.` variables."""
    braces_around_context: bool
    """`{{#context#}}` leaves single braces, and stays in the prompt when nothing was retrieved."""
    timing_in_usage: bool
    files_in_resources: bool
    model_in_llm_inputs: bool
    last_context_only: bool
    """With two LLM nodes, only the last one's passages are cited."""
    field_errors: bool
    """Request errors are `{errors: {field: text}, message}` instead of pydantic's text."""
    blocking_counts_no_tokens: bool
    """Basic and completion apps report zero usage when blocking."""
    run_detail_outputs_as_text: bool
    checks_checkboxes: bool
    forgets_cut_answers: bool
    """Of a stream whose client went away, the message history keeps an empty answer."""
    compact_json: bool
    """REST bodies have no blanks between their parts."""


def dialect_of(release: Release) -> Dialect:
    newer = release == "1.14.2"
    return Dialect(
        version=release,
        worker_streams=newer,
        message_end_last=not newer,
        start_node_shows_system=not newer,
        braces_around_context=not newer,
        timing_in_usage=newer,
        files_in_resources=newer,
        model_in_llm_inputs=newer,
        last_context_only=not newer,
        field_errors=not newer,
        blocking_counts_no_tokens=not newer,
        run_detail_outputs_as_text=not newer,
        checks_checkboxes=not newer,
        forgets_cut_answers=not newer,
        compact_json=newer,
    )
