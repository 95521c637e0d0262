"""The connector against a scripted server on loopback: real sockets, real bytes."""

import asyncio
import gzip
from collections.abc import Callable
from dataclasses import replace

import pytest
from pydantic import SecretStr

from ragjudge.dify.client import DifyApp
from ragjudge.dify.limits import Limits
from ragjudge.errors import AppCouldNotAnswer, AppMisconfigured, AppOutOfQuota, AppUnreachable, RagjudgeError
from ragjudge.results.answer import Answer, ContextSource, MissingContexts
from ragjudge.results.outcome import Cause
from ragjudge.settings import AppSettings
from tests import dify_events as ev
from tests.dify_app import CHAT, KEY, QUICK, question, with_app
from tests.dify_server import (
    PING,
    Drop,
    Hang,
    Pause,
    Reply,
    ScriptedDify,
    SkippingClock,
    error_reply,
    event,
    json_reply,
    page_reply,
    stream_reply,
)


def ask(*replies: Reply, mode: str = "advanced-chat", **how: object):
    """Ask one question; returns the answer or the error, and the number of questions that the server saw."""

    async def use(app: DifyApp, server: ScriptedDify):
        try:
            outcome: Answer | RagjudgeError = await app.ask(question())
        except RagjudgeError as error:
            outcome = error
        return outcome, len(server.asked(CHAT))

    return with_app(lambda server: server.app(mode).on("POST", CHAT, *replies), use, **how)


def test_asks_a_chatflow():
    """The request is what Dify wants, the answer has everything the stream told."""

    async def use(app: DifyApp, server: ScriptedDify):
        return await app.ask(question(inputs={"x": 1})), server.asked(CHAT)[0]

    answer, request = with_app(lambda s: s.app().on("POST", CHAT, stream_reply(PING, *ev.rag_flow())), use)

    assert {
        "inputs": {"x": 1},
        "query": "有休は何日ですか。",
        "response_mode": "streaming",
        "conversation_id": "",
        "user": "ragjudge-run-1",
        "auto_generate_name": False,
    } == request.json
    assert f"Bearer {KEY}" == request.headers["authorization"]
    assert "有給休暇は10日です。" == answer.text
    assert ContextSource.RETRIEVAL_NODES == answer.contexts.source
    assert (ev.CONVERSATION, ev.MESSAGE, ev.WORKFLOW, ev.RUN, "1.14.2", 1) == (
        answer.conversation_id,
        answer.message_id,
        answer.workflow_id,
        answer.workflow_run_id,
        answer.server_version,
        answer.asks,
    )
    assert 0 < answer.latency_s < 5


def test_probes_with_two_calls():
    """Name, mode, version and the citation switch; nothing is asked."""

    async def use(app: DifyApp, server: ScriptedDify):
        return await app.probe(), [r.path for r in server.requests]

    identity, paths = with_app(lambda s: s.app("chat"), use)

    assert ["/v1/info", "/v1/parameters"] == paths
    assert ("社内FAQ", "chat", "1.14.2", True) == (
        identity.name,
        identity.mode,
        identity.server_version,
        identity.citation,
    )


@pytest.mark.parametrize(
    ("info", "parameters", "words"),
    [
        (error_reply(401, "unauthorized", "Access token is invalid"), None, "DIFY_API_KEY"),
        (error_reply(403, "forbidden", "The app's API service has been disabled."), None, "API access"),
        (page_reply(404, "404 Not Found"), None, "/v1"),
        (json_reply({"detail": "Not Found"}, 404), None, "no Dify service API"),
        (json_reply({"message": "no Route matched with those values"}, 404), None, "no Route matched"),
        (json_reply({"status": 404, "error": "Not Found", "path": "/v1/info"}, 404), None, "/v1"),
        (json_reply({"code": "NotFound", "message": "no such api"}, 404), None, "no such api"),
        (Reply((b"404 page not found\n",), 404, {"Content-Type": "text/plain"}), None, "404 page not found"),
        (Reply((), 404), None, "HTTP 404"),
        (
            error_reply(404, "not_found", "The requested URL was not found on the server. If you entered …"),
            None,
            "no Dify service API",
        ),
        (Reply((b"hello",), headers={"Content-Type": "text/plain"}), None, "no Dify service API"),
        (json_reply({"name": "x", "mode": "channel"}), json_reply({"user_input_form": []}), "channel"),
        (
            json_reply({"name": "x", "mode": "chat"}),
            error_reply(400, "app_unavailable", "App unavailable"),
            "Publish",
        ),
    ],
)
def test_finds_a_wrong_setting_by_the_probe(info, parameters, words):
    """One sentence with the cure, after two calls at most."""

    def script(server: ScriptedDify) -> None:
        server.on("GET", "/info", info)
        if parameters is not None:
            server.on("GET", "/parameters", parameters)

    async def use(app: DifyApp, server: ScriptedDify):
        try:
            await app.probe()
        except AppMisconfigured as error:
            return error, len(server.requests)

    error, calls = with_app(script, use)

    assert words in error.in_language("en")
    assert calls <= 2
    assert KEY not in error.in_language("en")


def test_never_follows_a_redirect():
    """The key goes to the configured address and nowhere else; the message names the other one."""

    async def run():
        async with ScriptedDify() as other, ScriptedDify() as server:
            server.on("GET", "/info", Reply(status=307, headers={"Location": f"{other.url}/info"}))
            app = DifyApp(
                AppSettings(base_url=server.url, api_key=SecretStr(KEY)), clock=SkippingClock(), limits=QUICK
            )
            try:
                with pytest.raises(AppMisconfigured, match="redirects") as caught:
                    await app.probe()
            finally:
                await app.close()
            return other.requests, other.url, str(caught.value)

    requests, url, text = asyncio.run(run())

    assert [] == requests
    assert url in text


def test_says_that_nobody_answers():
    """Exit 3: try later; not a fault of the configuration."""

    async def run() -> None:
        app = DifyApp(
            AppSettings(base_url="http://127.0.0.1:9", api_key=SecretStr(KEY)), clock=SkippingClock()
        )
        try:
            await app.probe()
        finally:
            await app.close()

    with pytest.raises(AppUnreachable, match="does not answer"):
        asyncio.run(run())


@pytest.mark.parametrize(
    "first",
    [
        Reply((Drop(),)),
        error_reply(500, "internal_server_error", "x"),
        page_reply(502, "502 Bad Gateway"),
        error_reply(503, "", "busy", Retry_After="3"),
        error_reply(429, "too_many_requests", "x", Retry_After="0.2"),
        error_reply(400, "invalid_param", "Too many requests. Please try again later."),
        stream_reply(),
        stream_reply(PING, Drop()),
        json_reply({"code": "internal_server_error", "message": "x", "status": 500}),
        json_reply({"code": "too_many_requests", "message": "x", "status": 429}),
        stream_reply(event("error", status=500, message="x")),
        stream_reply(PING, event("error", status=429, code="too_many_requests", message="x")),
        stream_reply(event("error", status=400, code="invalid_param", message="Too many requests. Please")),
    ],
    ids=[
        *("reset", "500", "502", "503", "429", "400-too-many", "empty stream", "reset after a ping"),
        *("500 in a 200", "429 in a 200", "500 event", "429 event", "400-too-many event"),
    ],
)
def test_tries_again_while_nothing_came(first):
    """Before the first event only: the question was not worked on."""
    answer, asked = ask(first, stream_reply(*ev.rag_flow()))

    assert "有給休暇は10日です。" == answer.text
    assert (2, 1) == (asked, answer.asks)


@pytest.mark.parametrize("begun", [{"message_id": ev.MESSAGE}, {"workflow_run_id": ev.RUN}])
def test_does_not_ask_again_what_was_begun(begun):
    """An `error` event that names a message or a run: the model may have been paid."""
    error, asked = ask(stream_reply(event("error", **begun, status=500, code="x", message="y")))

    assert (Cause.APP_ERROR, 1) == (error.cause, asked)


@pytest.mark.parametrize(("value", "pause"), [("5", 5.0), ("0.503", 0.503), ("86400", 60.0), ("soon", 0.5)])
def test_waits_as_the_server_asks(value, pause):
    """Seconds, fractions, a cap, and our own pause for nonsense."""

    async def use(app: DifyApp, server: ScriptedDify):
        await app.ask(question())
        return app._clock.pauses

    replies = (error_reply(503, "", "busy", Retry_After=value), stream_reply(*ev.rag_flow()))

    assert [pause] == with_app(lambda s: s.app().on("POST", CHAT, *replies), use, timeout_s=100.0)


def test_gives_up_after_five_tries():
    """With the server's own words."""
    error, asked = ask(error_reply(500, "internal_server_error", "boom"), timeout_s=100.0)

    assert (Cause.APP_ERROR, 5) == (error.cause, asked)
    assert "boom" in str(error)


def test_does_not_wait_beyond_the_questions_time():
    """A Retry-After that is longer than what is left ends the tries."""
    error, asked = ask(error_reply(503, "", "busy", Retry_After="50"), timeout_s=5.0)

    assert (Cause.APP_UNREACHABLE, 1) == (error.cause, asked)


@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        (error_reply(400, "invalid_param", "Entity is required in input form"), Cause.APP_INPUT_REFUSED),
        (stream_reply(ev.started(), event("error", code="x", message="[openai] Error: y")), Cause.APP_ERROR),
        (
            stream_reply(ev.started(), ev.finished(status="failed", error="[o] Rate Limit Error, z")),
            Cause.APP_RATE_LIMITED,
        ),
        (stream_reply(ev.started(), event("workflow_paused", data={})), Cause.APP_PAUSED),
        (stream_reply(*ev.rag_flow("")), Cause.APP_EMPTY_ANSWER),
        (stream_reply(*ev.rag_flow("<think>うーん</think>")), Cause.APP_EMPTY_ANSWER),
        (stream_reply(b"data: {]\n\n"), Cause.APP_ERROR),
        (stream_reply(b"data: \xff\n\n"), Cause.APP_ERROR),
        (page_reply(200, "ログイン"), Cause.APP_ERROR),
        (Reply((b'{"a":' + b"[" * 9999,), headers={"Content-Type": "application/json"}), Cause.APP_ERROR),
    ],
)
def test_leaves_one_case_without_an_answer(reply, cause):
    """Asked once, the right cause; the other cases go on."""
    error, asked = ask(reply)

    assert (AppCouldNotAnswer, cause, 1) == (type(error), getattr(error, "cause", None), asked)


def test_says_where_a_failed_question_can_be_looked_up():
    """The conversation's id, for the report's link into the app's logs."""
    error, _ = ask(stream_reply(ev.started(), ev.finished(status="failed", error="[o] Error: x")))

    assert (ev.CONVERSATION, 1) == (error.conversation_id, error.asks)


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (error_reply(400, "provider_not_initialize", "x"), AppMisconfigured),
        (json_reply({"code": "unauthorized", "message": "x", "status": 401}), AppMisconfigured),
        (
            stream_reply(ev.started(), ev.finished(status="failed", error="Provider a does not exist.")),
            AppMisconfigured,
        ),
        (error_reply(429, "rate_limit_error", "Rate Limit Error"), AppOutOfQuota),
    ],
)
def test_stops_all_questions_after_at_most_three_calls(reply, kind):
    """A fault of the configuration: fifty questions at once, but two probing calls and one question are sent."""

    async def use(app: DifyApp, server: ScriptedDify):
        outcomes = await asyncio.gather(
            *(app.ask(question(str(n))) for n in range(50)), return_exceptions=True
        )
        return outcomes, len(server.requests)

    async def probed(app: DifyApp, server: ScriptedDify):
        await app.probe()
        return await use(app, server)

    outcomes, calls = with_app(lambda s: s.app().on("POST", CHAT, reply), probed)

    assert {kind} == {type(outcome) for outcome in outcomes}
    assert 3 == calls


def test_a_total_deadline_holds_against_pings():
    """Pings keep the idle timer alive, not the question."""
    pings = [piece for _ in range(40) for piece in (PING, Pause(0.05))]

    async def use(app: DifyApp, server: ScriptedDify):
        try:
            await app.ask(question())
        except AppCouldNotAnswer as error:
            return error, [r.path for r in server.requests[2:]]

    script = lambda s: s.app().on("POST", CHAT, stream_reply(ev.started(), *pings))  # noqa: E731
    error, paths = with_app(script, use, timeout_s=0.5)

    assert Cause.APP_TIMEOUT == error.cause
    assert ["/v1/chat-messages", f"/v1/chat-messages/{ev.TASK}/stop"] == paths


def test_does_not_wait_for_a_server_that_took_the_question_and_fell_silent():
    """Since 1.13: HTTP 200, one ping, then nothing for five minutes. Not asked again: it may be queued."""
    error, asked = ask(stream_reply(PING, Hang()))

    assert (Cause.APP_TIMEOUT, 1) == (error.cause, asked)


def test_does_not_wait_for_the_end_of_a_stream_that_stays_open():
    """An annotated chatflow on 1.14 keeps the connection open after message_end."""
    answer, _ = ask(stream_reply(ev.says("定型文です。"), ev.message_end(), Hang()))

    assert "定型文です。" == answer.text
    assert answer.latency_s < 2


@pytest.mark.parametrize(
    "noise", [PING, b": keepalive\n\n", event("ping")], ids=["pings", "comments", "pings with data"]
)
def test_does_not_wait_for_the_end_of_a_stream_that_only_pings(noise):
    """The answer is complete; the grace for the other last event is not prolonged by what means nothing."""
    pings = [piece for _ in range(100) for piece in (Pause(0.03), noise)]

    answer, asked = ask(stream_reply(ev.says("定型文です。"), ev.message_end(), *pings))

    assert ("定型文です。", 1) == (answer.text, asked)
    assert answer.latency_s < 2


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_the_last_event_needs_no_empty_line_after_it(end):
    """A gateway may drop it: the answer is not fetched or asked for again."""
    answer, asked = ask(
        stream_reply(ev.says("10日です。"), ev.message_end().rstrip(b"\n") + end), mode="chat"
    )

    assert ("10日です。", 1, ()) == (answer.text, asked, answer.notes)


@pytest.mark.parametrize("last", [Hang(), b"data: {broken\n\n", b"x" * 300_000, Drop()])
def test_keeps_a_complete_answer_whatever_follows(last):
    """Out of time, unreadable, too long, reset: the answer stands."""
    outcome, asked = ask(
        stream_reply(ev.says("定型文です。"), ev.message_end(), Pause(0.05), last),
        limits=replace(QUICK, grace_s=5.0, max_stream_bytes=200_000),
        timeout_s=0.4,
    )

    assert ("定型文です。", 1) == (outcome.text, asked)


@pytest.mark.slow
def test_does_not_count_the_queue_against_a_question():
    """Fifteen questions of 0.1 s each, one at a time, with a second for each: all are answered."""
    slow = stream_reply(ev.started(), Pause(0.1), *ev.rag_flow()[1:])

    async def use(app: DifyApp, server: ScriptedDify):
        return await asyncio.gather(*(app.ask(question(str(n))) for n in range(15)))

    answers = with_app(lambda s: s.app().on("POST", CHAT, slow), use, timeout_s=1.0, concurrency=1)

    assert 15 == len(answers)
    assert max(answer.latency_s for answer in answers) < 1.0


def test_obeys_the_apps_own_limit_of_concurrent_requests():
    """`max_active_requests` of 3 on the server, 10 in the config: every question is answered."""
    active = most = 0

    async def use(app: DifyApp, server: ScriptedDify):
        return await asyncio.gather(*(app.ask(question(str(n))) for n in range(60)))

    def reply(_request) -> Reply:
        nonlocal active, most
        if active >= 3:
            text = "Too many requests. The current maximum concurrent requests allowed for a-b is 3."
            return error_reply(400, "invalid_param", text)
        active += 1
        most = max(most, active)
        asyncio.get_running_loop().call_later(0.01, leave)
        return stream_reply(ev.started(), Pause(0.01), *ev.rag_flow()[1:])

    def leave() -> None:
        nonlocal active
        active -= 1

    answers = with_app(lambda s: s.app().on("POST", CHAT, reply), use, real_time=True)

    assert 60 == len(answers)
    assert 3 == most


def test_says_that_a_limit_of_one_can_never_pass():
    """Since 1.13 a streaming run counts itself twice: the cure is on the server, not in waiting."""
    text = "Too many requests. The current maximum concurrent requests allowed for a-b is 1."
    error, asked = ask(error_reply(400, "invalid_param", text))

    assert AppMisconfigured is type(error)
    assert "max_active_requests" in error.in_language("ja")
    assert asked < 10


def run_detail(**fields: object) -> Reply:
    return json_reply(
        {"id": ev.RUN, "workflow_id": ev.WORKFLOW, "status": "succeeded", "error": None, **fields}
    )


def cut_then(
    script: Callable[[ScriptedDify], object], *cut: object, mode: str = "advanced-chat", **how: object
):
    """Cut a stream after these pieces; the server's later pages are scripted by `script`."""

    def whole(server: ScriptedDify) -> None:
        server.app(mode).on(
            "POST", CHAT, stream_reply(*cut, Pause(0.05), Drop()), stream_reply(*ev.rag_flow("二度目の答え"))
        )
        script(server)

    async def use(app: DifyApp, server: ScriptedDify):
        try:
            return await app.ask(question(**how)), server
        except RagjudgeError as error:
            return error, server

    return with_app(whole, use)


SEEN = (ev.started(), ev.retrieved(ev.chunk("年10日とする。", "seg-1")), ev.says("有給"))


@pytest.mark.parametrize("outputs", [{"answer": "有給は10日です。"}, '{"answer": "有給は10日です。"}'])
def test_fetches_the_finished_answer_after_a_cut(outputs):
    """From the run's detail (an object, or on 1.9 a JSON string), when it is done: not asked again."""
    running = run_detail(status="running", outputs=None)
    script = lambda s: s.on("GET", f"/workflows/run/{ev.RUN}", running, run_detail(outputs=outputs))  # noqa: E731

    answer, server = cut_then(script, *SEEN)

    assert ("有給は10日です。", 1) == (answer.text, answer.asks)
    assert "recovered_after_cut" in answer.notes
    assert ["seg-1"] == [passage.segment_id for passage in answer.contexts.items]
    assert 1 == len(server.asked(CHAT))


def test_fetches_a_chats_answer_from_the_history():
    """Basic chats have no run; 1.14 keeps answer and passages of a cut message."""
    message = {
        "id": ev.MESSAGE,
        "answer": "有給は10日です。",
        "retriever_resources": [ev.resource("年10日", "seg-1")],
    }
    script = lambda s: s.on("GET", "/messages", json_reply({"data": [message]}))  # noqa: E731

    answer, server = cut_then(script, ev.says("有給"), mode="chat")

    assert ("有給は10日です。", 1) == (answer.text, answer.asks)
    assert ContextSource.MESSAGE_HISTORY == answer.contexts.source
    assert {"conversation_id": [ev.CONVERSATION], "user": ["ragjudge-run-1"]}.items() <= server.asked(
        "/messages"
    )[0].query.items()


def test_an_answer_that_a_killed_process_had_asked_for_says_what_is_not_known_of_it():
    """The history tells text and passages, but neither how long it took nor what it cost."""
    message = {
        "id": ev.MESSAGE,
        "answer": "10日です。",
        "retriever_resources": [ev.resource("年10日", "seg-1")],
    }

    def script(server: ScriptedDify) -> None:
        server.app("chat").on("GET", "/conversations", json_reply({"data": [{"id": ev.CONVERSATION}]}))
        server.on("GET", "/messages", json_reply({"data": [message]}))

    answer = with_app(script, lambda app, _: app.recover(question()))

    assert ("10日です。", None, 1) == (answer.text, answer.latency_s, answer.usage.unreported)


def test_asks_once_more_in_a_new_conversation_where_the_answer_is_lost():
    """1.9 keeps an empty answer of a cut chat: asked once more, counted, and the first conversation is removed."""

    def script(server: ScriptedDify) -> None:
        server.on("GET", "/messages", json_reply({"data": [{"id": ev.MESSAGE, "answer": ""}]}))
        server.on("DELETE", f"/conversations/{ev.CONVERSATION}", Reply(status=204))

    answer, server = cut_then(script, ev.says("有給"), mode="chat")

    assert ("二度目の答え", 2) == (answer.text, answer.asks)
    assert ["", ""] == [request.json["conversation_id"] for request in server.asked(CHAT)]
    assert [{"user": "ragjudge-run-1"}] == [r.json for r in server.asked(f"/conversations/{ev.CONVERSATION}")]


def test_asks_once_more_where_the_passages_are_lost():
    """On 1.9 the detail of a cut run has the answer but not what was retrieved: no score could be had."""
    script = lambda s: s.on("GET", f"/workflows/run/{ev.RUN}", run_detail(outputs={"answer": "x"}))  # noqa: E731

    answer, _ = cut_then(script, ev.started())

    assert ("二度目の答え", 2) == (answer.text, answer.asks)
    assert ContextSource.RETRIEVAL_NODES == answer.contexts.source


def test_does_not_ask_a_later_turn_again():
    """It would stand twice in the conversation: the case is asked anew as a whole, in the run's second pass."""
    error, server = cut_then(lambda s: s, ev.started(), conversation_id=ev.CONVERSATION)

    assert (Cause.APP_STREAM_CUT, True) == (error.cause, error.passing)
    assert 1 == len(server.asked(CHAT))


def test_tells_how_a_cut_run_failed():
    """The run's own error, not "cut"."""
    failed = run_detail(status="failed", error="[o] Error: boom")

    error, server = cut_then(lambda s: s.on("GET", f"/workflows/run/{ev.RUN}", failed), *SEEN)

    assert Cause.APP_ERROR == error.cause
    assert "boom" in str(error)
    assert 1 == len(server.asked(CHAT))


@pytest.mark.parametrize(
    "body",
    [
        pytest.param((b"data: " + b"x" * 70_000, b"x" * 70_000), id="an endless line"),
        pytest.param(tuple(event("message", answer="x" * 10_000) for _ in range(40)), id="an endless stream"),
        pytest.param((gzip.compress(b"data: " + b"x" * 5_000_000),), id="a gzip bomb"),
    ],
)
def test_bounds_what_a_hostile_server_can_send(body):
    """A typed error, in bounded memory."""
    encoding = {"Content_Encoding": "gzip"} if body[0][:2] == b"\x1f\x8b" else {}
    limits = Limits(max_event_bytes=100_000, max_stream_bytes=300_000)

    error, _ = ask(stream_reply(*body, **encoding), limits=limits)

    assert (AppCouldNotAnswer, Cause.APP_ERROR) == (type(error), error.cause)


def test_reads_a_packed_stream_all_the_same():
    """A proxy may pack although it was asked not to."""
    packed = gzip.compress(b"".join(ev.rag_flow()))

    answer, _ = ask(
        stream_reply(*(packed[i : i + 7] for i in range(0, len(packed), 7)), Content_Encoding="gzip")
    )

    assert "有給休暇は10日です。" == answer.text


def test_reads_a_whole_reply_where_a_gateway_joined_the_stream():
    """A blocking body: the answer is there, a flow's passages only as far as the metadata shows them."""
    body = {**ev.CHAT, "event": "message", "answer": "10日です。", "metadata": {"retriever_resources": []}}

    answer, _ = ask(json_reply(body))

    assert "10日です。" == answer.text
    assert MissingContexts.NOT_IN_REPLY == answer.contexts.cause


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/octet-stream"},
        {"Content-Type": "application/json"},
    ],
    ids=["none", "text", "bytes", "JSON"],
)
@pytest.mark.parametrize(
    "before", [b"", PING, b": hello\n\n", b"\xef\xbb\xbf"], ids=["", "ping", "comment", "BOM"]
)
def test_knows_a_stream_whatever_its_type_says(headers, before):
    """A proxy may drop or change the content type; the stream stays open here, as on 1.14."""
    pieces = (before, *(piece for each in ev.rag_flow() for piece in (each[:3], each[3:])), Hang())

    answer, asked = ask(Reply(pieces, 200, headers))

    assert ("有給休暇は10日です。", 1) == (answer.text, asked)
    assert ContextSource.RETRIEVAL_NODES == answer.contexts.source


def test_asks_a_workflow_by_its_form():
    """The question goes into the form's variable; answer and passages come by config."""
    form = [
        {"select": {"variable": "tier", "options": ["free"], "required": False}},
        {"paragraph": {"variable": "question", "required": True}},
    ]
    outputs = {"text": "10日です。", "chunks": ["年10日とする。"], "x": "y"}

    async def use(app: DifyApp, server: ScriptedDify):
        return await app.ask(question(inputs={"tier": "free"})), server.asked("/workflows/run")[0].json

    answer, body = with_app(
        lambda s: s.app("workflow", form=form).on(
            "POST", "/workflows/run", stream_reply(ev.started(), ev.finished(outputs))
        ),
        use,
        answer="outputs.text",
        contexts="outputs.chunks",
    )

    assert {"tier": "free", "question": "有休は何日ですか。"} == body["inputs"]
    assert "query" not in body
    assert ("10日です。", ContextSource.WORKFLOW_OUTPUT) == (answer.text, answer.contexts.source)


def ask_workflow(*outputs: dict[str, object], questions: int, **app: object):
    """Ask that often at once; the runs' outputs in the order of asking, the last one for ever."""

    async def use(dify: DifyApp, server: ScriptedDify):
        asked = (dify.ask(question(str(n))) for n in range(questions))
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        return outcomes, len(server.asked("/workflows/run"))

    said = [event("text_chunk", **ev.FLOW, data={"text": "10日"})] if app else []
    replies = [stream_reply(ev.started(), *said, Pause(0.02), ev.finished(each)) for each in outputs]
    return with_app(lambda s: s.app("workflow").on("POST", "/workflows/run", *replies), use, **app)


@pytest.mark.parametrize("app", [{}, {"answer": "outputs.txt"}], ids=["two texts", "no such output"])
def test_stops_where_no_output_is_surely_the_answer(app):
    """The cure is one line of config: the other questions are not asked and paid for."""
    outcomes, asked = ask_workflow({"a": "x", "b": "y"}, questions=20, **app)

    assert ({AppMisconfigured}, 1) == ({type(outcome) for outcome in outcomes}, asked)
    assert "outputs.a, outputs.b" in str(outcomes[0])
    assert "app.answer" in outcomes[0].in_language("ja")


def test_a_branch_without_the_answers_output_is_one_cases_trouble():
    """Other answers were found where the config says."""
    outcomes, asked = ask_workflow(
        {"text": "10日"}, {"a": "x", "b": "y"}, {"text": "10日"}, questions=6, answer="outputs.text"
    )

    failed = [outcome for outcome in outcomes if not isinstance(outcome, Answer)]
    assert ([Cause.APP_EMPTY_ANSWER], 6) == ([error.cause for error in failed], asked)


@pytest.mark.parametrize("outputs", [{}, {"text": None, "a": "x"}, {"text": " ", "a": "x"}])
def test_a_workflow_that_said_nothing_gave_an_empty_answer(outputs):
    """The output is there, or nothing at all is: no fault of `app.answer`."""
    (error,), _ = ask_workflow(outputs, questions=1, answer="outputs.text")

    assert Cause.APP_EMPTY_ANSWER == error.cause


def test_asks_a_completion_app():
    """Its question is an input; it keeps no conversation."""
    form = [{"paragraph": {"variable": "query", "required": True}}]

    async def use(app: DifyApp, server: ScriptedDify):
        answer = await app.ask(question())
        return answer, server.asked("/completion-messages")[0].json, await app.delete("x", user="u")

    reply = stream_reply(ev.says("10日", "です。"), ev.message_end(ev.resource("年10日", "s")))
    answer, body, deleted = with_app(
        lambda s: s.app("completion", form=form).on("POST", "/completion-messages", reply), use
    )

    assert {"query": "有休は何日ですか。"} == body["inputs"]
    assert ("10日です。", ContextSource.RETRIEVER_RESOURCES) == (answer.text, answer.contexts.source)
    assert not deleted


def test_pins_a_published_version():
    """`app.workflow_id`, in the body for a chatflow and in the path for a workflow."""

    async def use(app: DifyApp, server: ScriptedDify):
        await app.ask(question())
        return server.requests[-1]

    flow = with_app(lambda s: s.app().on("POST", CHAT, stream_reply(*ev.rag_flow())), use, workflow_id="w-1")
    workflow = with_app(
        lambda s: s.app("workflow").on(
            "POST", "/workflows/w-1/run", stream_reply(ev.started(), ev.finished({"t": "x"}))
        ),
        use,
        workflow_id="w-1",
    )

    assert "w-1" == flow.json["workflow_id"]
    assert "/v1/workflows/w-1/run" == workflow.path


def test_sends_a_json_input_as_an_object():
    """A spreadsheet holds it as text."""
    form = [{"json_object": {"variable": "meta", "label": "Meta", "required": True}}]

    async def use(app: DifyApp, server: ScriptedDify):
        await app.ask(question(inputs={"meta": '{"部署": ["総務", 1]}'}))
        return server.asked(CHAT)[0].json["inputs"]

    script = lambda s: s.app(form=form).on("POST", CHAT, stream_reply(*ev.rag_flow()))  # noqa: E731

    assert {"meta": {"部署": ["総務", 1]}} == with_app(script, use)


def test_refuses_inputs_that_would_hang_before_anything_is_sent():
    """Found for all questions at once, and again by each question itself."""
    form = [{"text-input": {"variable": "Entity", "required": True}}]

    async def use(app: DifyApp, server: ScriptedDify):
        await app.probe()
        problems = app.problems([question(case_id="7"), question(case_id="8", inputs={"Entity": "本社"})])
        with pytest.raises(AppCouldNotAnswer) as caught:
            await app.ask(question(case_id="7"))
        return [problem.what.en for problem in problems], caught.value.cause, len(server.asked(CHAT))

    assert (["case 7: input “Entity” is required."], Cause.APP_INPUT_REFUSED, 0) == with_app(
        lambda s: s.app(form=form), use
    )


@pytest.mark.parametrize(
    ("reply", "gone"),
    [(Reply(status=204), True), (error_reply(404, "not_found", "Conversation Not Exists."), False)],
)
def test_deletes_a_conversation(reply, gone):
    """With the same user; one that is gone already is no error."""

    async def use(app: DifyApp, server: ScriptedDify):
        return await app.delete("c-1", user="u-1"), server.requests[-1].json

    assert (gone, {"user": "u-1"}) == with_app(lambda s: s.on("DELETE", "/conversations/c-1", reply), use)


def test_strips_reasoning_and_keeps_it_raw():
    """The judge sees what a user reads."""
    answer, _ = ask(stream_reply(*ev.rag_flow("<think>うーん</think>\n10日です。")))

    assert ("10日です。", "<think>うーん</think>\n10日です。") == (answer.text, answer.raw)


def test_keeps_reasoning_that_came_apart_raw_and_judges_the_rest():
    """`reasoning_chunk` (an LLM node with `reasoning_format: separated`): never in the text, kept before it."""
    thought = event(
        "reasoning_chunk", **ev.FLOW, data={"node_id": "n1", "reasoning": "うーん", "is_final": False}
    )
    first, *rest = ev.rag_flow("10日です。")

    answer, _ = ask(stream_reply(first, thought, *rest))

    assert ("10日です。", "<think>\nうーん\n</think>\n10日です。") == (answer.text, answer.raw)
    assert 120 == answer.node_usage[0].usage.prompt_tokens
