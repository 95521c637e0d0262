"""What the app said, and the passages it really retrieved."""

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ragjudge.results.usage import Usage


class ContextSource(StrEnum):
    """Where the retrieved passages were found, best first."""

    RETRIEVAL_NODES = "retrieval_nodes"
    """`node_finished` outputs of knowledge-retrieval (or dataset tool) nodes in the event stream."""
    RETRIEVER_RESOURCES = "retriever_resources"
    """`message_end.metadata.retriever_resources` (needs the app's citation switch)."""
    AGENT_OBSERVATION = "agent_observation"
    """`agent_thought.observation` of a dataset tool."""
    WORKFLOW_OUTPUT = "workflow_output"
    """An output named in the config (`app.contexts`)."""
    MESSAGE_HISTORY = "message_history"
    RETRIEVED_APART = "retrieved_apart"
    """The knowledge API's own retrieve call: not proven to be what the app saw."""


class MissingContexts(StrEnum):
    """Why there are no passages to score against."""

    CITATION_OFF = "citation_off"
    NO_RETRIEVAL = "no_retrieval"
    """The app has no retrieval step in this run."""
    NOTHING_RETRIEVED = "nothing_retrieved"
    """A retrieval step ran and found nothing."""
    ANNOTATION_REPLY = "annotation_reply"
    NODE_FAILED = "node_failed"
    """A retrieval node failed and its default value was used."""
    LOST_WITH_STREAM = "lost_with_stream"
    """The stream was cut and the server keeps no passages."""
    OUTPUT_UNUSABLE = "output_unusable"
    """The output that `app.contexts` names is not there, or holds no passages in a known form."""
    NOT_IN_REPLY = "not_in_reply"
    """Blocking replies and workflow outputs without passages."""


class Context(BaseModel):
    """One retrieved passage. `rank` is from 1; `score` is the retriever's own and may be absent."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rank: int
    content: str
    score: float | None = None
    title: str | None = None
    document_id: str | None = None
    document_name: str | None = None
    dataset_id: str | None = None
    dataset_name: str | None = None
    segment_id: str | None = None


class Retrieved(BaseModel):
    """At least one passage, and where it was found."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["retrieved"] = "retrieved"
    source: ContextSource
    items: tuple[Context, ...] = Field(min_length=1)


class NotAvailable(BaseModel):
    """No passages, and why: never an empty list passed off as a result."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["not_available"] = "not_available"
    cause: MissingContexts


Contexts = Retrieved | NotAvailable


class NodeUsage(BaseModel):
    """What one LLM node of a flow used in one run, all its iterations together."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    node: str
    """Its title, else its id."""
    model: str | None = None
    """`provider/model`, where the stream shows it."""
    usage: Usage


class Answer(BaseModel):
    """One finished answer of the app to one question (of the last turn, where there are several)."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")

    text: str
    """What a user reads, without reasoning blocks: this is judged."""
    raw: str | None = None
    """The text as it came, where it differs from `text`.

    Reasoning that came apart from the text stands before it in `<think>` tags, as Dify writes it otherwise.
    """
    contexts: Contexts = Field(discriminator="kind")
    usage: Usage = Usage()
    """Of the app's own models, as Dify reports it."""
    latency_s: float | None
    """From sending the question (of this turn) to the end of the answer, wall clock; None where nobody measured it."""
    conversation_id: str | None = None
    message_id: str | None = None
    workflow_id: str | None = None
    """Id of the published workflow version that answered (chatflow and workflow apps)."""
    workflow_run_id: str | None = None
    server_version: str | None = None
    asks: int = 1
    """How often the question was asked until this answer came (re-asks after a cut stream count)."""
    notes: tuple[str, ...] = ()
    """Stable words for what was odd: `partial_success`, `default_value_used:<node title>`, `replaced_by_moderation`…"""
    models: tuple[str, ...] = ()
    """`provider/model` of each LLM node that the stream shows."""
    node_usage: tuple[NodeUsage, ...] = ()
    """Per LLM node that the stream shows, in order of first sight; their sum is not always `usage`."""
