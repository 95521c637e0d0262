"""What was lost between the file and the server, and what does not count as lost."""

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from ragjudge.errors import DslFault
from ragjudge.preview import document
from ragjudge.preview.comparing import compare, same_work
from tests.preview_app import DATASET, SECRET, agent_dsl, basic_dsl, dsl


def changed(content: bytes, change) -> tuple[document.Document, str]:
    """A pushed document, and an export that differs by `change`."""
    served = yaml.safe_load(content)
    change(served)
    return document.read(content, "bot.yml"), yaml.dump(served, allow_unicode=True)


def retrieval(data):
    return next(n for n in data["workflow"]["graph"]["nodes"] if n["data"]["type"] == "knowledge-retrieval")


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["app"].update(name="other", icon="x"),
        lambda d: d.update(version="0.9.0", dependencies=[]),
        lambda d: d["workflow"].update(rag_pipeline_variables=[], brand_new={"a": 1}),
        lambda d: retrieval(d)["data"].update(dataset_ids=["ciphertext-of-the-same"]),
    ],
)
def test_what_is_no_change_of_behaviour_is_equal(change):
    """Identity, the server's own versions, its additions, and an encrypted id of the same knowledge base."""
    assert compare(*changed(dsl(dataset=DATASET), change)).equal


def test_lost_knowledge_names_its_node_and_line():
    """The line is that of the list in the user's own file."""
    content = dsl(dataset=DATASET)
    (problem,) = compare(*changed(content, lambda d: retrieval(d)["data"].update(dataset_ids=[]))).lost
    assert "dataset_ids" in content.decode().splitlines()[problem.place.line - 1]
    assert retrieval(yaml.safe_load(content))["data"]["title"] in problem.what.ja


def test_lost_knowledge_of_a_basic_app():
    """Its config names knowledge bases elsewhere."""
    compared = compare(
        *changed(basic_dsl(), lambda d: d["model_config"]["dataset_configs"]["datasets"].update(datasets=[]))
    )
    assert len(compared.lost) == 1


@pytest.mark.parametrize("lost", ["tools", "one"])
def test_lost_knowledge_of_an_agent(lost):
    """Among the tools of an agent; the app is named where there is no node."""

    def drop(data):
        tools = data["model_config"]["agent_mode"]["tools"]
        if lost == "tools":
            tools.clear()
        else:
            tools[0]["dataset"]["id"] = "another"

    (problem,) = compare(*changed(agent_dsl(), drop)).lost
    assert "規程チャット" in problem.what.ja


def test_another_setting_beside_the_knowledge_is_no_lost_knowledge():
    """The server's word for how bases are chosen is a difference, not a loss."""
    document = yaml.safe_load(basic_dsl())
    document["model_config"]["dataset_configs"]["datasets"]["strategy"] = "router"
    content = yaml.safe_dump(document).encode()
    compared = compare(
        *changed(content, lambda d: d["model_config"]["dataset_configs"]["datasets"].pop("strategy"))
    )
    assert (compared.lost, len(compared.other)) == ((), 1)


def test_a_blanked_secret_is_lost_and_never_shown():
    """Only its name is told."""
    content = dsl(secret=True)
    pushed = document.with_secrets(document.read(content, "b.yml"), {"CRM_TOKEN": SecretStr("s3cr3t-value")})
    (problem,) = compare(pushed, content.decode()).lost
    assert "CRM_TOKEN" in problem.what.en
    assert "s3cr3t-value" not in problem.in_language("en") + problem.in_language("ja")


def test_a_removed_node_or_edge_is_a_difference():
    """Told by path."""
    compared = compare(*changed(dsl(), lambda d: d["workflow"]["graph"]["edges"].pop()))
    assert compared.other == ("workflow.graph.edges",)
    assert compare(document.read(dsl(), "b.yml"), "- not a mapping").other


@settings(max_examples=60)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=10,
    )
)
def test_any_feature_survives_being_written_and_read(value):
    """What we send is, to Dify's reader, what the file said: any text, any type."""
    app = {"name": "x", "mode": "chat"}
    data = {"kind": "app", "version": "0.6.0", "app": app, "model_config": {"odd": value}}
    try:
        read = document.read(yaml.dump(data, allow_unicode=True).encode(), "b.yml")
    except DslFault:
        return  # the file's own reader refuses it (control characters, repeated keys): nothing is sent
    assert yaml.safe_load(read.text) == read.data
    assert compare(read, read.text).equal


def test_words_that_yaml_reads_in_two_ways_stay_what_dify_reads():
    """A hand-written `yes` is true for Dify's YAML 1.1: it is sent on as true, not as the word."""
    content = dsl().replace(b"opening_statement: ''", b"opening_statement: ''\n    hand_written: yes")
    read = document.read(content, "b.yml")
    assert yaml.safe_load(read.text)["workflow"]["features"]["hand_written"] is True


def test_a_date_that_does_not_exist_is_a_fault_of_the_file():
    """Dify's reader would raise on it."""
    content = dsl().replace(b"opening_statement: ''", b"opening_statement: 2026-99-99")
    with pytest.raises(DslFault):
        document.read(content, "b.yml")


def test_an_export_without_its_body_is_a_fault():
    """A chatflow without a workflow."""
    with pytest.raises(DslFault, match="workflow"):
        document.read(b"kind: app\nversion: 0.6.0\napp: {mode: advanced-chat, name: x}\n", "b.yml")


def test_all_missing_secrets_are_told_at_once():
    """One round of setting secrets, not three."""
    data = yaml.safe_load(dsl())
    data["workflow"]["environment_variables"] = [SECRET | {"name": n, "id": n} for n in ("A", "B", "C")]
    read = document.read(yaml.dump(data).encode(), "b.yml")
    with pytest.raises(DslFault) as raised:
        document.with_secrets(read, {"B": SecretStr("x")})
    assert len(raised.value.problems) == 2


@pytest.mark.parametrize(
    ("change", "same"),
    [
        (lambda d: d["workflow"]["graph"].update(viewport={"x": 1, "y": 2, "zoom": 3}), True),
        (lambda d: retrieval(d).update(selected=True), True),
        (lambda d: retrieval(d)["data"].update(selected=True), True),
        (lambda d: retrieval(d)["data"].update(tool_parameters={"selected": "b"}), False),
        (lambda d: retrieval(d).update(position={"x": 1, "y": 2}), False),
        (lambda d: d["workflow"]["features"].update(opening_statement="新"), False),
        (lambda d: d["workflow"].update(environment_variables=[SECRET | {"value": "new"}]), False),
    ],
)
def test_looking_at_an_app_is_no_work_and_everything_else_is(change, same):
    """A draft is dropped only where nobody would miss anything of it."""
    document, export = changed(dsl(dataset=DATASET), change)
    assert same_work(document.text, export) is same
