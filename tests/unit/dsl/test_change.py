"""What came or went as a whole is told with what it holds, and without its secrets."""

import copy

import pytest

from ragjudge.dsl import told
from ragjudge.dsl.changes import changes
from tests.dsl_exports import data_of, dsl_of, node

LLM, SEARCH, HTTP = "1700000000007", "1700000000003", "1700000000008"


def lines(kind, edit, prepare=lambda data: None):
    old = data_of(kind)
    prepare(old)
    new = copy.deepcopy(old)
    edit(new)
    return [line.en for line in told.lines(changes(dsl_of(old), dsl_of(new)))]


def retrieval(**to):
    return lambda data: node(data, SEARCH)["multiple_retrieval_config"].update(to)


WEIGHTS = {"vector_setting": {"vector_weight": 0.7}, "keyword_setting": {"keyword_weight": 0.3}}
MODERATION = {
    "type": "keywords",
    "config": {"keywords": "爆弾", "inputs_config": {"preset_response": "不可"}},
}
SCHEMA = {"schema": {"type": "object", "properties": {"a": {"description": "要点"}}}}
ADDED = {
    "weights": (
        "chatflow",
        retrieval(weights=WEIGHTS),
        retrieval(weights=None),
        [
            "Node “知識検索”: weight of keywords: none → 0.3",
            "Node “知識検索”: weight of vectors: none → 0.7",
        ],
    ),
    "rerank model": (
        "chatflow",
        retrieval(reranking_model={"model": "bge", "provider": "x"}),
        lambda data: node(data, SEARCH)["multiple_retrieval_config"].pop("reranking_model", None),
        ["Node “知識検索”: rerank model: none → bge", "Node “知識検索”: rerank provider: none → x"],
    ),
    "prompt": (
        "chatflow",
        lambda data: node(data, LLM)["prompt_template"].append({"role": "assistant", "text": "常に断る。"}),
        lambda data: None,
        ["Node “回答の作成”: prompt (assistant) added: +「常に断る。」"],
    ),
    "prompt of a basic app": (
        "chat",
        lambda data: data["model_config"].update(
            chat_prompt_config={"prompt": [{"role": "system", "text": "常に断る。"}]}
        ),
        lambda data: data["model_config"].pop("chat_prompt_config", None),
        ["Prompt (system) added: +「常に断る。」"],
    ),
    "moderation": (
        "chatflow",
        lambda data: data["workflow"]["features"].update(sensitive_word_avoidance=MODERATION),
        lambda data: data["workflow"]["features"].pop("sensitive_word_avoidance", None),
        [
            "Sensitive_word_avoidance.config.inputs_config.preset_response: none → 不可",
            "Words that are refused: none → 爆弾",
            "Kind of moderation: none → keywords",
        ],
    ),
    "structured output": (
        "chatflow",
        lambda data: node(data, LLM).update(structured_output=SCHEMA),
        lambda data: None,
        [
            "Node “回答の作成”: structured_output.schema.properties.a.description: none → 要点",
            "Node “回答の作成”: structured_output.schema.type: none → object",
        ],
    ),
    "selector below an unknown setting": (
        "chatflow",
        lambda data: node(data, LLM).update(new={"deep": {"selector": [SEARCH, "result"]}}),
        lambda data: None,
        ["Node “回答の作成”: new.deep.selector: none → 知識検索.result"],
    ),
    "a mapping in place of a text": (
        "chatflow",
        lambda data: node(data, LLM).update(new={"a": 1}),
        lambda data: node(data, LLM).update(new="x"),
        ["Node “回答の作成”: new: x → none", "Node “回答の作成”: new.a: none → 1"],
    ),
    "memory, which has a name in words": (
        "chatflow",
        lambda data: node(data, LLM).pop("memory"),
        lambda data: None,
        ["Node “回答の作成”: memory removed"],
    ),
    "more than a reader wants to see one by one": (
        "chatflow",
        lambda data: node(data, LLM).update(new={f"k{number}": number for number in range(40)}),
        lambda data: None,
        ["Node “回答の作成”: new added"],
    ),
    "only spaces": (
        "chatflow",
        lambda data: node(data, LLM)["prompt_template"][1].update(text="一行目。 二行目。"),
        lambda data: node(data, LLM)["prompt_template"][1].update(text="一行目。\n二行目。"),
        ["Node “回答の作成”: prompt (user) changed (only spaces or line breaks)"],
    ),
}


@pytest.mark.parametrize("name", ADDED)
def test_what_came_or_went_is_told_with_what_it_holds(name):
    """A line per setting in it, or the words of a prompt; never only that something came."""
    kind, edit, prepare, expected = ADDED[name]

    assert lines(kind, edit, prepare) == expected


@pytest.mark.parametrize(
    "new",
    [
        {"api_key": "hunter2"},
        {"credentials": {"value": "hunter2"}},
        {"deep": {"type": "secret-input", "value": "hunter2"}},
        {"entries": [{"name": "a", "value_type": "secret", "value": "hunter2"}]},
        {"entries": [{"name": "password", "value": "hunter2"}]},
        {"text": "Authorization: Bearer hunter2"},
    ],
)
def test_a_secret_in_what_came_stays_hidden(new):
    """By its own name, the name of what it stands in, its type, or the text around it; when it goes as well."""
    old = data_of("chatflow")
    changed = copy.deepcopy(old)
    node(changed, HTTP)["new"] = new
    for before, after in ((old, changed), (changed, old)):
        found = changes(dsl_of(before), dsl_of(after))
        assert len(found) == 1
        assert "hunter2" not in repr(found)


def form(**to):
    return lambda data: node(data, "1700000000001")["variables"][0].update(to)


def memory(value):
    return lambda data: node(data, LLM)["memory"]["window"].update(size=value)


def source(*selector):
    return lambda data: node(data, LLM)["context"].update(variable_selector=[*selector])


def parameter(value):
    param = {"type": "variable", "value": value}
    return lambda data: node(data, "lookup")["tool_parameters"].update(query=param)


EIGHT = [f"{number}課" for number in range(8)]
WORDED = {
    "one more in a long list": (
        "chatflow", form(options=EIGHT), form(options=[*EIGHT, "8課"]),
        "Node “開始”: choices of the input entity changed: +「8課」",
    ),
    "one replaced in a long list": (
        "chatflow", form(options=EIGHT), form(options=[*EIGHT[:3], "営業", *EIGHT[4:]]),
        "Node “開始”: choices of the input entity changed: −「3課」 +「営業」",
    ),
    "many new in a long list": (
        "chatflow", form(options=["0課"]), form(options=EIGHT),
        "Node “開始”: choices of the input entity changed: +「1課, 2課, 3課, 4課, 5課, 6課, …」",
    ),
    "another order of a long list": (
        "chatflow", form(options=EIGHT), form(options=EIGHT[::-1]),
        "Node “開始”: choices of the input entity changed (order alone)",
    ),
    "a number that became a text": (
        "chatflow", memory(3), memory("3"), "Node “回答の作成”: size of the memory: 3 (number) → 3 (text)",
    ),
    "a text that became a number": (
        "chatflow", memory("0.5"), memory(0.5), "Node “回答の作成”: size of the memory: 0.5 (text) → 0.5 (number)",
    ),
    "an input whose name speaks of a key": (
        "chatflow", form(variable="token", required=True), form(required=False),
        "Node “開始”: “required” of the input token: on → off",
    ),
    "its choices": (
        "chatflow", form(variable="token_kind", options=["a"]), form(options=["a", "b"]),
        "Node “開始”: choices of the input token_kind: a → a, b",
    ),
    "but not its default": (
        "chatflow", form(variable="api_key", default="hunter1"), form(default="hunter2"),
        "Node “開始”: default of the input api_key changed (not shown)",
    ),
    "nor its value": (
        "chatflow", form(variable="api_key", value="hunter1"), form(value="hunter2"),
        "Node “開始”: variables.api_key.value changed (not shown)",
    ),
    "a limit of tokens": (
        "chatflow", lambda data: None,
        lambda data: node(data, LLM)["model"]["completion_params"].update(token_limit=3),
        "Node “回答の作成”: model parameter token_limit: none → 3",
    ),
    "a selector of the app's own variables": (
        "chatflow", source("sys", "query"), source("conversation", "last_topic"),
        "Node “回答の作成”: source of the context: sys.query → conversation.last_topic",
    ),
    "a selector of a tool": (
        "workflow", parameter(["sys", "query"]), parameter(["shape", "output"]),
        "Node “Look up”: tool parameter query: sys.query → Shape.output",
    ),
    "choices that read like a selector": (
        "chatflow", form(options=["sys", "query"]), form(options=["env", "query"]),
        "Node “開始”: choices of the input entity: sys, query → env, query",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WORDED)
def test_a_value_is_told_as_a_person_would_write_it(name):
    """Long lists by what went and came, numbers apart from texts, selectors with a dot."""
    kind, prepare, edit, expected = WORDED[name]

    assert lines(kind, edit, prepare) == [expected]
