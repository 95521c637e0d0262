"""Faults in a chatflow's or workflow's graph: what runs into nothing, and what is never reached."""

from collections.abc import Iterator

from ragjudge.dsl.exits import has_exit
from ragjudge.dsl.findings import Finding, Rule
from ragjudge.dsl.graph import INNER_STARTS, START_TYPES, Edge, Graph, GraphNode, graph_of
from ragjudge.dsl.lint_settings import WITH_MODEL
from ragjudge.dsl.load import Dsl, items, part
from ragjudge.dsl.references import BUILT_IN, references
from ragjudge.language import Text

_QUERIES = ("query_variable_selector", "query_attachment_selector")


def graph(dsl: Dsl) -> Iterator[Finding]:
    """Nothing for an app without a graph, but for a basic app without a model."""
    if not dsl.is_graph:
        if not part(dsl.root, "model_config", "model").get("name"):
            yield _no_model(dsl, dsl.name, "model_config", "model")
        return
    found = graph_of(dsl)
    yield from _duplicates(dsl, found)
    yield from _edges(dsl, found)
    yield from _exits(dsl, found)
    yield from _ends(dsl, found)
    yield from _references(dsl, found)
    yield from _unreachable(dsl, found)
    yield from _nodes(dsl, found)


def _duplicates(dsl: Dsl, found: Graph) -> Iterator[Finding]:
    for node in found.repeated:
        yield Finding(
            Rule.DUPLICATE_NODE,
            Text(f"Two nodes have the id {node.id}.", f"ノードのID {node.id} が重複しています。"),
            dsl.place(*node.path),
            Text("Export the app again from Dify.", "Difyからもう一度エクスポートしてください。"),
        )


def _edges(dsl: Dsl, found: Graph) -> Iterator[Finding]:
    for edge in found.edges:
        for end, other in ((edge.source, edge.target), (edge.target, edge.source)):
            if end not in found.nodes:
                title = found.title(other)
                yield Finding(
                    Rule.DANGLING_EDGE,
                    Text(
                        f"A wire of the node “{title}” leads to a node that is not there ({end}).",
                        f"ノード「{title}」の接続先・接続元({end})がありません。",
                    ),
                    dsl.place(*edge.path),
                    Text(
                        "Wire it anew in Dify, then export again.",
                        "Difyで接続し直し、エクスポートしてください。",
                    ),
                )


def _exits(dsl: Dsl, found: Graph) -> Iterator[Finding]:
    for edge in found.edges:
        if edge.target in found.nodes and not _leads_on(found, edge):
            source, target = found.title(edge.source), found.title(edge.target)
            yield Finding(
                Rule.DANGLING_EDGE,
                Text(
                    f"The wire from “{source}” to “{target}” leaves by an exit that is not there ({edge.handle}).",
                    f"「{source}」から「{target}」への接続は、存在しない分岐({edge.handle})から出ています。",
                ),
                dsl.place(*edge.path),
                Text(
                    "Wire it from a branch that there is, or remove it.",
                    "存在する分岐から接続し直すか、接続を削除してください。",
                ),
            )


def _leads_on(found: Graph, edge: Edge) -> bool:
    """A wire is followed from an exit that its node has; what a wire from nowhere means, another finding says."""
    source = found.nodes.get(edge.source)
    return source is None or has_exit(source, edge.handle)


def _ends(dsl: Dsl, found: Graph) -> Iterator[Finding]:
    place = dsl.place("workflow", "graph", "nodes")
    if not any(found.of_type(*START_TYPES)):
        yield Finding(
            Rule.NO_START,
            Text("There is no start node.", "開始ノードがありません。"),
            place,
            Text("Add one in Dify.", "Difyで追加してください。"),
        )
    wanted = "answer" if dsl.mode == "advanced-chat" else "end"
    if not any(found.of_type(wanted)) and not (dsl.mode == "workflow" and any(found.of_type("answer"))):
        yield Finding(
            Rule.NO_ANSWER,
            Text(
                f"There is no {wanted} node: the app would say nothing.",
                "回答(終了)ノードがなく、アプリは何も答えません。",
            ),
            place,
            Text("Add one in Dify.", "Difyで追加してください。"),
        )


def _references(dsl: Dsl, found: Graph) -> Iterator[Finding]:
    declared = {
        scope: {str(v.get("name")) for v in items(dsl.root, "workflow", name) if isinstance(v, dict)}
        for scope, name in (("env", "environment_variables"), ("conversation", "conversation_variables"))
    }
    declared |= {node.id: _form(node) for node in found.of_type("start")}
    for node in found.nodes.values():
        for ref in references(node):
            known = declared.get(ref.source)
            gone = ref.source not in found.nodes and ref.source not in BUILT_IN
            if gone or (known is not None and ref.variable.split(".")[0] not in known):
                what = f"{ref.source}.{ref.variable}"
                yield Finding(
                    Rule.DANGLING_REFERENCE,
                    Text(
                        f"The node “{node.title}” reads {what}, which is not there.",
                        f"ノード「{node.title}」が参照する {what} がありません。",
                    ),
                    dsl.place(*ref.path),
                    Text("Choose the variable anew in Dify.", "Difyで変数を選び直してください。"),
                )


def _form(start: GraphNode) -> set[str]:
    """What a start node gives: the form's fields, and Dify's own values."""
    fields = items(start.data, "variables")
    return {str(f.get("variable")) for f in fields if isinstance(f, dict)} | {"sys", "userinput"}


def _unreachable(dsl: Dsl, found: Graph) -> Iterator[Finding]:
    following: dict[str, list[str]] = {}
    for edge in found.edges:
        if _leads_on(found, edge):
            following.setdefault(edge.source, []).append(edge.target)
    for node in found.nodes.values():
        if node.type in INNER_STARTS and node.parent:
            following.setdefault(node.parent, []).append(node.id)
    reached = {node.id for node in found.of_type(*START_TYPES)}
    waiting = list(reached)
    while waiting:
        for target in following.get(waiting.pop(), []):
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    for node in found.nodes.values():
        if reached and node.id not in reached:
            yield Finding(
                Rule.UNREACHABLE_NODE,
                Text(
                    f"The node “{node.title}” is never reached.", f"ノード「{node.title}」には到達しません。"
                ),
                dsl.place(*node.path),
                Text("Wire it, or remove it.", "接続するか、削除してください。"),
            )


def _nodes(dsl: Dsl, found: Graph) -> Iterator[Finding]:
    for node in found.of_type("knowledge-retrieval"):
        if not any(items(node.data, name) for name in _QUERIES):
            yield Finding(
                Rule.NO_QUERY,
                Text(
                    f"The node “{node.title}” does not say what to search for.",
                    f"ノード「{node.title}」に検索する変数が指定されていません。",
                ),
                dsl.place(*node.path, "data", "query_variable_selector"),
                Text("Choose the query variable in Dify.", "Difyで検索変数を選んでください。"),
            )
        if node.data.get("dataset_ids") in (None, []):
            yield Finding(
                Rule.NO_DATASET,
                Text(
                    f"The node “{node.title}” has no dataset: it would find nothing, without an error.",
                    f"ノード「{node.title}」にナレッジが指定されていません。エラーにならず、何も検索されません。",
                ),
                dsl.place(*node.path, "data", "dataset_ids"),
                Text("Choose a dataset in Dify.", "Difyでナレッジを選んでください。"),
            )
    for node in found.of_type(*WITH_MODEL):
        if not part(node.data, "model").get("name"):
            yield _no_model(dsl, node.title, *node.path, "data", "model")
    for node in found.of_type("llm"):
        if not _has_prompt(node.data.get("prompt_template")):
            yield Finding(
                Rule.EMPTY_PROMPT,
                Text(
                    f"The node “{node.title}” has an empty prompt.",
                    f"ノード「{node.title}」のプロンプトが空です。",
                ),
                dsl.place(*node.path, "data", "prompt_template"),
                Text("Write one in Dify.", "Difyで入力してください。"),
            )


def _has_prompt(template: object) -> bool:
    entries = template if isinstance(template, list) else [template]
    return any(isinstance(e, dict) and (e.get("text") or e.get("jinja2_text")) for e in entries)


def _no_model(dsl: Dsl, title: str, *path: str | int) -> Finding:
    return Finding(
        Rule.NO_MODEL,
        Text(f"“{title}” names no model.", f"「{title}」にモデルが指定されていません。"),
        dsl.place(*path),
        Text("Choose a model in Dify.", "Difyでモデルを選んでください。"),
    )
