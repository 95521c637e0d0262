"""The events of a chatflow or workflow run, field by field as Dify sends them."""

from dataclasses import dataclass, field

from ragjudge.demo.definition import Node
from ragjudge.demo.loose import JsonObject
from ragjudge.demo.server.asking import Asking, now


@dataclass(frozen=True, slots=True)
class NodeDone:
    """What a finished node shows."""

    inputs: JsonObject
    outputs: JsonObject
    process_data: JsonObject = field(default_factory=dict)
    execution_metadata: JsonObject | None = None


class Frames:
    """Builds the events of one run. Chatflow events carry the conversation, workflow ones don't."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking
        self._chat = asking.world.app.mode == "advanced-chat"

    def started(self, inputs: JsonObject) -> JsonObject:
        data: JsonObject = {
            "id": self._asking.run_id,
            "workflow_id": self._asking.world.app.workflow_id,
            "inputs": inputs,
            "created_at": self._asking.created_at,
        }
        if self._asking.world.dialect.worker_streams:
            data["reason"] = "initial"
        return self._of_run("workflow_started", data)

    def node_started(self, node: Node, execution_id: str) -> JsonObject:
        data = self._node(node, execution_id) | {
            "inputs": None,
            "inputs_truncated": False,
            "created_at": now(),
            "extras": {},
            "iteration_id": None,
            "loop_id": None,
            "agent_strategy": None,
        }
        return self._of_run("node_started", data)

    def node_finished(self, node: Node, execution_id: str, *, done: NodeDone, elapsed_s: float) -> JsonObject:
        data = self._node(node, execution_id) | {
            "inputs": done.inputs,
            "inputs_truncated": False,
            "process_data": done.process_data,
            "process_data_truncated": False,
            "outputs": done.outputs,
            "outputs_truncated": False,
            "status": "succeeded",
            "error": None,
            "elapsed_time": round(elapsed_s, 6),
            "execution_metadata": done.execution_metadata,
            "created_at": now(),
            "finished_at": now(),
            "files": [],
            "iteration_id": None,
            "loop_id": None,
        }
        return self._of_run("node_finished", data)

    def text(self, piece: str, selector: list[str]) -> JsonObject:
        if self._chat:
            own: JsonObject = {"id": self._asking.message_id, "answer": piece}
            return self._of_message("message") | own | {"from_variable_selector": selector}
        return self._of_run("text_chunk", {"text": piece, "from_variable_selector": selector})

    def message_end(self, metadata: JsonObject) -> JsonObject:
        own: JsonObject = {"id": self._asking.message_id, "metadata": metadata, "files": []}
        return self._of_message("message_end") | own

    def finished(self, data: JsonObject) -> JsonObject:
        return self._of_run("workflow_finished", data)

    def _node(self, node: Node, execution_id: str) -> JsonObject:
        return {
            "id": execution_id,
            "node_id": node.id,
            "node_type": node.type,
            "title": node.title,
            "index": 1,
            "predecessor_node_id": None,
        }

    def _of_run(self, event: str, data: JsonObject) -> JsonObject:
        run: JsonObject = {"workflow_run_id": self._asking.run_id}
        if self._chat:
            return self._of_message(event) | run | {"data": data}
        return {"event": event, **run, "task_id": self._asking.task_id, "data": data}

    def _of_message(self, event: str) -> JsonObject:
        return {
            "event": event,
            "conversation_id": self._asking.conversation_id,
            "message_id": self._asking.message_id,
            "created_at": self._asking.created_at,
            "task_id": self._asking.task_id,
        }
