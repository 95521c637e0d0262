"""An app as its Dify DSL export describes it: mode, form, switches, and the nodes in the order they run."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypedDict, cast

import yaml

from ragjudge.demo.corpus import stable_id
from ragjudge.demo.loose import JsonObject, items, mapping, number, text

Mode = Literal["advanced-chat", "workflow", "chat", "agent-chat", "completion"]
_GRAPH_MODES = ("advanced-chat", "workflow")
_PROMPT_MODES = ("chat", "agent-chat", "completion")
_RUNNABLE = ("start", "knowledge-retrieval", "llm", "answer", "end")
_MOST_BYTES = 2_000_000


class UnusableApp(ValueError):
    """The file is no app that this server can run. The message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """How many passages are fetched, and how near they must be (0..1; None: no matter)."""

    top_k: int = 4
    score_threshold: float | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """One step of a chatflow or workflow."""

    id: str
    type: str
    title: str
    data: JsonObject = field(hash=False)

    @property
    def retrieval(self) -> Retrieval:
        return _retrieval(mapping(self.data.get("multiple_retrieval_config")))


@dataclass(frozen=True, slots=True)
class Variable:
    """One field of the app's form. `kind` is Dify's: text-input, paragraph, select, number, checkbox."""

    kind: str
    name: str
    required: bool
    max_length: int | None
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AppDefinition:
    """Everything the server needs to behave like the app. `nodes` is empty for apps without a graph."""

    name: str
    description: str
    mode: Mode
    icon: str
    icon_background: str
    features: JsonObject
    form: tuple[JsonObject, ...]
    """As `/parameters` shows it: one-key objects `{kind: {variable, label, required, …}}`."""
    nodes: tuple[Node, ...]
    retrieval: Retrieval
    """Of apps without a graph; a graph's retrieval nodes have their own."""
    prompt: str
    model_provider: str
    model_name: str
    query_variable: str
    """Completion apps: which form variable holds the question."""
    workflow_id: str
    """Changes with the behaviour that the DSL describes, and only with it."""

    @property
    def app_id(self) -> str:
        return stable_id("app", self.name)

    @property
    def citation(self) -> bool:
        return bool(mapping(self.features.get("retriever_resource")).get("enabled"))

    @property
    def variables(self) -> tuple[Variable, ...]:
        return tuple(_variable(kind, mapping(spec)) for entry in self.form for kind, spec in entry.items())


def load_app(path: Path) -> AppDefinition:
    """Read a DSL export. Raises UnusableApp where it cannot be read or needs what this server does not have."""
    try:
        raw = path.read_bytes()
    except OSError as fault:
        raise UnusableApp(f"{path}: cannot be read ({fault.strerror})") from fault
    if len(raw) > _MOST_BYTES:
        raise UnusableApp(f"{path}: larger than {_MOST_BYTES} bytes")
    try:
        return read_app(raw.decode("utf-8-sig"))
    except (UnicodeDecodeError, yaml.YAMLError, UnusableApp) as fault:
        raise UnusableApp(f"{path}: {fault}") from fault


def read_app(dsl: str) -> AppDefinition:
    """The app of a DSL text."""
    document = mapping(yaml.safe_load(dsl))
    app = mapping(document.get("app"))
    mode = text(app.get("mode"))
    if document.get("kind") != "app" or mode not in (*_GRAPH_MODES, *_PROMPT_MODES):
        raise UnusableApp(f"no Dify app of a known mode (kind: {document.get('kind')!r}, mode: {mode!r})")
    return _graph_app(app, document) if mode in _GRAPH_MODES else _prompt_app(app, document)


def _graph_app(app: JsonObject, document: JsonObject) -> AppDefinition:
    workflow = mapping(document.get("workflow"))
    nodes = _in_running_order(mapping(workflow.get("graph")))
    models = [mapping(node.data.get("model")) for node in nodes if node.type == "llm"]
    behaviour = {"nodes": [[n.id, n.data] for n in nodes], "features": workflow.get("features")}
    return AppDefinition(
        **_identity(app),
        features=mapping(workflow.get("features")),
        form=tuple(
            {text(mapping(variable).get("type")): variable}
            for variable in items(nodes[0].data.get("variables"))
        ),
        nodes=tuple(nodes),
        retrieval=Retrieval(),
        prompt="",
        model_provider=text(models[0].get("provider")) if models else "",
        model_name=text(models[0].get("name")) if models else "",
        query_variable="",
        workflow_id=stable_id("workflow", json.dumps(behaviour, sort_keys=True, default=str)),
    )


def _prompt_app(app: JsonObject, document: JsonObject) -> AppDefinition:
    config = mapping(document.get("model_config"))
    model = mapping(config.get("model"))
    switches = (
        "retriever_resource", "opening_statement", "suggested_questions", "file_upload", "text_to_speech",
        "suggested_questions_after_answer", "speech_to_text", "sensitive_word_avoidance", "more_like_this",
    )  # fmt: skip
    return AppDefinition(
        **_identity(app),
        features={name: config[name] for name in switches if name in config},
        form=tuple(mapping(entry) for entry in items(config.get("user_input_form"))),
        nodes=(),
        retrieval=_retrieval(mapping(config.get("dataset_configs"))),
        prompt=text(config.get("pre_prompt")),
        model_provider=text(model.get("provider")),
        model_name=text(model.get("name")),
        query_variable=text(config.get("dataset_query_variable")),
        workflow_id=stable_id("config", json.dumps(config, sort_keys=True, default=str)),
    )


class _Identity(TypedDict):
    name: str
    description: str
    mode: Mode
    icon: str
    icon_background: str


def _identity(app: JsonObject) -> _Identity:
    return {
        "name": text(app.get("name"), "App"),
        "description": text(app.get("description")),
        "mode": cast("Mode", text(app.get("mode"))),
        "icon": text(app.get("icon"), "🤖"),
        "icon_background": text(app.get("icon_background"), "#FFEAD5"),
    }


def _in_running_order(graph: JsonObject) -> list[Node]:
    """Follow the edges from the start node. The graph must be one chain: this server takes no decisions."""
    nodes = {}
    for entry in map(mapping, items(graph.get("nodes"))):
        data = mapping(entry.get("data"))
        node_id = text(entry.get("id"))
        nodes[node_id] = Node(node_id, text(data.get("type")), text(data.get("title")), data)
    following: dict[str, str] = {}
    for edge in map(mapping, items(graph.get("edges"))):
        source, target = text(edge.get("source")), text(edge.get("target"))
        if source in following:
            raise UnusableApp(f"node {source!r} has more than one way out; only a chain of nodes can be run")
        if target not in nodes:
            raise UnusableApp(f"an edge leads to {target!r}, which is no node")
        following[source] = target
    chain = [node for node in nodes.values() if node.type == "start"]
    if len(chain) != 1:
        raise UnusableApp(f"{len(chain)} start nodes; exactly one is needed")
    while chain[-1].id in following:
        if len(chain) > len(nodes):
            raise UnusableApp("the edges run in a circle")
        chain.append(nodes[following[chain[-1].id]])
    unknown = sorted({node.type for node in chain} - set(_RUNNABLE))
    if unknown:
        raise UnusableApp(f"nodes of type {', '.join(unknown)} cannot be run here")
    return chain


def _retrieval(config: JsonObject) -> Retrieval:
    threshold = number(config.get("score_threshold"))
    if config.get("score_threshold_enabled") is False:
        threshold = None
    return Retrieval(int(number(config.get("top_k")) or 4), threshold)


def _variable(kind: str, spec: JsonObject) -> Variable:
    longest = number(spec.get("max_length"))
    return Variable(
        kind=kind,
        name=text(spec.get("variable")),
        required=bool(spec.get("required")),
        max_length=int(longest) if longest else None,
        options=tuple(text(option) for option in items(spec.get("options"))),
    )
