"""One question being answered: its ids, its clock, and the parts of answering that all kinds of app share."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Event

from ragjudge.demo.answering import answer, estimate_tokens, read_rules
from ragjudge.demo.corpus import Passage
from ragjudge.demo.definition import AppDefinition, Retrieval
from ragjudge.demo.loose import JsonObject
from ragjudge.demo.retrieval import Hit, Index
from ragjudge.demo.retrieval_log import RetrievalLog, Retrieved
from ragjudge.demo.server.memory import Memory
from ragjudge.demo.server.options import Dialect, ServerOptions
from ragjudge.demo.server.payloads import Spent

PING: JsonObject = {"event": "ping"}
_CHUNK = 24
"""Characters per streamed piece of an answer."""


@dataclass(frozen=True, slots=True)
class World:
    """What every answer is made with."""

    app: AppDefinition
    index: Index
    options: ServerOptions
    dialect: Dialect
    memory: Memory
    log: RetrievalLog
    new_id: Callable[[], str]
    closing: Event
    """Set when the server shuts down."""


@dataclass(frozen=True, slots=True)
class Asking:
    """One question with its ids. `dialogue_count` is 1 for the first turn of a conversation."""

    world: World
    query: str
    inputs: JsonObject
    user: str
    streaming: bool
    task_id: str
    message_id: str
    conversation_id: str
    run_id: str
    created_at: int
    stop: Event
    dialogue_count: int = 1

    def retrieve(self, query: str, how: Retrieval) -> list[Hit]:
        hits = self.world.index.search(query, top_k=how.top_k, score_threshold=how.score_threshold)
        keys = tuple(hit.passage.key for hit in hits)
        asked = self.query or query
        self.world.log.add(Retrieved(asked, query, self.user, self.world.app.workflow_id, keys))
        return hits

    def think(self) -> Iterator[JsonObject]:
        """Spend the configured delay, with a ping every now and then; ends at once when told to stop."""
        options = self.world.options
        left = options.answer_delay_s
        while left > 0 and not self.stop.is_set():
            step = min(left, options.ping_every_s)
            self.stop.wait(step)
            left -= step
            if left > 0:
                yield PING

    def write(self, prompt: str, passages: Sequence[Passage], *, question: str) -> "Written":
        """What the model says, and what it took."""
        began = time.perf_counter()
        said = answer(question, passages, rules=read_rules(prompt), weight=self.world.index.weight)
        spent = Spent(
            estimate_tokens(prompt) + estimate_tokens(question),
            estimate_tokens(said),
            self.world.options.answer_delay_s + time.perf_counter() - began,
        )
        return Written(said, spent)


@dataclass(frozen=True, slots=True)
class Written:
    """The text of an answer and its cost."""

    text: str
    spent: Spent


def pieces(said: str) -> list[str]:
    """An answer as it is streamed: in pieces, and an empty one at the end."""
    return [said[start : start + _CHUNK] for start in range(0, len(said), _CHUNK)] + [""]


def now() -> int:
    """Seconds since 1970, as Dify stamps everything."""
    return int(time.time())
