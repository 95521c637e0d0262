"""`app.contexts`: the passages of a workflow from the output that the config names, or why there are none."""

import json

import pytest
from pydantic import SecretStr

from ragjudge.dify.client import DifyApp
from ragjudge.results.answer import ContextSource, MissingContexts
from tests import dify_events as ev
from tests.dify_app import question, with_app
from tests.dify_server import Reply, ScriptedDify, json_reply, stream_reply

RUN = "/workflows/run"
DATASETS = {"datasets": ("d1",), "dataset_key": SecretStr("dataset-0123456789")}


def streamed(outputs: dict[str, object]) -> Reply:
    return stream_reply(ev.started(), ev.finished(outputs))


def blocked(outputs: dict[str, object]) -> Reply:
    return json_reply({"workflow_run_id": ev.RUN, "data": {"status": "succeeded", "outputs": outputs}})


def answer_with(reply: Reply, **app: object):
    """The answer, and how often the knowledge base was searched apart."""

    def script(server: ScriptedDify) -> None:
        server.app("workflow").on("POST", RUN, reply)
        segment = {"id": "s", "content": "別途検索した文書"}
        server.on("POST", "/datasets/d1/retrieve", json_reply({"records": [{"segment": segment}]}))

    async def use(dify: DifyApp, server: ScriptedDify):
        return await dify.ask(question()), len(server.asked("/datasets/d1/retrieve"))

    return with_app(script, use, **{"answer": "outputs.text", "contexts": "outputs.chunks", **app})


@pytest.mark.parametrize(
    "chunks",
    [
        json.dumps(["一", "二"], ensure_ascii=False),
        json.dumps([{"content": "一"}, {"content": "二"}]),
        json.dumps({"result": [{"content": "一"}, {"content": "二"}]}),
        [json.dumps({"content": "一"}), json.dumps({"content": "二"})],
        {"result": [{"content": "一"}, {"content": "二"}]},
        [["一"], ["二"]],
        [{"page_content": "一"}, {"page_content": "二", "metadata": {"source": "x"}}],
    ],
    ids=[
        "texts as JSON",
        "items as JSON",
        "object as JSON",
        "JSON in a list",
        "object",
        "iteration",
        "LangChain",
    ],
)
def test_reads_the_named_output_in_the_forms_that_nodes_write(chunks):
    """Code and template nodes write JSON as text, iterations lists of lists."""
    answer, _ = answer_with(streamed({"text": "答え", "chunks": chunks}))

    assert ["一", "二"] == [item.content for item in answer.contexts.items]
    assert ContextSource.WORKFLOW_OUTPUT == answer.contexts.source


@pytest.mark.parametrize("text", ["[注1] 年10日とする。", '{"price": 100}', "[1, 2]", "[" * 5000])
def test_a_text_that_is_no_list_of_passages_is_one_passage(text):
    """It may begin like JSON."""
    answer, _ = answer_with(streamed({"text": "答え", "chunks": text}))

    assert [text] == [item.content for item in answer.contexts.items]


@pytest.mark.parametrize("reply", [streamed, blocked])
@pytest.mark.parametrize("chunks", [[], None, "", "[]", "{}", ["", " "], [[], []]])
def test_an_empty_output_means_that_nothing_was_retrieved(reply, chunks):
    """Also in a blocking reply; what the knowledge base would give now is not what the app had."""
    answer, searched = answer_with(
        reply({"text": "答え", "chunks": chunks}),
        response_mode="blocking" if reply is blocked else "streaming",
        **DATASETS,
    )

    assert (MissingContexts.NOTHING_RETRIEVED, 0) == (answer.contexts.cause, searched)


@pytest.mark.parametrize("reply", [streamed, blocked])
def test_says_that_the_run_has_no_output_of_that_name(reply):
    """A typo in `app.contexts` is not "the app retrieved nothing"; the outputs are listed."""
    answer, searched = answer_with(
        reply({"text": "答え", "chunks": ["a"]}),
        contexts="outputs.chunk",
        response_mode="blocking" if reply is blocked else "streaming",
        **DATASETS,
    )

    assert (MissingContexts.OUTPUT_UNUSABLE, 0) == (answer.contexts.cause, searched)
    assert ("no_such_output:outputs.chunk; outputs: text, chunks",) == answer.notes


@pytest.mark.parametrize("chunks", [5, True, [1, 2], [{"title": "x"}], {"a": 1}])
def test_says_that_the_named_output_holds_no_passages(chunks):
    """It is there, and neither empty nor readable."""
    answer, _ = answer_with(streamed({"text": "答え", "chunks": chunks}))

    assert MissingContexts.OUTPUT_UNUSABLE == answer.contexts.cause
    assert ("output_without_passages:outputs.chunks; outputs: text, chunks",) == answer.notes
