"""Tells a chatflow's or workflow's run as the events that a client hears."""

import re
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from ragjudge.demo.corpus import stable_id
from ragjudge.demo.definition import Node
from ragjudge.demo.loose import JsonObject, items, mapping, text
from ragjudge.demo.server.asking import Asking, now, pieces
from ragjudge.demo.server.frames import Frames, NodeDone
from ragjudge.demo.server.memory import Run
from ragjudge.demo.server.nodes import Nodes
from ragjudge.demo.server.payloads import Spent, usage

_USED_TEXT = re.compile(r"\{\{#([^{}#.]+)\.text#\}\}")


@dataclass(frozen=True, slots=True)
class Ended:
    """What came of a run."""

    run: Run
    answer: str
    resources: list[JsonObject]
    metadata: JsonObject


class GraphRun:
    """One run: iterate `events` to the end, then read `ended`."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking
        self._app = asking.world.app
        self._nodes = Nodes(asking)
        self._frames = Frames(asking)
        self._heard = _heard_nodes(self._app.nodes)
        self.ended: Ended | None = None

    def events(self) -> Iterator[JsonObject]:
        began = time.perf_counter()
        yield self._frames.started(self._nodes.shown_inputs())
        outputs: JsonObject = {}
        steps = 0
        for node in self._app.nodes:
            steps += 1
            done = yield from self._step(node)
            if self._asking.stop.is_set():
                outputs = {}
                break
            outputs = done.outputs if node.type in ("answer", "end") else outputs
        yield from self._ending(outputs, steps, time.perf_counter() - began)

    def _step(self, node: Node) -> Generator[JsonObject, None, NodeDone]:
        execution_id = self._asking.world.new_id()
        began = time.perf_counter()
        yield self._frames.node_started(node, execution_id)
        if node.type == "llm":
            yield from self._asking.think()
        done = self._nodes.run(node)
        if node.type == "llm" and node.id in self._heard:
            yield from self._speech(node, done)
        if not self._asking.stop.is_set():
            elapsed_s = time.perf_counter() - began
            yield self._frames.node_finished(node, execution_id, done=done, elapsed_s=elapsed_s)
        return done

    def _speech(self, node: Node, done: NodeDone) -> Iterator[JsonObject]:
        for piece in pieces(text(done.outputs.get("text"))):
            if self._asking.stop.is_set():
                return
            yield self._frames.text(piece, [node.id, "text"])

    def _ending(self, outputs: JsonObject, steps: int, elapsed_s: float) -> Iterator[JsonObject]:
        stopped = self._asking.stop.is_set()
        dialect = self._asking.world.dialect
        spent = Spent() if stopped else self._nodes.spent
        metadata: JsonObject = {
            "annotation_reply": None,
            "retriever_resources": self._nodes.resources,
            "usage": usage(spent, dialect),
        }
        run = self._record(outputs, steps, elapsed_s, spent)
        self._asking.world.memory.finish(run)
        self.ended = Ended(run, text(outputs.get("answer")), self._nodes.resources, metadata)
        finished = self._frames.finished(finished_data(run))
        if self._app.mode == "workflow":
            yield finished
        elif dialect.message_end_last:
            yield from (finished, self._frames.message_end(metadata))
        else:
            yield from ([] if stopped else [self._frames.message_end(metadata)])
            yield finished

    def _record(self, outputs: JsonObject, steps: int, elapsed_s: float, spent: Spent) -> Run:
        stopped = self._asking.stop.is_set()
        return Run(
            id=self._asking.run_id,
            workflow_id=self._app.workflow_id,
            status="stopped" if stopped else "succeeded",
            inputs=self._nodes.shown_inputs(),
            outputs=outputs,
            error="Stopped by user." if stopped else None,
            total_steps=steps,
            total_tokens=spent.tokens,
            created_at=self._asking.created_at,
            finished_at=now(),
            elapsed_s=round(elapsed_s, 6),
            user=self._asking.user,
        )


def finished_data(run: Run) -> JsonObject:
    """The `data` of `workflow_finished`."""
    return {
        "id": run.id,
        "workflow_id": run.workflow_id,
        "status": run.status,
        "outputs": run.outputs,
        "error": run.error,
        "elapsed_time": run.elapsed_s,
        "total_tokens": run.total_tokens,
        "total_steps": run.total_steps,
        "created_by": {"id": stable_id("user", run.user), "user": run.user},
        "created_at": run.created_at,
        "finished_at": run.finished_at,
        "exceptions_count": 0,
        "files": [],
    }


def _heard_nodes(nodes: Sequence[Node]) -> set[str]:
    """The model nodes whose text a client hears while it is written: those that the answer or the end uses."""
    heard: set[str] = set()
    for node in nodes:
        heard |= {name for name in _USED_TEXT.findall(text(node.data.get("answer"))) if node.type == "answer"}
        for entry in items(node.data.get("outputs")) if node.type == "end" else []:
            heard |= {text(part) for part in items(mapping(entry).get("value_selector"))[:1]}
    return heard
