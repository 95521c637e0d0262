"""What the nodes of a run tell: passages, models, tokens, and which of them fell back to a default."""

from collections.abc import Mapping

from ragjudge.dify.passages import Collected, in_tool, of_node
from ragjudge.dify.spending import NOTHING
from ragjudge.dify.spending import of_node as spent_by
from ragjudge.dify.wire import mapping_of, text_of
from ragjudge.results.answer import Context

_RETRIEVAL = "knowledge-retrieval"
_MAY_RETRIEVE = ("tool", "agent", "datasource")
_MOST = 40
"""Notes and models kept per run: an iteration may have thousands of nodes."""


class NodeLog:
    """Takes each `node_finished` and `node_retry`. System prompts in `process_data` are never looked at."""

    def __init__(self) -> None:
        self.usage = NOTHING
        self.retrieval_ran = False
        self.retrieval_failed = False
        self._passages = Collected()
        self._models: dict[str, None] = {}
        self._notes: dict[str, None] = {}

    @property
    def passages(self) -> tuple[Context, ...]:
        return self._passages.all

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(self._models)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._notes)

    def finished(self, data: Mapping[str, object]) -> None:
        kind, status = text_of(data.get("node_type")), text_of(data.get("status"))
        outputs = mapping_of(data.get("outputs"))
        if kind == _RETRIEVAL:
            self._retrieved(outputs, status=status)
        elif kind in _MAY_RETRIEVE:
            self._passages.add(in_tool(outputs))
        if status == "exception":
            self._note("default_value_used", data)
        if data.get("outputs_truncated") is True:
            self._note("truncated", data)
        self.usage = self.usage + spent_by(data)
        self._take_model(data)

    def retried(self, data: Mapping[str, object]) -> None:
        self._note("node_retried", data)

    def _retrieved(self, outputs: Mapping[str, object], *, status: str) -> None:
        self.retrieval_ran = True
        if status == "succeeded":
            self._passages.add(of_node(outputs.get("result")))
        else:
            self.retrieval_failed = True

    def _take_model(self, data: Mapping[str, object]) -> None:
        for holder in (mapping_of(data.get("process_data")), mapping_of(data.get("inputs"))):
            name, provider = text_of(holder.get("model_name")), text_of(holder.get("model_provider"))
            if name and len(self._models) < _MOST:
                self._models[f"{provider}/{name}" if provider else name] = None
                return

    def _note(self, word: str, data: Mapping[str, object]) -> None:
        title = text_of(data.get("title")) or text_of(data.get("node_id"))
        if len(self._notes) < _MOST:
            self._notes[f"{word}:{' '.join(title.split())[:60]}"] = None
