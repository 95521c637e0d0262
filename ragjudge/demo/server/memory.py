"""What the server remembers: conversations, messages, finished runs, running tasks. Safe for many threads."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ragjudge.demo.loose import JsonObject


@dataclass(slots=True)
class Message:
    """One question and its answer. `resources` are as cited at that time."""

    id: str
    conversation_id: str
    query: str
    inputs: JsonObject
    answer: str
    resources: list[JsonObject]
    created_at: int
    feedback: str | None = None
    thoughts: list[JsonObject] = field(default_factory=list)


@dataclass(slots=True)
class Conversation:
    """A conversation belongs to the user who began it; nobody else can see it."""

    id: str
    user: str
    name: str
    inputs: JsonObject
    created_at: int
    updated_at: int
    messages: list[Message] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run of a chatflow or workflow, as `/workflows/run/{id}` shows it."""

    id: str
    workflow_id: str
    status: str
    inputs: JsonObject
    outputs: JsonObject
    error: str | None
    total_steps: int
    total_tokens: int
    created_at: int
    finished_at: int
    elapsed_s: float
    user: str


class TooManyRequests(Exception):
    """As many requests as allowed are being answered already."""


class Memory:
    """The server's store. Every method locks; what it returns is not changed any more."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._conversations: dict[str, Conversation] = {}
        self._runs: dict[str, Run] = {}
        self._tasks: dict[str, threading.Event] = {}
        self._active = 0
        self._hits: dict[str, int] = {}
        self._annotations: list[JsonObject] = []

    def conversation(self, conversation_id: str, user: str) -> Conversation | None:
        with self._lock:
            found = self._conversations.get(conversation_id)
            return found if found is not None and found.user == user else None

    def conversations(self, user: str) -> list[Conversation]:
        """The user's conversations, latest first."""
        with self._lock:
            mine = [c for c in self._conversations.values() if c.user == user]
        return sorted(mine, key=lambda c: c.updated_at, reverse=True)

    def begin(self, conversation: Conversation) -> None:
        with self._lock:
            self._conversations[conversation.id] = conversation

    def keep(self, message: Message) -> None:
        with self._lock:
            conversation = self._conversations.get(message.conversation_id)
            if conversation is not None:
                conversation.messages.append(message)
                conversation.updated_at = message.created_at

    def delete(self, conversation_id: str, user: str) -> bool:
        with self._lock:
            found = self._conversations.get(conversation_id)
            if found is None or found.user != user:
                return False
            del self._conversations[conversation_id]
            return True

    def message(self, message_id: str, user: str) -> Message | None:
        return next((m for c in self.conversations(user) for m in c.messages if m.id == message_id), None)

    def finish(self, run: Run) -> None:
        with self._lock:
            self._runs[run.id] = run

    def run(self, run_id: str) -> Run | None:
        with self._lock:
            return self._runs.get(run_id)

    def hit(self, segment_id: str) -> int:
        """Count one more retrieval of a passage."""
        with self._lock:
            self._hits[segment_id] = self._hits.get(segment_id, 0) + 1
            return self._hits[segment_id]

    def annotate(self, annotation: JsonObject) -> None:
        with self._lock:
            self._annotations.append(annotation)

    def annotations(self) -> list[JsonObject]:
        with self._lock:
            return list(self._annotations)

    @contextmanager
    def task(self, task_id: str) -> Iterator[threading.Event]:
        """A running answer; the event is set when somebody asks to stop it."""
        stop = threading.Event()
        with self._lock:
            self._tasks[task_id] = stop
        try:
            yield stop
        finally:
            with self._lock:
                self._tasks.pop(task_id, None)

    def stop(self, task_id: str) -> None:
        with self._lock:
            running = self._tasks.get(task_id)
        if running is not None:
            running.set()

    @contextmanager
    def slot(self, limit: int, *, takes: int = 1) -> Iterator[None]:
        """Count as an active request, up to a limit (0: none). Raises TooManyRequests."""
        with self._lock:
            if limit and self._active + takes > limit:
                raise TooManyRequests
            self._active += 1
        try:
            yield
        finally:
            with self._lock:
                self._active -= 1
