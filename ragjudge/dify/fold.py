"""Dify's events → how the asking ended. A state machine without any I/O; it takes every prefix of a stream.

No single event is trusted to be the last one: the order of `message_end` and `workflow_finished` differs between
versions and either may be missing; docs/dify.md has the table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from ragjudge.dify.ending import Ending, Ids, Kind, Refusal
from ragjudge.dify.events import Event
from ragjudge.dify.nodes import TRUNCATED, NodeLog
from ragjudge.dify.outputs import answer_in, with_outputs
from ragjudge.dify.passages import Collected, Evidence, of_observation, of_resources, searched
from ragjudge.dify.spending import of_message, settled
from ragjudge.dify.wire import count_of, id_of, list_of, mapping_of, text_of

_GOOD = ("succeeded", "partial-succeeded")
_MOST_NOTES = 20
_NOTHING_TO_TAKE = frozenset(
    {
        *("agent_log", "tts_message", "tts_message_end"),
        *("iteration_started", "iteration_next", "iteration_completed"),
        *("loop_started", "loop_next", "loop_completed"),
        *("parallel_branch_started", "parallel_branch_finished"),
        *("human_input_required", "human_input_form_filled", "human_input_form_timeout"),
    }
)


class Stage(Enum):
    """Whether it is worth reading on."""

    SILENT = auto()
    """Nothing but pings so far: the question may be asked again without being paid for twice."""
    GOING = auto()
    ENOUGH = auto()
    """One of the two last events of a chatflow came; the other may follow or never come."""
    OVER = auto()


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read one app's events."""

    mode: str
    annotations: bool = False
    """The app may answer by an annotation instead of the model."""
    answer_path: str | None = None
    contexts_path: str | None = None
    streamed: bool = True


@dataclass(slots=True)
class _Heard:
    """Everything that was taken from the events so far."""

    ids: Ids = field(default_factory=Ids)
    nodes: NodeLog = field(default_factory=NodeLog)
    said: list[str] = field(default_factory=list)
    agent_said: list[str] = field(default_factory=list)
    chunks: list[str] = field(default_factory=list)
    observations: dict[str, object] = field(default_factory=dict)
    outputs: Mapping[str, object] = field(default_factory=dict)
    metadata: Mapping[str, object] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    total_tokens: int = 0
    status: str = ""
    refusal: Refusal | None = None
    started: bool = False
    ended: bool = False
    paused: bool = False
    spoken: bool = False
    refused: bool = False
    replaced: bool = False

    def say(self, to: list[str], text: str) -> None:
        to.append(text)
        if text.strip():
            self.spoken = True
            self.nodes.spoke()

    def note(self, note: str) -> None:
        if len(self.notes) < _MOST_NOTES:
            self.notes[note] = None


class Fold:
    """Feed it events in order, ask it for the stage after each, and for the ending whenever you like."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._heard = _Heard()

    @property
    def ids(self) -> Ids:
        return self._heard.ids

    @property
    def spoken(self) -> bool:
        """The app's model has said something: it works."""
        return self._heard.spoken

    @property
    def refused_at_once(self) -> Refusal | None:
        """The no in an `error` event that came first and names no message or run: none was begun."""
        ids = self._heard.ids
        return self._heard.refusal if self._heard.refused and not (ids.message or ids.run) else None

    @property
    def stage(self) -> Stage:
        heard, mode = self._heard, self._reading.mode
        if not heard.started:
            return Stage.SILENT
        if heard.refusal is not None or heard.paused:
            return Stage.OVER
        if heard.status:
            return Stage.OVER if heard.ended or mode == "workflow" else Stage.ENOUGH
        if heard.ended:
            return Stage.ENOUGH if mode == "advanced-chat" else Stage.OVER
        return Stage.GOING

    def feed(self, event: Event) -> Stage:
        if event.name != "ping":
            self._heard.refused = event.name == "error" and not self._heard.started
            self._heard.started = True
            _take_ids(self._heard.ids, event.body)
            _take(self._heard, event)
        return self.stage

    def ending(self) -> Ending:
        """How it ended, if nothing more comes."""
        heard = self._heard
        kind = self._kind()
        return Ending(
            kind=kind,
            text=self._text() if kind is Kind.ANSWERED else None,
            evidence=self._evidence(cut=kind is Kind.CUT),
            usage=settled(
                of_message(heard.metadata.get("usage")), heard.nodes.usage, total_tokens=heard.total_tokens
            ),
            ids=heard.ids,
            refusal=heard.refusal,
            notes=(*heard.notes, *heard.nodes.notes),
            models=heard.nodes.models,
            node_usage=heard.nodes.node_usage,
            reasoning=heard.nodes.reasoning,
            output_names=tuple(heard.outputs),
            closed=heard.ended,
        )

    def _kind(self) -> Kind:
        heard = self._heard
        if heard.paused:
            return Kind.PAUSED
        if heard.status == "stopped":
            return Kind.STOPPED
        if heard.refusal is not None:
            return Kind.FAILED
        return Kind.ANSWERED if self.stage in (Stage.ENOUGH, Stage.OVER) else Kind.CUT

    def _text(self) -> str | None:
        heard = self._heard
        if self._reading.mode == "workflow":
            found = answer_in(heard.outputs, self._reading.answer_path)
            guessed = found is None and self._reading.answer_path is None and heard.chunks
            return "".join(heard.chunks) if guessed else found
        said = "".join(heard.said) or "".join(heard.agent_said)
        return said if said or heard.replaced else text_of(heard.outputs.get("answer"))

    def _evidence(self, *, cut: bool) -> Evidence:
        heard = self._heard
        observed = Collected()
        for observation in heard.observations.values():
            observed.add(of_observation(observation))
        reading = self._reading
        bypassed = reading.streamed and reading.mode == "advanced-chat" and heard.ended and not heard.ids.run
        evidence = Evidence(
            nodes=heard.nodes.passages,
            resources=of_resources(heard.metadata.get("retriever_resources")),
            observations=observed.all,
            retrieval_ran=heard.nodes.retrieval_ran or any(map(searched, heard.observations.values())),
            retrieval_failed=heard.nodes.retrieval_failed,
            annotated=bool(mapping_of(heard.metadata.get("annotation_reply")))
            or (bypassed and reading.annotations),
            lost=cut,
            partial=cut and not heard.nodes.is_settled,
            streamed=reading.streamed,
        )
        if cut or reading.mode != "workflow":
            return evidence
        return with_outputs(evidence, heard.outputs, reading.contexts_path)


def _take_ids(ids: Ids, body: Mapping[str, object]) -> None:
    ids.conversation = id_of(body.get("conversation_id")) or ids.conversation
    ids.message = id_of(body.get("message_id")) or ids.message
    ids.task = id_of(body.get("task_id")) or ids.task
    ids.run = id_of(body.get("workflow_run_id")) or ids.run


def _take(heard: _Heard, event: Event) -> None:
    match event.name:
        case "message" | "agent_message":
            _take_text(heard, event)
        case "text_chunk":
            heard.say(heard.chunks, text_of(event.data.get("text")))
        case "message_replace":
            heard.said, heard.agent_said = [text_of(event.body.get("answer"))], []
            heard.replaced = True
            heard.note("replaced_by_moderation")
        case "text_replace":
            heard.chunks = [text_of(event.data.get("text"))]
            heard.note("replaced_by_moderation")
        case "agent_thought":
            heard.observations[text_of(event.body.get("id"))] = event.body.get("observation")
        case "node_started":
            heard.nodes.started(event.data)
        case "node_finished":
            heard.nodes.finished(event.data)
        case "node_retry":
            heard.nodes.retried(event.data)
        case "reasoning_chunk":
            heard.nodes.reasoned(event.data)
        case "workflow_started":
            heard.ids.workflow = id_of(event.data.get("workflow_id")) or heard.ids.workflow
        case "workflow_finished":
            _take_finish(heard, event.data)
        case "message_end":
            _take_end(heard, event.body)
        case "message_file":
            heard.note("files_in_answer")
        case "workflow_paused":
            heard.paused = True
        case "error":
            _take_error(heard, event.body)
        case name if name not in _NOTHING_TO_TAKE:
            heard.note(f"unknown_event:{' '.join(name.split())[:40]}")


def _take_text(heard: _Heard, event: Event) -> None:
    """A newer agent closes with a `message` that repeats everything its `agent_message`s said: it wins."""
    answer = text_of(event.body.get("answer"))
    heard.say(heard.said if event.name == "message" else heard.agent_said, answer)


def _take_end(heard: _Heard, body: Mapping[str, object]) -> None:
    heard.ended = True
    heard.metadata = mapping_of(body.get("metadata"))
    if mapping_of(heard.metadata.get("annotation_reply")):
        heard.note("annotation_reply")
    if list_of(body.get("files")):
        heard.note("files_in_answer")


def _take_finish(heard: _Heard, data: Mapping[str, object]) -> None:
    heard.ids.workflow = id_of(data.get("workflow_id")) or heard.ids.workflow
    heard.ids.run = id_of(data.get("id")) or heard.ids.run
    heard.status = text_of(data.get("status")) or "failed"
    heard.outputs = mapping_of(data.get("outputs"))
    heard.total_tokens = count_of(data.get("total_tokens"))
    for flag, word in TRUNCATED.items():
        if data.get(flag) is True:
            heard.note(f"{word}:workflow")
    if heard.status == "partial-succeeded":
        heard.note("partial_success")
    if heard.status not in _GOOD and heard.refusal is None:
        heard.refusal = Refusal(status=200, message=text_of(data.get("error")) or heard.status)


def _take_error(heard: _Heard, body: Mapping[str, object]) -> None:
    heard.refusal = Refusal(
        status=count_of(body.get("status")),
        code=text_of(body.get("code")),
        message=text_of(body.get("message")),
    )
