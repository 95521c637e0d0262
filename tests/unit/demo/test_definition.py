import pytest

from ragjudge.demo.definition import Retrieval, UnusableApp, Variable, load_app, read_app
from ragjudge.demo.packaged import APP, DEGRADED_APP


def graph(second, *edges):
    """A workflow of a start node `a` and a node `b`, with edges such as `a>b`."""
    joined = ", ".join("{{source: {}, target: {}}}".format(*edge.split(">")) for edge in edges)
    nodes = f"[{{id: a, data: {{type: start}}}}, {{id: b, data: {{type: {second}}}}}]"
    return (
        f"{{kind: app, app: {{mode: workflow}}, workflow: {{graph: {{nodes: {nodes}, edges: [{joined}]}}}}}}"
    )


def test_the_demo_app_is_read_from_its_own_nodes():
    """Mode, order of nodes, retrieval settings, form and the citation switch."""
    app = load_app(APP)

    assert "advanced-chat" == app.mode
    assert ["start", "knowledge-retrieval", "llm", "answer"] == [node.type for node in app.nodes]
    assert Retrieval(top_k=4) == app.nodes[1].retrieval
    assert Variable("select", "Entity", True, 48, ("本社", "支店")) == app.variables[0]
    assert app.citation


def test_the_degraded_app_differs_in_retrieval_and_prompt_only():
    """Two lines of the DSL: top_k, and one rule of the prompt."""
    good, bad = (path.read_text(encoding="utf-8").splitlines() for path in (APP, DEGRADED_APP))

    assert {
        "          top_k: 4",
        "            - 規程に対象が書かれているときは、利用者の所属に当てはまるものだけを使います。",
    } == set(good) - set(bad)
    assert {"          top_k: 1"} == set(bad) - set(good)


def test_a_change_of_behaviour_is_a_new_version_and_nothing_else_is():
    """The workflow id follows the nodes' data, not the name or the layout."""
    original = load_app(APP)
    text = APP.read_text(encoding="utf-8")

    assert original.workflow_id == read_app(text.replace("x: 380", "x: 999")).workflow_id
    assert original.workflow_id != load_app(DEGRADED_APP).workflow_id


def test_a_basic_chat_app_is_read_from_its_model_config():
    """Retrieval settings, prompt, form and switches of apps without a graph."""
    app = read_app(
        """
        kind: app
        app: {name: n, mode: chat}
        model_config:
          pre_prompt: Be short.
          dataset_configs: {top_k: 2, score_threshold: 0.5, score_threshold_enabled: true}
          user_input_form: [{paragraph: {variable: q, required: true, label: Q}}]
          retriever_resource: {enabled: true}
        """
    )

    assert (Retrieval(2, 0.5), "Be short.", True) == (app.retrieval, app.prompt, app.citation)
    assert (Variable("paragraph", "q", True, None, ()),) == app.variables


def test_a_threshold_that_is_switched_off_does_not_count():
    """Dify keeps the number when the switch is off."""
    app = read_app(
        "{kind: app, app: {name: n, mode: chat}, model_config: {dataset_configs: {score_threshold: 0.5,"
        " score_threshold_enabled: false}}}"
    )

    assert app.retrieval.score_threshold is None


@pytest.mark.parametrize(
    ("dsl", "said"),
    [
        ("[1, 2]", "no Dify app of a known mode"),
        ("{kind: app, app: {mode: poem}}", "mode: 'poem'"),
        ("{kind: app, app: {mode: workflow}, workflow: {}}", "0 start nodes"),
        (graph("code", "a>b"), "nodes of type code cannot be run"),
        (graph("llm", "a>b", "b>b"), "circle"),
        (graph("llm", "a>b", "a>a"), "more than one way out"),
        (graph("llm", "a>gone"), "'gone', which is no node"),
    ],
)
def test_an_app_that_cannot_be_run_says_why(dsl, said):
    """Nothing is run half."""
    with pytest.raises(UnusableApp) as caught:
        read_app(dsl)

    assert said in str(caught.value)


def test_a_file_that_is_not_yaml_is_named(tmp_path):
    """The path comes first, the reason follows."""
    (tmp_path / "a.yml").write_text("app: [", encoding="utf-8")

    with pytest.raises(UnusableApp, match=r"a\.yml"):
        load_app(tmp_path / "a.yml")


def test_python_tags_are_not_constructed(tmp_path):
    """A DSL file is data; it cannot run code."""
    (tmp_path / "a.yml").write_text("!!python/object/apply:os.getcwd []", encoding="utf-8")

    with pytest.raises(UnusableApp, match="could not determine a constructor"):
        load_app(tmp_path / "a.yml")
