"""Answers of apps without a graph: basic chat, completion and agent apps."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from ragjudge.demo.corpus import stable_id
from ragjudge.demo.loose import JsonObject
from ragjudge.demo.retrieval import Hit
from ragjudge.demo.server.asking import Asking, Written, pieces
from ragjudge.demo.server.payloads import Spent, cited_by_plain_app, node_results, usage


@dataclass(frozen=True, slots=True)
class Said:
    """What came of it."""

    answer: str
    resources: list[JsonObject]
    metadata: JsonObject


class PlainRun:
    """One answer: iterate `events` to the end, then read `ended`."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking
        self._app = asking.world.app
        self.ended: Said | None = None

    def events(self) -> Iterator[JsonObject]:
        hits = self._asking.retrieve(self._asking.query, self._app.retrieval)
        agent = self._app.mode == "agent-chat"
        if agent:
            yield from self._tool_call(hits)
        yield from self._asking.think()
        written = self._asking.write(
            self._prompt(hits), [hit.passage for hit in hits], question=self._asking.query
        )
        said = ""
        for piece in pieces(written.text):
            if self._asking.stop.is_set():
                break
            said += piece
            event = "agent_message" if agent else "message"
            own: JsonObject = {"id": self._asking.message_id, "answer": piece}
            yield self._of_message(event) | own | ({} if agent else {"from_variable_selector": None})
        if agent:
            yield self._thought(2, thought=said)
        yield self._end(hits, Written(said, written.spent))

    def _prompt(self, hits: list[Hit]) -> str:
        filled = self._app.prompt
        for name, value in self._asking.inputs.items():
            filled = filled.replace("{{" + name + "}}", str(value or ""))
        return "\n".join([filled, *(hit.passage.content for hit in hits)])

    def _end(self, hits: list[Hit], written: Written) -> JsonObject:
        world = self._asking.world
        results = node_results(world.index.corpus, hits, world.dialect, count=world.memory.hit)
        resources = [
            cited_by_plain_app(result, position, world.dialect)
            for position, result in enumerate(results if self._app.citation else [], start=1)
        ]
        unseen = world.dialect.blocking_counts_no_tokens and not self._asking.streaming
        spent = Spent(latency_s=written.spent.latency_s) if unseen else written.spent
        metadata: JsonObject = {
            "annotation_reply": None,
            "retriever_resources": resources,
            "usage": usage(spent, world.dialect, timed=False),
        }
        self.ended = Said(written.text, resources, metadata)
        own: JsonObject = {"id": self._asking.message_id, "metadata": metadata, "files": None}
        return self._of_message("message_end") | own

    def _tool_call(self, hits: list[Hit]) -> Iterator[JsonObject]:
        """An agent's first step: it calls the dataset as a tool and sees its text."""
        corpus = self._asking.world.index.corpus
        tool = "dataset_" + corpus.dataset_id.replace("-", "_")
        labels: JsonObject = {tool: {"en_US": tool, "zh_Hans": tool}}
        called = json.dumps({tool: {"query": self._asking.query}}, ensure_ascii=False)
        seen = json.dumps({tool: "\n".join(hit.passage.content for hit in hits)}, ensure_ascii=False)
        yield self._thought(1)
        yield self._of_message("agent_message") | {"id": self._asking.message_id, "answer": ""}
        call: JsonObject = {"tool": tool, "tool_labels": labels, "tool_input": called}
        yield self._thought(1) | call
        yield self._thought(1) | call | {"observation": seen}
        yield self._thought(2)

    def _thought(self, position: int, *, thought: str = "") -> JsonObject:
        own: JsonObject = {
            "id": stable_id("thought", self._asking.message_id, str(position)),
            "position": position,
            "thought": thought,
            "observation": "",
            "tool": "",
            "tool_labels": {},
            "tool_input": "",
            "message_files": [],
        }
        return self._of_message("agent_thought") | own

    def _of_message(self, event: str) -> JsonObject:
        ids: JsonObject = {"event": event}
        if self._app.mode != "completion":
            ids["conversation_id"] = self._asking.conversation_id
        return ids | {
            "message_id": self._asking.message_id,
            "created_at": self._asking.created_at,
            "task_id": self._asking.task_id,
        }
