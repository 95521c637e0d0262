"""The OpenAI-compatible judge on a real socket: parameters, repairs, refusals, waits, limits."""

import asyncio

import pytest
from pydantic import SecretStr

from ragjudge.errors import JudgeCouldNotScore, JudgeMisconfigured, JudgeOutOfQuota, JudgeUnreachable
from ragjudge.metrics import tasks, verdicts
from ragjudge.metrics.prompting import Prompts
from ragjudge.results.outcome import Cause
from tests.judge_server import Fault, Raw, Say, by_meaning

from .conftest import KEY, one, probe, usefulness

TRUE = {"reason": "r", "useful": True}


def raises(ask, error, story=None, **settings):
    with pytest.raises(error) as raised:
        ask(story or one(), **settings)
    return raised.value


def refusing(word: str, message: str, *, status: int = 400, param: str | None = None):
    """A server that refuses every request whose body has this word as a key (at any depth) or value."""

    def answer(asked):
        if f'"{word}"' in str(asked.body).replace("'", '"'):
            return Fault(
                status, {"message": message, "param": param, "code": None, "type": "invalid_request_error"}
            )
        return by_meaning(asked)

    return answer


def test_it_asks_at_temperature_0_for_a_schema_with_the_reason_first(ask, server):
    """J26: the schema's first property is the reason, so that a model thinks before it decides."""
    reply = ask(one())

    body = server.log[-1].asked.body
    schema = body["response_format"]["json_schema"]
    assert tasks.Usefulness(reason="scripted", useful=True) == reply.value
    assert body["temperature"] == 0
    assert ["reason", "useful"] == list(schema["schema"]["properties"])
    assert schema["strict"] is True
    assert 1 == reply.usage.calls
    assert reply.usage.prompt_tokens > 0


def test_a_bad_reply_is_sent_back_once_with_its_fault(ask, server):
    """The repair request quotes the fault; the note says that it was needed."""
    server.answer = lambda asked: TRUE if asked.asks_again else '{"reason": "r", "useful": "perhaps"}'

    reply = ask(one())

    asked_again = server.log[-1].asked.body["messages"]
    assert ["system", "user", "assistant", "user"] == [message["role"] for message in asked_again]
    assert '"useful" must be true or false, not "perhaps"' in asked_again[-1]["content"]
    assert ("repaired:asked_again",) == reply.notes
    assert 2 == reply.usage.calls


def test_missing_verdicts_are_asked_for_once(ask, server):
    """J10: the task's own check speaks in the repair request."""
    full = [{"index": n, "reason": "r", "supported": True} for n in (1, 2)]
    server.answer = lambda asked: {"verdicts": full if asked.asks_again else full[:1]}
    fields = {"contexts": ["a"], "statements": ["a", "b"]}
    task = Prompts("en").task(tasks.SUPPORT, tasks.Support, fields, sample="1", check=verdicts.support(2))

    reply = ask(one(task))

    assert 2 == len(reply.value.verdicts)
    assert "no verdict for statement 2" in server.log[-1].asked.body["messages"][-1]["content"]


@pytest.mark.parametrize("bad", ["", None, "no JSON", '{"reason": "r"}'])
def test_a_reply_that_stays_unusable_is_not_scored(ask, server, bad):
    """J15: after one repair request the score is not had, and the fault is told."""
    server.answer = lambda _: Say(bad)

    error = raises(ask, JudgeCouldNotScore)

    assert Cause.JUDGE_REPLY_UNUSABLE == error.cause
    assert 2 == server.calls == error.spent["calls"]
    assert error.spent["prompt_tokens"] > 0


def test_a_cut_reply_gets_one_try_with_a_higher_limit(ask, server):
    """J14: the raised limit is remembered for the next calls."""
    server.answer = lambda asked: TRUE if asked.body["max_tokens"] > 5000 else Say('{"reason": "r', "length")

    async def two(judge):
        await judge.ask(usefulness())
        return await judge.ask(usefulness())

    assert ask(two).value.useful
    assert [4096, 16384, 16384] == [exchange.asked.body["max_tokens"] for exchange in server.log]


def test_a_reply_that_stays_cut_is_not_scored(ask, server):
    """J14: "truncated" is a cause of its own."""
    server.answer = lambda _: Say('{"reason": "r', "length")

    assert Cause.JUDGE_REPLY_TRUNCATED == raises(ask, JudgeCouldNotScore).cause
    assert 2 == server.calls


def test_a_refused_temperature_is_dropped_once_and_noted(ask, server):
    """P1: a reasoning model takes no temperature; the report says that the judge is not at 0."""
    server.answer = refusing(
        "temperature", "Unsupported value: 'temperature' does not support 0", param="temperature"
    )

    async def two(judge):
        await judge.ask(usefulness())
        return await judge.ask(usefulness()), judge.identity

    reply, identity = ask(two)

    assert ("judge_not_at_temperature_0",) == reply.notes
    assert "default" == identity.parameters["temperature"]
    assert [400, 200, 200] == [exchange.status for exchange in server.log]


@pytest.mark.parametrize(
    "message",
    [
        "Prompt rejected by the policy engine: it mentions temperature readings",
        "Invalid content in system message: blocked term",
        "failed to parse the tool schema for this prompt",
        "max_tokens of this user are used up",
    ],
)
def test_a_refusal_of_one_case_teaches_nothing_for_the_others(ask, server, message):
    """What did not help the refused call is not taken away from the rest, nor does the judge's identity change."""
    server.answer = lambda asked: (
        Fault(400, {"message": message}) if "体温" in asked.user else by_meaning(asked)
    )

    async def three(judge):
        await judge.probe()
        before, _ = judge.identity, await judge.ask(usefulness())
        refused = await asyncio.gather(judge.ask(usefulness("体温は36度。")), return_exceptions=True)
        return before, refused, await judge.ask(usefulness()), judge.identity

    before, (error,), last, after = ask(three)

    assert Cause.JUDGE_ERROR == error.cause
    assert (before, ()) == (after, last.notes)
    body = server.log[-1].asked.body
    assert (0, 4096, "json_schema") == (
        body["temperature"],
        body["max_tokens"],
        body["response_format"]["type"],
    )


def test_of_several_parameters_the_refused_one_goes_and_not_those_that_are_allowed(ask, server):
    """A refusal may list what it would take."""
    message = "Unknown parameter 'response_format'. Allowed parameters: messages, model, temperature, max_tokens, top_p"
    server.answer = refusing("response_format", message)

    reply = ask(one())

    body = server.log[-1].asked.body
    assert (0, 4096) == (body["temperature"], body["max_tokens"])
    assert () == reply.notes
    assert 3 == server.calls


def test_the_other_name_of_the_output_limit_is_learned(ask, server):
    """Newer models know max_completion_tokens only."""
    message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    server.answer = refusing("max_tokens", message, param="max_tokens")

    ask(one())

    assert "max_completion_tokens" in server.log[-1].asked.body
    assert 2 == server.calls


def test_without_schemas_it_asks_for_a_json_object_and_then_in_words(ask, server):
    """The ladder: JSON schema, JSON object, plain prompt; the schema stands in the prompt then."""
    server.answer = refusing("response_format", "response_format is not supported by this model")

    reply = ask(one())

    asked = server.log[-1].asked
    assert reply.value.useful
    assert "response_format" not in asked.body
    assert "JSON Schema" in asked.body["messages"][0]["content"]
    assert 3 == server.calls


def test_a_model_without_a_system_role_gets_one_message(ask, server):
    """Some models refuse the system role."""
    server.answer = refusing("system", "System role not supported")

    ask(one())

    assert ["user"] == [message["role"] for message in server.log[-1].asked.body["messages"]]


def test_a_content_filter_skips_the_case(ask, server):
    """P4: no retry, not taken for a rate limit."""
    inner = {"code": "ResponsibleAIPolicyViolation"}
    server.answer = lambda _: Fault(
        400, {"message": "filtered", "code": "content_filter", "innererror": inner}
    )

    assert Cause.JUDGE_CONTENT_FILTER == raises(ask, JudgeCouldNotScore).cause
    assert 1 == server.calls


@pytest.mark.parametrize("say", [Say("", "content_filter"), Say(None, "stop", "I can't help with that.")])
def test_a_filtered_or_refused_completion_skips_the_case(ask, server, say):
    """P5: the same, where the server says it in a completion."""
    server.answer = lambda _: say

    assert Cause.JUDGE_CONTENT_FILTER == raises(ask, JudgeCouldNotScore).cause
    assert 1 == server.calls


def test_material_that_is_too_long_is_told_apart(ask, server):
    """Context overflow is a cause of its own, so that contexts can be cut."""
    server.answer = lambda _: Fault(
        400,
        {"message": "This model's maximum context length is 8192 tokens.", "code": "context_length_exceeded"},
    )

    assert Cause.JUDGE_CONTEXT_TOO_LONG == raises(ask, JudgeCouldNotScore).cause


_NO_ROOM = [
    "maximum context length is {window} tokens. You requested {total} ({prompt} in the messages, {room} in the completion)",
    "'max_tokens' is too large: {room}. This model's maximum context length is {window} and you have {prompt} input tokens",
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= {window}. Given: {prompt} `inputs` tokens",
    "input length and `max_tokens` exceed context limit: {prompt} + {room} > {window}",
]


def windowed(window: int, message: str = _NO_ROOM[0]):
    """A server with a small context window; a character is a token."""

    def answer(asked):
        prompt, room = len(asked.prompt), asked.body.get("max_tokens", 0)
        if prompt + room > window:
            told = message.format(window=window, total=prompt + room, prompt=prompt, room=room)
            return Fault(400, {"message": told, "type": "BadRequestError", "code": 400})
        return TRUE if "useful" in asked.properties else {"ready": True}

    return answer


@pytest.mark.parametrize("message", _NO_ROOM)
def test_where_the_reply_has_no_room_its_limit_is_lowered_first(ask, server, message):
    """A model with a window of 4096 tokens can judge: neither the model is wrong nor the material too long."""
    server.answer = windowed(4096, message)

    async def three(judge):
        await judge.probe()
        first = await judge.ask(usefulness())
        longer = await judge.ask(usefulness("長い。" * 300))
        return first, longer

    first, longer = ask(three)

    assert (True, True) == (first.value.useful, longer.value.useful)
    assert [4096, 2048] == [asked.body["max_tokens"] for asked in server.asked()][:2]


def test_material_that_leaves_no_room_for_any_reply_is_too_long(ask, server):
    """Then contexts are cut; the limit of the other calls stays as it is."""
    server.answer = windowed(8192)

    async def two(judge):
        (error,) = await asyncio.gather(judge.ask(usefulness("長い。" * 3000)), return_exceptions=True)
        return error, await judge.ask(usefulness())

    error, reply = ask(two)

    assert (Cause.JUDGE_CONTEXT_TOO_LONG, True) == (error.cause, reply.value.useful)
    assert 4096 == server.log[-1].asked.body["max_tokens"]


def test_a_reply_that_was_cut_at_a_lowered_limit_gets_all_the_room_there_is(ask, server):
    """Lowered for a long case, raised again for a long reply."""
    small = windowed(8192)

    def answer(asked):
        reply = small(asked)
        cut = not isinstance(reply, Fault) and asked.body["max_tokens"] < 3000 and "短い" in asked.user
        return Say('{"reason": "r', "length") if cut else reply

    server.answer = answer

    async def two(judge):
        await judge.ask(usefulness("長い。" * 900))
        return await judge.ask(usefulness("短い。"))

    assert ask(two).value.useful


@pytest.mark.parametrize(
    "fault",
    [
        Fault(404, {"message": "The model `judge-1` does not exist", "code": "model_not_found"}),
        Fault(410, {"message": "The model has been retired", "code": "ModelDeprecated"}),
    ],
)
def test_a_retired_model_stops_the_run_and_says_what_to_do(ask, server, fault):
    """P6: not a regression but a configuration to mend: name another model, renew the baseline."""
    server.answer = lambda _: fault

    error = raises(ask, JudgeMisconfigured)

    assert "judge-1" in str(error)
    assert "baseline update" in error.hint.en
    assert 1 == server.calls


def test_an_exhausted_quota_stops_the_run_at_once(ask, server):
    """P8: money is not a rate limit."""
    server.answer = lambda _: Fault(
        429, {"message": "You exceeded your current quota", "code": "insufficient_quota"}
    )

    raises(ask, JudgeOutOfQuota)

    assert 1 == server.calls


def test_a_wrong_key_is_found_by_the_probe_and_never_shown(ask, server):
    """One sentence, one call, and no key in it."""
    server.answer = lambda _: Fault(
        401, {"message": f"Incorrect API key provided: {KEY}", "code": "invalid_api_key"}
    )

    error = raises(ask, JudgeMisconfigured, probe)

    assert KEY not in str(error) + error.in_language("ja")
    assert 1 == server.calls


def test_a_server_that_is_not_there_is_unreachable_at_the_probe(ask, server, clock):
    """Exit 3, after a few tries."""
    error = raises(ask, JudgeUnreachable, probe, base_url="http://127.0.0.1:9/v1")

    assert "127.0.0.1:9" in str(error)
    assert sum(clock.slept) < 20


def test_a_server_that_goes_away_in_the_run_costs_one_score(ask, server):
    """The engine decides how many such scores are an outage."""
    error = raises(ask, JudgeCouldNotScore, base_url="http://127.0.0.1:9/v1", timeout_s=5)

    assert Cause.JUDGE_UNREACHABLE == error.cause
    assert error.passing


def test_an_address_that_serves_a_web_page_is_a_configuration_to_mend(ask, server):
    """A portal answers 200 with HTML; that is no judge."""
    server.answer = lambda _: Fault(200, "<html>Welcome</html>")

    assert "does not answer like" in str(raises(ask, JudgeMisconfigured, probe))


@pytest.mark.parametrize(
    ("fault", "waits"),
    [
        (Fault(429, {"message": "slow down"}, {"Retry-After": "7"}), (7.0, 7.7)),
        (Fault(503, {"message": "busy"}, {"Retry-After": "0.503"}), (0.503, 0.56)),
        (Fault(500, {"message": "oops"}), (0.25, 0.5)),
        (Fault(cut=True), (0.25, 0.5)),
        (
            Fault(
                429,
                {"message": "later"},
                {"Date": "Mon, 01 Jan 2024 00:00:00 GMT", "Retry-After": "Mon, 01 Jan 2024 00:00:20 GMT"},
            ),
            (20.0, 22.0),
        ),
    ],
)
def test_passing_trouble_is_waited_out_as_the_server_asks(ask, server, clock, fault, waits):
    """N4, N5, N7: a number, a fraction, a date; else our own growing waits."""
    server.answer = lambda asked: fault if asked.number == 1 else TRUE

    assert ask(one()).value.useful
    assert 1 == len(clock.slept)
    assert waits[0] <= clock.slept[0] <= waits[1]


def test_a_rate_limit_for_ever_ends_at_the_deadline(ask, server, clock):
    """P7: that score is not had, within the judge's time and not much sooner."""
    server.answer = lambda _: Fault(429, {"message": "slow down"}, {"Retry-After": "10"})

    error = raises(ask, JudgeCouldNotScore, timeout_s=60)

    assert Cause.JUDGE_RATE_LIMITED == error.cause
    assert 40 < sum(clock.slept) <= 60


def test_a_server_that_never_answers_ends_at_the_deadline(ask, server):
    """N9: a wall-clock deadline per judgement."""
    server.answer = lambda _: Fault(hang=True)

    assert Cause.JUDGE_TIMEOUT == raises(ask, JudgeCouldNotScore, timeout_s=0.2).cause


def test_no_more_calls_than_allowed_are_in_flight_and_the_queue_costs_no_time(ask, server):
    """Waiting for a turn is not in a call's deadline."""
    server.delay = 0.1

    async def many(judge):
        return await asyncio.gather(*(judge.ask(usefulness()) for _ in range(36)))

    assert 36 == len(ask(many, concurrency=2, timeout_s=1.5))
    assert 2 == server.most_in_flight


def test_a_key_follows_no_redirect(ask, server):
    """The key goes to the configured address and to no other."""
    server.answer = lambda _: Fault(
        307, {"message": "moved"}, {"Location": "http://127.0.0.1:9/v1/chat/completions"}
    )

    raises(ask, JudgeMisconfigured, probe)

    assert 1 == server.calls


def test_a_server_without_a_key_is_fine(ask, server):
    """Local servers need none."""
    assert ask(one(), api_key=SecretStr("")).value.useful


def test_azure_asks_the_deployment_with_its_api_version(ask, server):
    """The deployment stands in the path, the key in its own header."""
    ask(one(), base_url=server.url.removesuffix("/v1"), api_version="2024-10-21")

    asked = server.log[-1].asked
    assert "/openai/deployments/judge-1/chat/completions" == asked.path
    assert {"api-version": "2024-10-21"} == asked.query
    assert KEY == asked.headers["api-key"]


PORTAL = "?api-version=2024-10-21"


@pytest.mark.parametrize(
    ("copied", "version", "path", "query"),
    [
        ("/", "v", "/openai/deployments/judge-1", "v"),
        ("/openai/", "v", "/openai/deployments/judge-1", "v"),
        ("/openai/deployments/d", "v", "/openai/deployments/d", "v"),
        ("/openai/deployments/d/chat/completions", "v", "/openai/deployments/d", "v"),
        (f"/openai/deployments/d/chat/completions{PORTAL}", None, "/openai/deployments/d", "2024-10-21"),
        (f"/openai/deployments/d/chat/completions{PORTAL}", "v", "/openai/deployments/d", "v"),
        (f"/openai/responses{PORTAL}", None, "/openai/deployments/judge-1", "2024-10-21"),
        ("/openai/v1", "2024-10-21", "/openai/v1", None),
        ("/openai/v1/chat/completions", "preview", "/openai/v1", "preview"),
        (f"/models/chat/completions{PORTAL}", None, "/models", "2024-10-21"),
    ],
)
def test_an_azure_address_is_taken_as_the_portal_gives_it(ask, server, copied, version, path, query):
    """A resource, a deployment's target, or the newer address: the call goes where it says."""
    ask(one(), base_url=server.url.removesuffix("/v1") + copied, api_version=version)

    asked = server.log[-1].asked
    assert f"{path}/chat/completions" == asked.path
    assert query == asked.query.get("api-version")
    assert KEY == asked.headers["api-key"]


@pytest.mark.parametrize("copied", ["/openai/v1", "/v1/chat/completions/"])
def test_without_a_version_a_key_goes_as_everywhere(ask, server, copied):
    """Azure's newer address is an ordinary one."""
    ask(one(), base_url=server.url.removesuffix("/v1") + copied)

    asked = server.log[-1].asked
    assert f"{copied.removesuffix('/chat/completions/')}/chat/completions" == asked.path
    assert (f"Bearer {KEY}", {}) == (asked.headers["authorization"], asked.query)
    assert "api-key" not in asked.headers


def test_the_probe_makes_one_call_and_fixes_the_identity(ask, server):
    """What the probe learned is known before the first score."""
    server.answer = refusing("temperature", "temperature is not supported", param="temperature")

    judge = ask(probe)

    assert "default" == judge.identity.parameters["temperature"]
    assert 2 == server.calls


def test_no_model_named_is_said_before_any_call(ask, server):
    """There is no default model: models are retired."""
    assert "judge.model" in str(raises(ask, JudgeMisconfigured, probe, model=None))
    assert 0 == server.calls


@pytest.mark.parametrize(
    ("error", "becomes"),
    [
        ({"code": 429, "message": "slow down"}, None),
        ({"code": 402, "message": "no credit"}, JudgeOutOfQuota),
        ({"code": "content_filter", "message": "no"}, None),
        (
            {"code": 400, "message": "This endpoint's maximum context length is 4096 tokens"},
            Cause.JUDGE_CONTEXT_TOO_LONG,
        ),
    ],
)
def test_an_error_inside_an_answer_of_status_200_is_an_error(ask, server, error, becomes):
    """Gateways report their providers' refusals so."""
    server.answer = lambda asked: Raw({"error": error}) if asked.number == 1 else TRUE

    if becomes is None:
        assert ask(one()).value.useful
    elif isinstance(becomes, Cause):
        assert becomes == raises(ask, JudgeCouldNotScore).cause
    else:
        raises(ask, becomes)


def test_a_server_that_allows_few_calls_a_minute_gets_no_storm(ask, server, clock):
    """Whoever waits keeps the turn: no more calls are refused than are allowed in flight."""
    refused = []

    def limited(asked):
        if clock.now < 30:
            refused.append(asked)
            return Fault(429, {"message": "slow down"}, {"Retry-After": "30"})
        return TRUE

    server.answer = limited

    async def many(judge):
        return await asyncio.gather(*(judge.ask(usefulness()) for _ in range(20)))

    assert 20 == len(ask(many, concurrency=2))
    assert 2 >= len(refused)
