"""A cut stream never leaves an answer with a part of its passages: they are fetched, or the question is asked anew."""

import json

import pytest

from ragjudge.dify.client import DifyApp
from ragjudge.results.answer import ContextSource
from tests import dify_events as ev
from tests.dify_app import CHAT, question, with_app
from tests.dify_server import Reply, ScriptedDify, event, json_reply, stream_reply

FLOW = "/workflows/run"
FIRST = ev.retrieved(ev.chunk("一つ目", "seg-1"), node_id="n-first")
SECOND = ev.retrieved(ev.chunk("二つ目", "seg-2"), node_id="n-second")
WHOLE = (ev.started(), FIRST, SECOND, ev.says("答え"), ev.message_end(), ev.finished({"answer": "答え"}))


def after_a_cut(
    *cut: bytes,
    whole: tuple[bytes, ...] = WHOLE,
    mode: str = "advanced-chat",
    history: object = (),
    **app: object,
):
    """The answer's passages with their source, and how often was asked; the run's detail has the answer."""
    path = FLOW if mode == "workflow" else CHAT
    outputs = app.pop("outputs", {"answer": "答え"})
    message = {"id": ev.MESSAGE, "answer": "答え" if history else "", "retriever_resources": list(history)}

    def script(server: ScriptedDify) -> None:
        server.app(mode).on("POST", path, stream_reply(*cut), stream_reply(*whole))
        server.on("GET", f"/workflows/run/{ev.RUN}", run_detail(outputs))
        server.on("GET", "/messages", json_reply({"data": [message]}))
        server.on("DELETE", f"/conversations/{ev.CONVERSATION}", Reply(status=204))

    async def use(dify: DifyApp, server: ScriptedDify):
        answer = await dify.ask(question())
        contexts = answer.contexts
        return contexts.source, [item.content for item in contexts.items], len(server.asked(path))

    return with_app(script, use, **app)


def run_detail(outputs: object) -> Reply:
    return json_reply({"id": ev.RUN, "status": "succeeded", "outputs": outputs})


def test_joins_the_passages_of_a_cut_stream_with_those_of_the_history():
    """Cut between two retrieval nodes: the history (1.14) has what the second one found."""
    both = (ev.resource("一つ目", "seg-1"), ev.resource("二つ目", "seg-2"))

    assert (ContextSource.MESSAGE_HISTORY, ["一つ目", "二つ目"], 1) == after_a_cut(
        ev.started(), FIRST, history=both
    )
    assert (ContextSource.MESSAGE_HISTORY, ["一つ目", "二つ目"], 1) == after_a_cut(
        ev.started(), FIRST, history=both[1:]
    )


@pytest.mark.parametrize(
    "cut",
    [
        (FIRST,),
        (FIRST, ev.llm("書き直した質問")),
        (ev.says("お調べします。"), FIRST),
        (FIRST, event("node_started", **ev.FLOW, data={"node_type": "knowledge-retrieval"}), ev.says("答")),
        (FIRST, ev.says("", " ")),
    ],
    ids=[
        "after the first",
        "after a model between",
        "after a word before",
        "while the second runs",
        "no text",
    ],
)
def test_asks_once_more_where_further_passages_may_be_lost(cut):
    """On 1.9 neither the run's detail nor the history has them."""
    assert (ContextSource.RETRIEVAL_NODES, ["一つ目", "二つ目"], 2) == after_a_cut(ev.started(), *cut)


def test_trusts_the_nodes_once_the_app_began_to_speak():
    """All retrieval came before: not paid for twice."""
    started = event("node_started", **ev.FLOW, data={"node_type": "knowledge-retrieval"})

    assert (ContextSource.RETRIEVAL_NODES, ["一つ目", "二つ目"], 1) == after_a_cut(
        ev.started(), started, FIRST, started, SECOND, ev.says("答")
    )


def test_asks_a_workflow_once_more_where_further_passages_may_be_lost():
    """It has no history; its outputs may hold the passages."""
    whole = (ev.started(), FIRST, SECOND, ev.finished({"text": "答え"}))
    only = {"mode": "workflow", "whole": whole}

    assert (ContextSource.RETRIEVAL_NODES, ["一つ目", "二つ目"], 2) == after_a_cut(
        ev.started(), FIRST, outputs=json.dumps({"text": "答え"}), **only
    )
    assert (ContextSource.WORKFLOW_OUTPUT, ["一つ目", "二つ目"], 1) == after_a_cut(
        ev.started(),
        FIRST,
        outputs={"text": "答え", "chunks": ["一つ目", "二つ目"]},
        answer="outputs.text",
        contexts="outputs.chunks",
        **only,
    )


def test_takes_an_agents_passages_from_the_history_where_its_thoughts_were_cut():
    """Further tool calls may have followed the observation that was seen."""
    seen = event("agent_thought", **ev.CHAT, id="t1", observation=json.dumps({"dataset_a": "一つ目"}))
    both = (ev.resource("一つ目", "seg-1"), ev.resource("二つ目", "seg-2"))

    assert (ContextSource.MESSAGE_HISTORY, ["一つ目", "二つ目"], 1) == after_a_cut(
        seen, mode="agent-chat", history=both
    )
