"""Blocking calls, where a config asks for them: what they can show, and where they break."""

import pytest

from ragjudge.dify.client import DifyApp
from ragjudge.errors import AppCouldNotAnswer, RagjudgeError
from ragjudge.results.answer import Answer, ContextSource, MissingContexts
from ragjudge.results.outcome import Cause
from tests import dify_events as ev
from tests.dify_app import CHAT, question, with_app
from tests.dify_server import (
    Drop,
    Pause,
    Reply,
    ScriptedDify,
    error_reply,
    json_reply,
    page_reply,
    stream_reply,
)

FORM = [{"paragraph": {"variable": "faq", "required": True}}]
BODY = {**ev.CHAT, "event": "message", "id": ev.MESSAGE, "mode": "advanced-chat", "answer": "10日です。"}
CITED = {"usage": ev.USAGE, "retriever_resources": [ev.resource("有給休暇は年10日とする。", "seg-1")]}


def ask(*replies: Reply, mode: str = "advanced-chat", path: str = CHAT, form=(), **settings: object):
    """The outcome of one question, and the response modes that the server was asked for."""

    async def use(app: DifyApp, server: ScriptedDify):
        try:
            outcome: Answer | RagjudgeError = await app.ask(question())
        except RagjudgeError as error:
            outcome = error
        return outcome, [request.json["response_mode"] for request in server.asked(path)]

    def script(server: ScriptedDify):
        return server.app(mode, form=form).on("POST", path, *replies)

    return with_app(script, use, **{"response_mode": "blocking", **settings})


def test_asks_blocking_only_where_the_config_says_so():
    """The answer, its citations and its cost are in the reply; without the setting it is a stream."""
    answer, modes = ask(json_reply({**BODY, "metadata": CITED}))
    _, usual = ask(stream_reply(*ev.rag_flow()), response_mode="streaming")

    assert (["blocking"], ["streaming"]) == (modes, usual)
    assert ("10日です。", ContextSource.RETRIEVER_RESOURCES) == (answer.text, answer.contexts.source)
    assert (120, ev.CONVERSATION, None) == (
        answer.usage.prompt_tokens,
        answer.conversation_id,
        answer.workflow_id,
    )


def test_says_that_a_blocking_reply_hides_a_flows_passages():
    """Not "nothing was retrieved"."""
    answer, _ = ask(json_reply({**BODY, "metadata": {"retriever_resources": []}}))

    assert MissingContexts.NOT_IN_REPLY == answer.contexts.cause


def test_asks_a_workflow_blocking():
    """Answer and version are under `data`."""
    data = {
        "id": ev.RUN,
        "workflow_id": ev.WORKFLOW,
        "status": "succeeded",
        "outputs": {"text": "10日です。"},
    }
    reply = json_reply({"workflow_run_id": ev.RUN, "task_id": ev.TASK, "data": data})

    answer, modes = ask(reply, mode="workflow", path="/workflows/run", form=FORM)

    assert (["blocking"], "10日です。", ev.WORKFLOW) == (modes, answer.text, answer.workflow_id)


@pytest.mark.parametrize("mode", ["agent-chat", "agent"])
def test_streams_an_agent_although_blocking_was_asked_for(mode):
    """An agent answers blocking calls with 400: streamed instead, without anybody having to do something."""
    said = (ev.says("10日です。", name="agent_message"), ev.message_end())

    answer, modes = ask(stream_reply(*said), mode=mode)

    assert (["streaming"], "10日です。") == (modes, answer.text)


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(page_reply(504, "504 Gateway Time-out"), id="a proxy's HTML page"),
        pytest.param(error_reply(504, "x", "upstream timed out"), id="a proxy's JSON"),
        pytest.param(Reply((Drop(),)), id="a reset"),
        pytest.param(Reply((b'{"answer": "10', Drop())), id="half a body"),
    ],
)
def test_a_blocking_call_cut_by_a_proxy_says_to_use_streaming(broken):
    """Dify goes on with the question, so it is not sent (and paid for) again; the HTML is never read as JSON."""
    error, modes = ask(broken, json_reply({**BODY, "metadata": CITED}))

    assert (AppCouldNotAnswer, Cause.APP_STREAM_CUT, ["blocking"]) == (type(error), error.cause, modes)
    assert "response_mode" in error.hint.en
    assert "ストリーミング" in error.hint.ja


def test_a_blocking_call_is_sent_again_where_it_was_surely_not_worked_on():
    """Turned away at the door: too many at once."""
    busy = error_reply(400, "invalid_param", "Too many requests. Please try again later.")

    answer, modes = ask(busy, json_reply({**BODY, "metadata": CITED}))

    assert ("10日です。", 2) == (answer.text, len(modes))


def test_a_long_silence_is_no_fault_of_a_blocking_call():
    """Nothing comes until the answer is whole: only the question's own deadline counts."""
    answer, _ = ask(Reply((Pause(0.8), *json_reply({**BODY, "metadata": CITED}).pieces)))
    late, modes = ask(Reply((Pause(2.0), b"{}")), timeout_s=0.4)

    assert "10日です。" == answer.text
    assert (Cause.APP_TIMEOUT, 1) == (late.cause, len(modes))
