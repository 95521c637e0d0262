"""Planted faults are each found on their own line; a sound app has none."""

import pytest

from ragjudge.dsl.findings import DEFAULT_SEVERITY, Rule, Severity, levels
from ragjudge.dsl.lint import lint
from ragjudge.dsl.load import load
from ragjudge.errors import ConfigFault
from tests.dsl_exports import DEMO, KINDS, Data, Edit, data_of, dsl_of, node, recordings, written

START, CLASSIFIER, VACATION, LLM, HTTP, ITERATION = (
    f"17000000000{n}" for n in ("01", "02", "03", "07", "08", "10")
)
JOIN, BRANCH = "1700000000005", "1700000000006"
MARK = "planted"
"""Stands on the line where the finding must point."""


def edges(change: Edit) -> Edit:
    return lambda data: change(data["workflow"]["graph"]["edges"])


def without(*types: str) -> Edit:
    """The nodes of these types taken out, with their wires."""

    def edit(data: Data) -> None:
        graph = data["workflow"]["graph"]
        gone = {n["id"] for n in graph["nodes"] if n["data"].get("type") in types}
        graph["nodes"] = [n for n in graph["nodes"] if n["id"] not in gone]
        graph["edges"] = [e for e in graph["edges"] if not gone & {e["source"], e["target"]}]
        for n in graph["nodes"]:
            if n["data"].get("iterator_selector"):
                n["data"].pop("iterator_selector")

    return edit


def put(node_id: str, *path: str | int, to: object) -> Edit:
    def edit(data: Data) -> None:
        here = node(data, node_id)
        for step in path[:-1]:
            here = here[step]
        here[path[-1]] = to

    return edit


def top(*path: str | int, to: object) -> Edit:
    def edit(data: Data) -> None:
        here = data
        for step in path[:-1]:
            here = here[step]
        here[path[-1]] = to

    return edit


def wire(source: str, handle: str | None, target: str) -> Edit:
    one = {"id": "planted", "source": source, "target": target} | ({"sourceHandle": handle} if handle else {})
    return edges(lambda e: e.append(one))


def without_class(data: Data) -> None:
    """A class is taken out, and its wire forgotten."""
    node(data, CLASSIFIER)["classes"].pop()


def of_old(data: Data) -> None:
    """A branch as exports had it before there could be several."""
    branch = node(data, BRANCH)
    branch.update(branch.pop("cases")[0], logical_operator="and")


def twin(data: Data) -> None:
    nodes = data["workflow"]["graph"]["nodes"]
    nodes.append({**nodes[8], "z": 1})


def lonely(data: Data) -> None:
    extra = {
        "data": {"title": MARK, "type": "code", "code": "", "variables": []},
        "id": "lonely",
        "type": "custom",
    }
    data["workflow"]["graph"]["nodes"].append(extra)


# fmt: off
FAULTS = [
    # (app, edit, rule, what the finding's line or the line after it holds)
    ("chatflow", edges(lambda e: e.append({"id": "planted", "source": LLM, "target": "gone"})), Rule.DANGLING_EDGE, "id: planted"),
    ("chatflow", edges(lambda e: e.append({"id": "planted", "source": "nobody", "target": LLM})), Rule.DANGLING_EDGE, "id: planted"),
    ("chatflow", wire(CLASSIFIER, "9", VACATION), Rule.DANGLING_EDGE, "id: planted"),
    ("chatflow", wire(CLASSIFIER, None, VACATION), Rule.DANGLING_EDGE, "id: planted"),
    ("chatflow", wire(CLASSIFIER, "false", VACATION), Rule.DANGLING_EDGE, "id: planted"),
    ("chatflow", wire(BRANCH, "2", LLM), Rule.DANGLING_EDGE, "id: planted"),
    ("chatflow", wire(BRANCH, "source", LLM), Rule.DANGLING_EDGE, "id: planted"),
    ("chatflow", put(LLM, "prompt_template", 1, "text", to="{{#planted.text#}}"), Rule.DANGLING_REFERENCE, "planted.text"),
    ("chatflow", put(LLM, "context", "variable_selector", to=["planted", "result"]), Rule.DANGLING_REFERENCE, "variable_selector"),
    ("chatflow", put(JOIN, "variables", 1, to=["planted", "result"]), Rule.DANGLING_REFERENCE, "planted"),
    ("chatflow", put(HTTP, "url", to="{{#env.PLANTED#}}/x"), Rule.DANGLING_REFERENCE, "PLANTED"),
    ("chatflow", put("1700000000009", "answer", to="{{#conversation.planted#}}"), Rule.DANGLING_REFERENCE, "planted"),
    ("chatflow", put(BRANCH, "cases", 0, "conditions", 0, "variable_selector", to=["planted", "output"]), Rule.DANGLING_REFERENCE, "variable_selector"),
    ("chatflow", put(ITERATION, "output_selector", to=["planted", "result"]), Rule.DANGLING_REFERENCE, "output_selector"),
    ("chatflow", put(LLM, "prompt_template", 1, "text", to=f"{{{{#{START}.planted#}}}}"), Rule.DANGLING_REFERENCE, "planted"),
    ("workflow", put("end", "outputs", 0, "value_selector", to=["planted", "text"]), Rule.DANGLING_REFERENCE, "value_selector"),
    ("workflow", put("lookup", "tool_parameters", "query", to={"type": "variable", "value": ["planted", "output"]}), Rule.DANGLING_REFERENCE, "value"),
    ("workflow", put("lookup", "tool_parameters", "query", "value", to="{{#planted.output#}}"), Rule.DANGLING_REFERENCE, "planted"),
    ("chatflow", put(JOIN, "advanced_settings", to={"group_enabled": True, "groups": [{"group_name": "planted", "variables": [["planted", "x"]]}]}), Rule.DANGLING_REFERENCE, "planted"),
    ("chatflow", put(HTTP, "body", to={"type": "raw-text", "data": [{"type": "text", "value": "{{#planted.text#}}"}]}), Rule.DANGLING_REFERENCE, "planted"),
    ("chatflow", twin, Rule.DUPLICATE_NODE, "- data"),
    ("chatflow", lonely, Rule.UNREACHABLE_NODE, "- data"),
    ("workflow", without("end"), Rule.NO_ANSWER, "nodes:"),
    ("chatflow", without("answer"), Rule.NO_ANSWER, "nodes:"),
    ("chatflow", put(VACATION, "dataset_ids", to=[]), Rule.NO_DATASET, "dataset_ids"),
    ("workflow", put("search", "dataset_ids", to=None), Rule.NO_DATASET, "dataset_ids"),
    ("chatflow", top("workflow", "features", "retriever_resource", "enabled", to=False), Rule.CITATION_OFF, "enabled: false"),
    ("chat", top("model_config", "retriever_resource", "enabled", to=False), Rule.CITATION_OFF, "enabled: false"),
    ("agent", top("model_config", "retriever_resource", to=None), Rule.CITATION_OFF, "retriever_resource"),
    ("chatflow", put(LLM, "prompt_template", to=[{"role": "system", "text": ""}]), Rule.EMPTY_PROMPT, "prompt_template"),
    ("chatflow", put(LLM, "model", "name", to=""), Rule.NO_MODEL, "model:"),
    ("completion", top("model_config", "model", to={}), Rule.NO_MODEL, "model:"),
    ("chatflow", put(CLASSIFIER, "model", to={}), Rule.NO_MODEL, "model:"),
    ("chatflow", top("workflow", "environment_variables", 0, "value", to="hunter2-planted"), Rule.SECRET_VALUE, "hunter2-planted"),
    ("chatflow", put(HTTP, "authorization", "config", "api_key", to="hunter2-planted"), Rule.CREDENTIAL, "hunter2-planted"),
    ("chatflow", put(HTTP, "headers", to="Authorization: Bearer hunter2-planted"), Rule.CREDENTIAL, "hunter2-planted"),
    ("chatflow", put(HTTP, "params", to="api_key:hunter2-planted"), Rule.CREDENTIAL, "hunter2-planted"),
    ("chatflow", put("1700000000012", "code", to="key = 'sk-hunter2hunter2hunter2'"), Rule.CREDENTIAL, "sk-hunter2"),
    ("chatflow", put(LLM, "prompt_template", 1, "text", to="sk-hunter2hunter2hunter2"), Rule.CREDENTIAL, "sk-hunter2"),
    ("agent", top("model_config", "agent_mode", "tools", 1, "tool_parameters", "api_key", to="app-hunter2hunter2hunter2"), Rule.CREDENTIAL, "app-hunter2"),
    ("chatflow", top("workflow", "environment_variables", 1, "value", to="ghp_hunter2hunter2hunter2hu"), Rule.CREDENTIAL, "ghp_hunter2"),
    ("workflow", put("search", "query_variable_selector", to=[]), Rule.NO_QUERY, "query_variable_selector"),
    ("chatflow", put(VACATION, "multiple_retrieval_config", "top_k", to="hunter2"), Rule.BAD_SETTING, "top_k: hunter2"),
    ("chatflow", put(VACATION, "multiple_retrieval_config", "top_k", to=0), Rule.BAD_SETTING, "top_k: 0"),
    ("chatflow", put(VACATION, "multiple_retrieval_config", "top_k", to=-3), Rule.BAD_SETTING, "top_k: -3"),
    ("chatflow", put(VACATION, "multiple_retrieval_config", "top_k", to=2.5), Rule.BAD_SETTING, "top_k: 2.5"),
    ("chatflow", put(VACATION, "multiple_retrieval_config", "top_k", to=True), Rule.BAD_SETTING, "top_k: true"),
    ("chatflow", put(VACATION, "multiple_retrieval_config", "top_k", to=float("nan")), Rule.BAD_SETTING, "top_k: .nan"),
    ("workflow", put("search", "multiple_retrieval_config", to=[4]), Rule.BAD_SETTING, "multiple_retrieval_config"),
    ("workflow", put("search", "dataset_ids", to="hunter2"), Rule.BAD_SETTING, "dataset_ids: hunter2"),
    ("chatflow", put(VACATION, "multiple_retrieval_config", "score_threshold", to=1.5), Rule.OUT_OF_RANGE, "score_threshold: 1.5"),
    ("chatflow", put(VACATION, "multiple_retrieval_config", "score_threshold", to=-0.1), Rule.OUT_OF_RANGE, "score_threshold: -0.1"),
    ("chatflow", put(VACATION, "multiple_retrieval_config", "weights", to={"vector_setting": {"vector_weight": 7}}), Rule.OUT_OF_RANGE, "vector_weight: 7"),
    ("chatflow", put(LLM, "model", "completion_params", "temperature", to="hunter2"), Rule.BAD_SETTING, "temperature: hunter2"),
    ("chatflow", put(LLM, "model", "completion_params", "temperature", to=-1), Rule.BAD_SETTING, "temperature: -1"),
    ("chatflow", put(LLM, "model", "completion_params", to="hunter2"), Rule.BAD_SETTING, "completion_params: hunter2"),
    ("chatflow", put(LLM, "model", "completion_params", "top_p", to=3), Rule.OUT_OF_RANGE, "top_p: 3"),
    ("chat", top("model_config", "dataset_configs", "top_k", to="hunter2"), Rule.BAD_SETTING, "top_k: hunter2"),
    ("chat", top("model_config", "model", "completion_params", "max_tokens", to="hunter2"), Rule.BAD_SETTING, "max_tokens: hunter2"),
    ("agent", top("model_config", "dataset_configs", "datasets", to="hunter2"), Rule.BAD_SETTING, "datasets: hunter2"),
    ("completion", top("model_config", "dataset_configs", "datasets", to={"datasets": "hunter2"}), Rule.BAD_SETTING, "datasets: hunter2"),
    ("chat", lambda data: data["model_config"]["dataset_configs"].update(score_threshold_enabled=True, score_threshold=2), Rule.OUT_OF_RANGE, "score_threshold: 2"),
]
# fmt: on


@pytest.mark.parametrize(("kind", "edit", "rule", "line"), FAULTS)
def test_a_planted_fault_is_found_on_its_own_line(kind, edit, rule, line):
    """One fault, one finding, at the line where it stands; no secret in the words."""
    data = data_of(kind)
    edit(data)
    text = written(data).decode()

    (finding,) = lint(load(text.encode(), "app.yml"))

    assert finding.rule is rule
    assert finding.severity is DEFAULT_SEVERITY[rule]
    assert finding.place.file == "app.yml"
    assert finding.place.line is not None
    assert line in text.splitlines()[finding.place.line - 1]
    assert "hunter2" not in repr(finding)
    assert finding.cure.en
    assert finding.cure.ja


def test_a_node_behind_an_exit_that_is_gone_is_not_reached():
    """The forgotten wire and what nobody gets to any more are both told."""
    data = data_of("chatflow")
    without_class(data)

    found = lint(dsl_of(data))

    assert {f.rule for f in found} == {Rule.DANGLING_EDGE, Rule.UNREACHABLE_NODE}
    dangling = next(f for f in found if f.rule is Rule.DANGLING_EDGE)
    assert "(2)" in dangling.what.en
    assert "(2)" in dangling.what.ja


def test_a_graph_without_start_says_so_once():
    """Whatever else then is not reached is not told as well."""
    data = data_of("workflow")
    graph = data["workflow"]["graph"]
    graph["nodes"] = [n for n in graph["nodes"] if n["id"] != "start"]
    graph["edges"] = [e for e in graph["edges"] if e["source"] != "start"]
    node(data, "search")["query_variable_selector"] = ["sys", "query"]

    assert [f.rule for f in lint(dsl_of(data))] == [Rule.NO_START]


@pytest.mark.parametrize(
    "path", [*(f"{kind}.yml" for kind in KINDS), *sorted(DEMO.glob("app*.yml"))], ids=str
)
def test_a_sound_app_has_no_finding(path):
    """Our own apps of every kind, and the demo's."""
    found = dsl_of(data_of(path[:-4])) if isinstance(path, str) else load(path.read_bytes(), path.name)
    assert lint(found) == ()


@pytest.mark.recordings
def test_real_exports_raise_no_false_alarm():
    """Every export that real servers wrote is sound."""
    paths = recordings()
    if not paths:
        pytest.skip("RAGJUDGE_RECORDINGS is not set")
    assert {p.name: lint(load(p.read_bytes(), p.name)) for p in paths} == {p.name: () for p in paths}


def test_the_suite_s_inputs_are_held_against_the_form():
    """A required field that cases leave out, and a name that the form does not know, each at its place."""
    data = data_of("chatflow")
    text = written(data).decode()
    given = [frozenset({"entity"}), frozenset({"categry"}), frozenset({"entity", "category"})]

    found = lint(load(text.encode(), "app.yml"), suite_inputs=given)

    assert [(f.rule, f.severity) for f in found] == [
        (Rule.UNKNOWN_INPUT, Severity.WARNING),
        (Rule.MISSING_INPUT, Severity.ERROR),
    ]
    unknown, missing = found
    assert "entity" in missing.what.en
    assert "1" in missing.what.en
    assert missing.place.line is not None
    assert "variable: entity" in "\n".join(text.splitlines()[missing.place.line - 1 :][:8])
    assert "categry" in unknown.what.ja


def test_what_the_target_server_lacks_is_named():
    """A newer DSL and a plugin that is not there, known only where the server was asked."""
    found = lint(dsl_of(data_of("chatflow")), server_dsl="0.3.1", server_plugins=["langgenius/openai:0.2.0"])

    assert [f.rule for f in found] == [Rule.MISSING_PLUGIN, Rule.NEWER_DSL]
    assert "langgenius/jina" in found[0].what.en


def test_severity_is_the_team_s_choice():
    """A rule can be made an error, a warning, or be left out."""
    data = data_of("chat")
    data["model_config"]["retriever_resource"]["enabled"] = False
    dsl = dsl_of(data)

    assert lint(dsl, severity=levels({"citation_off": "off"})) == ()
    assert [f.severity for f in lint(dsl, severity=levels({"citation_off": "error"}))] == [Severity.ERROR]


def test_an_unknown_rule_is_refused_with_the_name_that_was_meant():
    """Each wrong name is told, with the nearest right one."""
    with pytest.raises(ConfigFault) as refused:
        levels({"citatoin_off": "off", "no_datasett": "error", "no_answer": "warning"})

    said = refused.value.in_language("en")
    assert "citatoin_off" in said
    assert "citation_off" in said
    assert "no_dataset" in said
    assert "no_answer" not in said


GONE_GROUPS = [{"group_name": "G", "output_type": "string", "variables": [["gone", "result"]]}]


def grouped(data: Data) -> None:
    """The groups are read, and no longer the list that was there before."""
    join = node(data, JOIN)
    groups = [{"group_name": "G", "output_type": "array[object]", "variables": join["variables"]}]
    join.update(advanced_settings={"group_enabled": True, "groups": groups}, variables=[["gone", "result"]])


# fmt: off
SOUND = [
    ("chatflow", put(LLM, "context", to={"enabled": False, "variable_selector": ["gone", "result"]})),
    ("chatflow", put(LLM, "vision", to={"enabled": False, "configs": {"variable_selector": ["gone", "files"]}})),
    ("chatflow", put(LLM, "prompt_template", 1, "text", to=f"{{{{#{START}.sys.query#}}}} {{{{#sys.files#}}}} {{{{#conversation.last_topic#}}}}")),
    ("chatflow", put(LLM, "prompt_template", 1, "text", to="# 見出し {{ jinja }} {{#context#}} {{#histories#}}")),
    ("chatflow", put(HTTP, "headers", to="Authorization: Bearer {{#env.STAFF_API_KEY#}}\nAccept: text/plain")),
    ("chatflow", put(HTTP, "params", to="q:{{#sys.query#}}\nmax_tokens:100")),
    ("chatflow", top("workflow", "environment_variables", 0, "value", to="[__HIDDEN__]")),
    ("chatflow", top("workflow", "conversation_variables", to=[{"name": "last_topic", "value_type": "string", "value": ""}])),
    ("chatflow", put(JOIN, "advanced_settings", to={"group_enabled": False, "groups": GONE_GROUPS})),
    ("chatflow", put(JOIN, "advanced_settings", to={"groups": GONE_GROUPS})),
    ("chatflow", of_old),
    ("chatflow", wire(CLASSIFIER, "fail-branch", JOIN)),
    ("chatflow", wire(LLM, "fail-branch", HTTP)),
    ("chatflow", wire(LLM, "success-branch", HTTP)),
    ("chatflow", put(LLM, "desc", to="{{#gone.text#}} を参照")),
    ("chatflow", put(LLM, "title", to="{{#gone.text#}}")),
    ("chatflow", put("1700000000012", "code", to="def main():\n    return {'x': '{{#each items.x#}}'}")),
    ("chatflow", put(HTTP, "authorization", to={"type": "no-auth", "config": {"api_key": "{{#gone.text#}}"}})),
    ("chatflow", put(HTTP, "body", to={"type": "none", "data": [{"key": "", "type": "text", "value": "{{#gone.text#}}"}]})),
    ("chatflow", put(VACATION, "metadata_filtering_conditions", to={"conditions": [{"name": "x", "value": "{{#gone.text#}}"}]})),
    ("chatflow", grouped),
    ("agent", lambda data: (data["model_config"]["agent_mode"]["tools"].pop(0), data["model_config"]["retriever_resource"].update(enabled=False))),
    ("chat", lambda data: (data["model_config"]["dataset_configs"]["datasets"]["datasets"].clear(), data["model_config"]["retriever_resource"].update(enabled=False))),
    ("workflow", top("workflow", "features", "retriever_resource", "enabled", to=False)),
    ("chatflow", put(VACATION, "multiple_retrieval_config", "top_k", to="4")),
    ("chatflow", put(VACATION, "multiple_retrieval_config", "top_k", to=None)),
    ("chatflow", put(VACATION, "multiple_retrieval_config", to=None)),
    ("chatflow", put(VACATION, "multiple_retrieval_config", "score_threshold", to="0.5")),
    ("chatflow", put(VACATION, "multiple_retrieval_config", "score_threshold", to=1)),
    ("chatflow", put(VACATION, "multiple_retrieval_config", "weights", to=None)),
    ("chatflow", put(LLM, "model", "completion_params", to={"temperature": "0.2", "top_p": None, "response_format": "json_object", "stop": []})),
    ("chatflow", put(LLM, "model", "completion_params", to=None)),
    ("chat", lambda data: data["model_config"]["dataset_configs"].update(score_threshold_enabled=False, score_threshold=2)),
    ("chat", top("model_config", "model", "completion_params", to={})),
]
# fmt: on


@pytest.mark.parametrize(("kind", "edit"), SOUND)
def test_what_only_looks_like_a_fault_is_none(kind, edit):
    """Parts that are switched off, Dify's own variables, references to secrets, apps that retrieve nothing."""
    data = data_of(kind)
    edit(data)
    assert lint(dsl_of(data)) == ()
