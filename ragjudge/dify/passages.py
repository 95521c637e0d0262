"""Retrieved passages in each of the shapes that Dify gives them, and the choice between them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ragjudge.dify.wire import list_of, mapping_of, name_of, number_of, text_of
from ragjudge.results.answer import Context, Contexts, ContextSource, MissingContexts, NotAvailable, Retrieved

_DATASET = "dataset_"
"""How the names of an agent's dataset tools begin."""
_DEEPEST = 4
"""Lists within lists: what an iteration gathers."""
_CONTENT = ("content", "text", "page_content")
_NOTHING: tuple[object, ...] = ([], {})


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one answer's stream, reply or history showed of its retrieval."""

    nodes: tuple[Context, ...] = ()
    """Of all retrieval nodes, in order, across iterations."""
    resources: tuple[Context, ...] = ()
    observations: tuple[Context, ...] = ()
    outputs: tuple[Context, ...] = ()
    history: tuple[Context, ...] = ()
    retrieval_ran: bool = False
    retrieval_failed: bool = False
    annotated: bool = False
    lost: bool = False
    """The stream was cut before its end."""
    partial: bool = False
    """It was cut where further retrieval may have followed: nothing was said after the passages seen so far."""
    unusable_output: str = ""
    """A note about the output that `app.contexts` names, where it shows no passages and not that there are none."""
    streamed: bool = True
    """False: a blocking reply, which shows no nodes."""

    def whole(self) -> "Evidence | None":
        """With all passages of a cut stream's answer; None where nothing vouches that these are all.

        What the stream showed in part is joined with what the finished run or the history holds.
        """
        if self.nodes and not self.partial:
            return self
        kept = self.outputs or self.history
        if not kept:
            return None
        shown = {passage.content for passage in self.nodes}
        joined = Collected()
        joined.add(self.nodes)
        joined.add(passage for passage in kept if passage.content not in shown)
        of_outputs, of_history = (joined.all, ()) if self.outputs else ((), joined.all)
        return replace(self, nodes=(), observations=(), outputs=of_outputs, history=of_history)


@dataclass(slots=True)
class Collected:
    """Passages without doubles, ranked in the order in which they came."""

    items: list[Context] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)

    def add(self, passages: Iterable[Context]) -> None:
        for passage in passages:
            key = passage.segment_id or passage.content
            if key not in self.seen:
                self.seen.add(key)
                self.items.append(passage.model_copy(update={"rank": len(self.items) + 1}))

    @property
    def all(self) -> tuple[Context, ...]:
        return tuple(self.items)


def choose(evidence: Evidence, *, citation: bool | None, has_nodes: bool) -> Contexts:
    """The best source that holds anything; else why there is nothing.

    `has_nodes`: the app is a chatflow or a workflow, whose stream shows each retrieval node.
    """
    for source, items in (
        (ContextSource.RETRIEVAL_NODES, evidence.nodes),
        (ContextSource.RETRIEVER_RESOURCES, evidence.resources),
        (ContextSource.AGENT_OBSERVATION, evidence.observations),
        (ContextSource.WORKFLOW_OUTPUT, evidence.outputs),
        (ContextSource.MESSAGE_HISTORY, evidence.history),
    ):
        if items:
            return Retrieved(source=source, items=items)
    return NotAvailable(cause=_why_none(evidence, citation=citation, has_nodes=has_nodes))


def _why_none(evidence: Evidence, *, citation: bool | None, has_nodes: bool) -> MissingContexts:
    if evidence.annotated:
        return MissingContexts.ANNOTATION_REPLY
    if evidence.retrieval_failed:
        return MissingContexts.NODE_FAILED
    if evidence.lost:
        return MissingContexts.LOST_WITH_STREAM
    if evidence.retrieval_ran:
        return MissingContexts.NOTHING_RETRIEVED
    if evidence.unusable_output:
        return MissingContexts.OUTPUT_UNUSABLE
    if has_nodes and not evidence.streamed:
        return MissingContexts.NOT_IN_REPLY
    if not has_nodes and citation is False:
        return MissingContexts.CITATION_OFF
    return MissingContexts.NO_RETRIEVAL


def of_node(value: object) -> tuple[Context, ...]:
    """`outputs.result` of a knowledge-retrieval node: items with their ids under `metadata`."""
    return _ranked(_from_node(mapping_of(item)) for item in list_of(value))


def of_resources(value: object) -> tuple[Context, ...]:
    """`retriever_resources`: flat items."""
    return _ranked(_from_flat(mapping_of(item)) for item in list_of(value))


def of_observation(value: object) -> tuple[Context, ...]:
    """`agent_thought.observation`: a JSON string of tool name → text; dataset tools join their chunks by lines."""
    return _ranked(
        _plain(line, dataset=name.removeprefix(_DATASET).replace("_", "-"))
        for name, text in _searches(value).items()
        for line in text_of(text).split("\n")
    )


def searched(observation: object) -> bool:
    """Whether the agent's tools that were observed search a dataset: their text is empty where nothing was found."""
    return bool(_searches(observation))


def _searches(observation: object) -> Mapping[str, object]:
    try:
        tools = mapping_of(json.loads(text_of(observation) or "null"))
    except (ValueError, RecursionError):
        return {}
    return {name: text for name, text in tools.items() if name.startswith(_DATASET)}


def of_output(value: object) -> tuple[Context, ...]:
    """An output of a workflow that holds passages: texts or items, listed, alone, or written as JSON."""
    return _ranked(_in_output(value, depth=_DEEPEST))


def _in_output(value: object, *, depth: int) -> Iterator[Context | None]:
    if isinstance(value, str):
        packed = _unpacked(value)
        found = [] if packed is None else list(_in_output(packed, depth=depth))
        yield from found if any(found) or packed in _NOTHING else [_plain(text_of(value))]
    elif isinstance(value, list) and depth:
        for item in value:
            yield from _in_output(item, depth=depth - 1)
    elif isinstance(value, dict):
        if (item := _from_any(value)) is not None:
            yield item
        elif depth:
            for inner in value.values():
                if isinstance(inner, list):
                    yield from _in_output([each for each in inner if isinstance(each, dict)], depth=depth - 1)


def _unpacked(text: str) -> object:
    """The list or object that a text writes as JSON, as code and template nodes do; None for any other text."""
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list | dict) else None


def shows_nothing(value: object) -> bool:
    """Whether an output says that nothing was found: it is there, and empty."""
    if isinstance(value, str):
        return not value.strip() or _unpacked(value) in _NOTHING
    if isinstance(value, list):
        return all(not each.strip() if isinstance(each, str) else each in (None, *_NOTHING) for each in value)
    return value in (None, *_NOTHING)


def looks_like_passages(value: object) -> bool:
    """Whether an output is a list of items as a retrieval node makes them."""
    items = list_of(value)
    return bool(items) and all(
        text_of(mapping_of(item).get("content")) and _ids_of(mapping_of(item)) for item in items
    )


def in_tool(outputs: Mapping[str, object]) -> tuple[Context, ...]:
    """Passages among a tool's outputs (`json`, `result`…), as knowledge tools return them."""
    found = Collected()
    for value in outputs.values():
        if looks_like_passages(value):
            found.add(of_output(value))
            continue
        for inner in list_of(value):
            for deeper in (*mapping_of(inner).values(), inner):
                if looks_like_passages(deeper):
                    found.add(of_output(deeper))
    return found.all


def _ids_of(item: Mapping[str, object]) -> bool:
    metadata = mapping_of(item.get("metadata"))
    return metadata.get("_source") == "knowledge" or any(
        name_of(holder.get(key))
        for holder in (item, metadata)
        for key in ("segment_id", "document_id", "dataset_id")
    )


def _from_any(item: Mapping[str, object]) -> Context | None:
    return _from_node(item) if mapping_of(item.get("metadata")) else _from_flat(item)


def _from_node(item: Mapping[str, object]) -> Context | None:
    own = {key: item.get(key) for key in (*_CONTENT, "title")}
    return _from_flat({**mapping_of(item.get("metadata")), **own})


def _from_flat(item: Mapping[str, object]) -> Context | None:
    content = next((text for key in _CONTENT if (text := text_of(item.get(key)))), "")
    if not content.strip():
        return None
    return Context(
        rank=1,
        content=content,
        score=number_of(item.get("score")),
        title=name_of(item.get("title")),
        document_id=name_of(item.get("document_id")),
        document_name=name_of(item.get("document_name")),
        dataset_id=name_of(item.get("dataset_id")),
        dataset_name=name_of(item.get("dataset_name")),
        segment_id=name_of(item.get("segment_id")),
    )


def _plain(text: str, *, dataset: str | None = None) -> Context | None:
    return Context(rank=1, content=text, dataset_id=dataset) if text.strip() else None


def _ranked(found: Iterable[Context | None]) -> tuple[Context, ...]:
    collected = Collected()
    collected.add(passage for passage in found if passage is not None)
    return collected.all
