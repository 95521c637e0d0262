"""What users of such tools ran into: one test per kind, over real sockets."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from pydantic import SecretStr

from ragjudge.dify.client import DifyApp
from ragjudge.errors import AppMisconfigured, AppOutOfQuota, RagjudgeError
from ragjudge.results.answer import Answer, ContextSource, MissingContexts
from ragjudge.results.outcome import Cause
from tests import dify_events as ev
from tests.dify_app import CHAT, question, with_app
from tests.dify_server import PING, Pause, Reply, ScriptedDify, error_reply, event, stream_reply

PASSAGE = "有給休暇は年10日とする。"


def ask(*replies: Reply, mode: str = "advanced-chat", parameters=None, **how: object):
    """The outcome of one question, and the server."""

    async def use(app: DifyApp, server: ScriptedDify):
        try:
            outcome: Answer | RagjudgeError = await app.ask(question())
        except RagjudgeError as error:
            outcome = error
        return outcome, server

    return with_app(lambda s: s.app(mode, **(parameters or {})).on("POST", CHAT, *replies), use, **how)


@pytest.mark.parametrize(
    ("enabled", "cause"), [(False, MissingContexts.CITATION_OFF), (True, MissingContexts.NO_RETRIEVAL)]
)
def test_empty_citations_are_not_available_and_no_empty_list(enabled, cause):
    """A chatbot with `retriever_resources: []`: with citation off, the switch is named."""
    answer, _ = ask(
        stream_reply(ev.says("10日です。"), ev.message_end()),
        mode="chat",
        parameters={"retriever_resource": {"enabled": enabled}},
    )

    assert ("not_available", cause) == (answer.contexts.kind, answer.contexts.cause)


@pytest.mark.parametrize(
    ("observed", "cause"),
    [
        ({"dataset_ab_cd": ""}, MissingContexts.NOTHING_RETRIEVED),
        ({"dataset_ab_cd": " \n", "weather": "晴れ"}, MissingContexts.NOTHING_RETRIEVED),
        ({"weather": "晴れ"}, MissingContexts.NO_RETRIEVAL),
    ],
)
def test_an_agent_that_searched_and_found_nothing_had_no_passages(observed, cause):
    """`app.datasets` fills the gap only where the agent did not search: it answered without them."""
    thought = event("agent_thought", **ev.CHAT, id="t1", observation=json.dumps(observed))
    reply = stream_reply(thought, ev.says("分かりません", name="agent_message"), ev.message_end())

    answer, _ = ask(reply, mode="agent-chat")
    _, server = ask(
        reply, mode="agent-chat", datasets=("d1",), dataset_key=SecretStr("dataset-0123456789"), timeout_s=1.0
    )

    assert cause == answer.contexts.cause
    assert (cause is MissingContexts.NO_RETRIEVAL) == bool(server.asked("/datasets/d1/retrieve"))


def test_passages_of_a_retrieval_tool_are_found_in_its_nodes_outputs():
    """Citations are empty, because a tool node searched."""
    tool = ev.node("tool", {"text": "", "json": [{"result": [ev.chunk(PASSAGE, "seg-1")]}]})

    answer, _ = ask(stream_reply(ev.started(), tool, ev.says("10日です。"), ev.message_end(), ev.finished()))

    assert (ContextSource.RETRIEVAL_NODES, PASSAGE) == (
        answer.contexts.source,
        answer.contexts.items[0].content,
    )


def test_a_stream_that_ends_without_message_end_is_finished():
    """1.13.0 loses it; the status is the workflow's."""
    *before, _, finish = ev.rag_flow()

    answer, server = ask(stream_reply(*before, finish))

    assert ("有給休暇は10日です。", 1) == (answer.text, len(server.asked(CHAT)))


def test_an_error_half_way_is_the_cases_with_the_servers_own_code():
    """HTTP 200, half an answer, then `event: error`: no empty answer that would score 0."""
    half = (
        ev.started(),
        ev.says("有給休"),
        event("error", status=500, code="completion_request_error", message=""),
    )

    error, _ = ask(stream_reply(*half))

    assert Cause.APP_ERROR == error.cause
    assert "completion_request_error" in error.what.en


def test_pings_without_data_keep_a_slow_answer_alive():
    """Lines `event: ping` for longer than any silence would be borne: the model is thinking."""
    thinking = [piece for _ in range(5) for piece in (Pause(0.3), PING)]
    first, *rest = ev.rag_flow()

    answer, _ = ask(stream_reply(first, *thinking, *rest))

    assert ("有給休暇は10日です。", 1) == (answer.text, answer.asks)
    assert answer.latency_s > 1.2


@pytest.mark.parametrize(
    ("code", "kind", "asked"),
    [("rate_limit_error", AppOutOfQuota, 1), ("too_many_requests", Answer, 2)],
)
def test_the_two_kinds_of_429_are_told_apart(code, kind, asked):
    """A quota that is used up stops the run; too many at once waits and asks again."""
    outcome, server = ask(error_reply(429, code, "x"), stream_reply(*ev.rag_flow()))

    assert (kind, asked) == (type(outcome), len(server.asked(CHAT)))


@pytest.mark.parametrize(
    ("code", "kind"),
    [("provider_quota_exceeded", AppOutOfQuota), ("provider_not_initialize", AppMisconfigured)],
)
def test_a_providers_own_trouble_is_the_whole_runs(code, kind):
    """Not a failure of each of 200 cases: the next question is not even sent."""

    async def use(app: DifyApp, server: ScriptedDify):
        outcomes = []
        for query in ("一", "二"):
            try:
                outcomes.append(await app.ask(question(query)))
            except RagjudgeError as error:
                outcomes.append(error)
        return [type(outcome) for outcome in outcomes], len(server.asked(CHAT))

    assert ([kind, kind], 1) == with_app(lambda s: s.app().on("POST", CHAT, error_reply(400, code, "x")), use)


def test_the_same_passages_in_another_order_and_without_scores_are_the_same_passages():
    """Rerank is off or the store is external: `score` is null."""
    a, b = (ev.resource(text, segment, score=None) for text, segment in (("甲", "1"), ("乙", "2")))

    one, other = (
        ask(stream_reply(ev.says("x"), ev.message_end(*cited)), mode="chat")[0] for cited in ((a, b), (b, a))
    )

    assert [None, None] == [item.score for item in one.contexts.items]
    assert {item.segment_id for item in one.contexts.items} == {i.segment_id for i in other.contexts.items}
    assert ["甲", "乙"] == [item.content for item in one.contexts.items]


def test_a_run_that_waits_for_a_human_is_no_timeout():
    """`workflow_paused`: said at once, although the stream stays open."""
    paused = event("workflow_paused", **ev.FLOW, data={"reasons": []})

    error, _ = ask(stream_reply(ev.started(), paused, Pause(3.0)))

    assert Cause.APP_PAUSED == error.cause


def test_a_draft_cannot_be_judged():
    """`app.workflow_id` of a draft: publish it first."""
    said = "Cannot use draft workflow version. Workflow ID: x. Please use a published workflow version or leave it empty."

    error, _ = ask(error_reply(400, "bad_request", said), workflow_id="x")

    assert AppMisconfigured is type(error)
    assert "publish it" in error.hint.en
    assert "下書き" in error.hint.ja


def test_inputs_are_always_sent_as_a_json_object():
    """Also where the suite has none."""
    _, server = ask(stream_reply(*ev.rag_flow()))
    request = server.asked(CHAT)[0]

    assert {} == request.json["inputs"]
    assert "application/json" == request.headers["content-type"]


def test_characters_cut_between_packets_stay_whole():
    """東京, byte by byte."""
    whole = b"".join(ev.rag_flow("東京"))

    answer, _ = ask(stream_reply(*(whole[i : i + 1] for i in range(len(whole)))))

    assert "東京" == answer.text


def test_a_stream_without_a_charset_is_utf8_and_only_line_ends_end_lines():
    """U+2028 and U+0085 stand inside a text."""
    odd = "一行目\u2028二行目\u0085三行目"
    message = f'data: {{"event": "message", "answer": "{odd}"}}\n\n'.encode()
    reply = Reply(
        (ev.started(), message, ev.message_end(), ev.finished()),
        headers={"Content-Type": "text/event-stream"},
    )

    answer, _ = ask(reply)

    assert odd == answer.text


def test_a_date_in_retry_after_is_waited_for():
    """An HTTP date 20 s ahead: about 20 s."""

    async def use(app: DifyApp, server: ScriptedDify):
        await app.ask(question())
        return app._clock.pauses

    ahead = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    replies = (error_reply(503, "", "busy", Retry_After=ahead), stream_reply(*ev.rag_flow()))
    (pause,) = with_app(lambda s: s.app().on("POST", CHAT, *replies), use, timeout_s=100.0)

    assert 17 < pause <= 20
