"""Every check over one export. What needs more than the file (suite, server) is given by the caller."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from ragjudge.dsl import lint_graph, lint_secrets, lint_server, lint_settings
from ragjudge.dsl.findings import DEFAULT_SEVERITY, Finding, Rule, Severity
from ragjudge.dsl.form import form_of
from ragjudge.dsl.load import Dsl, items, part
from ragjudge.language import Text


def lint(
    dsl: Dsl,
    *,
    severity: Mapping[Rule, Severity] | None = None,
    suite_inputs: Collection[frozenset[str]] | None = None,
    server_dsl: str | None = None,
    server_plugins: Collection[str] | None = None,
) -> tuple[Finding, ...]:
    """All findings, in order of the file.

    `suite_inputs`: the names of inputs that each case of the suite gives. `server_dsl`: the newest DSL version that the
    target server knows; `server_plugins`: what is installed there. What is None is not checked.
    """
    levels = {**DEFAULT_SEVERITY, **(severity or {})}
    found = [
        *lint_graph.graph(dsl),
        *_retrieval(dsl),
        *lint_settings.settings(dsl),
        *lint_secrets.secrets(dsl),
        *lint_server.server(dsl, server_dsl=server_dsl, server_plugins=server_plugins),
        *_inputs(dsl, suite_inputs),
    ]
    kept = (replace(f, severity=levels[f.rule]) for f in found if levels[f.rule] is not Severity.OFF)
    return tuple(sorted(kept, key=lambda f: (f.place.line or 0, f.rule)))


def _retrieval(dsl: Dsl) -> Iterator[Finding]:
    """Basic apps retrieve by their own config; for graphs see lint_graph."""
    switch = ("workflow", "features") if dsl.is_graph else ("model_config",)
    citation = part(dsl.root, *switch, "retriever_resource").get("enabled")
    if citation is not True and _retrieves(dsl):
        yield Finding(
            Rule.CITATION_OFF,
            Text(
                "Citations are off: without them basic apps show no retrieved passages.",
                "「引用と帰属」がオフです。基本的なアプリでは、検索された文書を取得できません。",
            )
            if not dsl.is_graph
            else Text(
                "Citations are off: passages are then seen in the event stream only.",
                "「引用と帰属」がオフです。検索された文書はストリームでしか取得できません。",
            ),
            dsl.place(*switch, "retriever_resource", "enabled"),
            Text(
                "Switch on “Citations and Attributions” in the app's features.",
                "アプリの機能で「引用と帰属」をオンにしてください。",
            ),
        )


def _retrieves(dsl: Dsl) -> bool:
    if dsl.is_graph:
        return dsl.mode == "advanced-chat" and any(
            part(node, "data").get("type") == "knowledge-retrieval"
            for node in items(dsl.root, "workflow", "graph", "nodes")
            if isinstance(node, dict)
        )
    tools = items(dsl.root, "model_config", "agent_mode", "tools")
    return bool(items(dsl.root, "model_config", "dataset_configs", "datasets", "datasets")) or any(
        isinstance(tool, dict) and "dataset" in tool for tool in tools
    )


def _inputs(dsl: Dsl, suite_inputs: Collection[frozenset[str]] | None) -> Iterator[Finding]:
    if suite_inputs is None:
        return
    form = form_of(dsl)
    for field in form:
        missing = sum(field.name not in given for given in suite_inputs)
        if field.required and missing:
            yield Finding(
                Rule.MISSING_INPUT,
                Text(
                    f"The required input {field.name} is not given by {missing} cases.",
                    f"必須の入力項目「{field.name}」が、{missing}件のテストケースで指定されていません。",
                ),
                field.place,
                Text(
                    f"Add it to app.inputs ({field.name}: …) or to the cases' inputs.",
                    f"app.inputs({field.name}: …)か、ケースの inputs に加えてください。",
                ),
            )
    known = {field.name for field in form}
    for name in sorted({name for given in suite_inputs for name in given} - known):
        yield Finding(
            Rule.UNKNOWN_INPUT,
            Text(
                f"The suite gives the input {name[:80]}, which the app does not have.",
                f"テストケースが指定する入力項目「{name[:80]}」は、アプリにありません。",
            ),
            dsl.place("app"),
            Text("Check its spelling: Dify ignores it.", "つづりを確認してください。Difyでは無視されます。"),
        )
