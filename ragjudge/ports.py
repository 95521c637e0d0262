"""The interfaces between the core and the world. Each has adapters elsewhere and one fake in tests/fakes.py.

Adapters raise from the tree in errors.py only: `CaseFailure` where one case or score could not be had,
`MustChange` or `CannotTell` where going on makes no sense.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel, JsonValue

from ragjudge.errors import Problem
from ragjudge.language import Language, Text
from ragjudge.results.answer import Answer
from ragjudge.results.baseline import Baseline
from ragjudge.results.fingerprint import EmbedderIdentity, JudgeIdentity
from ragjudge.results.outcome import Outcome
from ragjudge.results.run import AppFailure, AppIdentity
from ragjudge.results.usage import Usage
from ragjudge.settings import AppSettings

R = TypeVar("R", bound=BaseModel)
R_co = TypeVar("R_co", bound=BaseModel, covariant=True)


class Clock(Protocol):
    """Time comes in from outside, so that tests never wait."""

    def monotonic(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...


@dataclass(frozen=True, slots=True)
class AppQuestion:
    """One question to the app. `user` is the same through a conversation and fresh per attempt."""

    case_id: str
    attempt: str
    query: str
    inputs: Mapping[str, JsonValue]
    user: str
    conversation_id: str = ""
    files: tuple[str, ...] = ()


class ChatApp(Protocol):
    """A RAG app that can be asked."""

    async def probe(self) -> AppIdentity:
        """Find out which app this is, before any question: key, mode, published or not."""
        ...

    def problems(self, questions: Sequence[AppQuestion]) -> Sequence[Problem]:
        """What the app's form would refuse, found without a call (valid after `probe`)."""
        ...

    async def ask(self, question: AppQuestion) -> Answer: ...

    async def recover(self, question: AppQuestion) -> Answer | None:
        """The answer to a question that an earlier process sent and did not live to get; None: ask it."""
        ...

    async def forget(self, user: str) -> tuple[str, ...]:
        """Remove all conversations of a user from the app's logs, known or not; the ids of those that stayed."""
        ...

    async def delete(self, conversation_id: str, *, user: str) -> bool:
        """Remove a conversation from the app's logs; False where the app keeps none or it is gone already."""
        ...

    async def close(self) -> None: ...


class AppLease(Protocol):
    """An app that exists only as long as a run needs it."""

    async def acquire(self) -> AppSettings:
        """How to ask it. Whatever was made before an error is still removed by `release`."""
        ...

    async def release(self) -> None:
        """Leave nothing behind; called once, also after an error or a cancellation. Never raises RagjudgeError."""
        ...


@dataclass(frozen=True, slots=True)
class JudgeTask(Generic[R]):
    """One thing to judge, as a prompt for a model and as plain data for a judge without one.

    `name` is one of metrics.tasks. `reply` is the schema that the reply must fit. `sample` is the repeat index:
    it is part of a cache key, so that repeats are really judged anew. `system` and `user` carry fence codes that
    differ from process to process: a cache key is made of `name`, `prompt_digest`, `fields`, `reply` and `sample`
    (and of the judge's own model and parameters), never of the two texts.

    `check` says in words what is wrong with a reply that fits the schema, such as a verdict that is
    missing, or None. A judge that can ask again quotes it in its one repair request; every metric applies it once
    more to what it gets.
    """

    name: str
    system: str
    user: str
    fields: Mapping[str, JsonValue]
    reply: type[R]
    prompt_digest: str
    sample: str = "1"
    language: Language = "en"
    order: int = field(default=0, compare=False)
    """A busy judge serves lower numbers first: the engine sets the case's place in the run. In no cache key."""
    leads: bool = field(default=False, compare=False)
    """Another call waits for this reply, so that a busy judge serves it ahead of its case. In no cache key."""
    check: Callable[[R], Text | None] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class JudgeReply(Generic[R_co]):
    """What the judge said, in the task's schema. `notes` are stable words as in `Scored.notes`."""

    value: R_co
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()


class Judge(Protocol):
    @property
    def identity(self) -> JudgeIdentity: ...

    async def probe(self) -> None:
        """One cheap call, so that a wrong key or model is found before the suite runs."""
        ...

    async def ask(self, task: JudgeTask[R]) -> JudgeReply[R]: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Embedded:
    """One vector per text, all of the same length, finite and not all zero."""

    vectors: tuple[tuple[float, ...], ...]
    usage: Usage = Usage()


class Embedder(Protocol):
    @property
    def identity(self) -> EmbedderIdentity: ...

    async def embed(self, texts: Sequence[str]) -> Embedded: ...

    async def close(self) -> None: ...


class BaselineStore(Protocol):
    """Where the baseline is kept. None means "there is none yet"; every other trouble is an error of its own."""

    def load(self) -> Baseline | None: ...

    def change(
        self, change: Callable[[Baseline | None], Baseline], *, note: str = "", replace_damaged: bool = False
    ) -> None:
        """Store `change(what is there now)`; called again where somebody else stored one in between.

        `note` is kept with the change where a store keeps a log. With `replace_damaged` a file that cannot be read
        counts as none; otherwise that is an error.
        """
        ...

    def describe(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Remembered:
    """What a journal already holds for one attempt of one case. `sent`: the question was on its way at least."""

    sent: bool = False
    answer: Answer | None = None
    failure: AppFailure | None = None
    scores: Mapping[str, Outcome] = field(default_factory=dict)


class JournalSink(Protocol):
    """Writes down each answer and score as it happens, and knows what was written before."""

    @property
    def spent(self) -> Usage:
        """What an earlier process paid for the scores that are remembered."""
        ...

    def remembered(self, case_id: str, attempt: str) -> Remembered: ...

    def asking(self, case_id: str, attempt: str) -> None:
        """Written before a question is sent, so that a later process can look for its answer."""
        ...

    def answered(self, case_id: str, attempt: str, answer: Answer | AppFailure) -> None: ...

    def scored(self, case_id: str, attempt: str, metric: str, outcome: Outcome) -> None: ...


class Progress(Protocol):
    """Hears how a run goes on; shows it or not."""

    def started(self, total: int) -> None: ...

    def case_done(self, case_id: str) -> None: ...

    def note(self, text: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Rendered:
    """The finished report in every form, secrets taken out."""

    markdown: str
    """Uncut, for `report.md`."""
    comment: Callable[[], str]
    """At most what GitHub takes as a comment; made for whoever asks, as cutting a report takes its time."""
    summary: Callable[[], str]
    """At most what GitHub takes as a job summary; made for whoever asks."""
    verdict: str
    exit_code: int
    outputs: Mapping[str, str]
    """The action's outputs by name."""
    console: str = ""
    """Plain text for a terminal."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Further forms of the report, by file name."""


class Publisher(Protocol):
    """Tells someone. Trouble in one publisher never changes the verdict nor stops the others."""

    name: str

    def publish(self, report: Rendered) -> None: ...
