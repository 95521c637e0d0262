"""What the nodes of a run tell: passages, models, tokens, and which of them fell back to a default."""

from collections.abc import Mapping

from ragjudge.dify.passages import Collected, in_tool, of_node
from ragjudge.dify.spending import NOTHING
from ragjudge.dify.spending import of_node as spent_by
from ragjudge.dify.wire import id_of, mapping_of, text_of
from ragjudge.results.answer import Context, NodeUsage
from ragjudge.results.usage import Usage

_RETRIEVAL = "knowledge-retrieval"
_MAY_RETRIEVE = ("tool", "agent", "datasource")
TRUNCATED = {
    "outputs_truncated": "truncated",
    "inputs_truncated": "inputs_truncated",
    "process_data_truncated": "process_data_truncated",
}
"""Flags of what a server shows shortened, and the notes about it."""
_MOST = 40
"""Notes, models and nodes kept per run: an iteration may have thousands of nodes."""


class NodeLog:
    """Takes each `node_finished` and `node_retry`. System prompts in `process_data` are never looked at."""

    def __init__(self) -> None:
        self.usage = NOTHING
        self.retrieval_ran = False
        self.retrieval_failed = False
        self.is_settled = False
        """The app began to speak after the retrieval seen so far, and no further one was under way."""
        self._under_way = 0
        self._passages = Collected()
        self._models: dict[str, None] = {}
        self._notes: dict[str, None] = {}
        self._spent: dict[str, NodeUsage] = {}
        self._thought: dict[str, list[str]] = {}
        self._thinks_aloud: set[str] = set()

    @property
    def passages(self) -> tuple[Context, ...]:
        return self._passages.all

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(self._models)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._notes)

    @property
    def node_usage(self) -> tuple[NodeUsage, ...]:
        return tuple(self._spent.values())

    @property
    def reasoning(self) -> str:
        """Of all nodes that keep it apart from their text."""
        thoughts = ("".join(pieces).strip() for pieces in self._thought.values())
        return "\n\n".join(thought for thought in thoughts if thought)

    def reasoned(self, data: Mapping[str, object]) -> None:
        """A `reasoning_chunk`."""
        node = id_of(data.get("node_id"))
        self._thinks_aloud.add(node)
        self._think(node, text_of(data.get("reasoning")))

    def started(self, data: Mapping[str, object]) -> None:
        if text_of(data.get("node_type")) == _RETRIEVAL:
            self._under_way += 1

    def spoke(self) -> None:
        self.is_settled = not self._under_way

    def finished(self, data: Mapping[str, object]) -> None:
        kind, status = text_of(data.get("node_type")), text_of(data.get("status"))
        outputs = mapping_of(data.get("outputs"))
        if kind == _RETRIEVAL:
            self._retrieved(outputs, status=status)
        elif kind in _MAY_RETRIEVE and (found := in_tool(outputs)):
            self._passages.add(found)
            self.is_settled = False
        if status == "exception":
            self._note("default_value_used", data)
        for flag, word in TRUNCATED.items():
            if data.get(flag) is True:
                self._note(word, data)
        usage = spent_by(data)
        self.usage = self.usage + usage
        self._spend(data, usage, self._take_model(data))
        if (node := id_of(data.get("node_id"))) not in self._thinks_aloud:
            self._think(node, text_of(outputs.get("reasoning_content")))

    def retried(self, data: Mapping[str, object]) -> None:
        self._note("node_retried", data)

    def _retrieved(self, outputs: Mapping[str, object], *, status: str) -> None:
        self.retrieval_ran, self.is_settled = True, False
        self._under_way = max(0, self._under_way - 1)
        if status == "succeeded":
            self._passages.add(of_node(outputs.get("result")))
        else:
            self.retrieval_failed = True

    def _take_model(self, data: Mapping[str, object]) -> str | None:
        for holder in (mapping_of(data.get("process_data")), mapping_of(data.get("inputs"))):
            name, provider = text_of(holder.get("model_name")), text_of(holder.get("model_provider"))
            if name:
                model = f"{provider}/{name}" if provider else name
                if len(self._models) < _MOST:
                    self._models[model] = None
                return model
        return None

    def _spend(self, data: Mapping[str, object], usage: Usage, model: str | None) -> None:
        """Iterations of a node are summed."""
        if not usage.total_tokens:
            return
        key = id_of(data.get("node_id"))
        before = self._spent.get(key)
        if before is None and len(self._spent) >= _MOST:
            return
        total = before.usage + usage if before else usage
        self._spent[key] = NodeUsage(node=_title(data), model=model, usage=total)

    def _think(self, node: str, thought: str) -> None:
        if thought and (node in self._thought or len(self._thought) < _MOST):
            self._thought.setdefault(node, []).append(thought)

    def _note(self, word: str, data: Mapping[str, object]) -> None:
        if len(self._notes) < _MOST:
            self._notes[f"{word}:{_title(data)}"] = None


def _title(data: Mapping[str, object]) -> str:
    return " ".join((text_of(data.get("title")) or text_of(data.get("node_id"))).split())[:60]
