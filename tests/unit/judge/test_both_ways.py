"""A call through the openai package and one before it is imported: the same request, the same answer, the same no."""

import asyncio
import json

import pytest
from pydantic import SecretStr

from ragjudge.judge import warming
from ragjudge.judge.address import Address
from ragjudge.judge.door import Door
from ragjudge.judge.refusals import Refused, Silent
from tests.judge_server import Fault, JudgeServer, Raw

BODY = {"model": "judge-1", "messages": [{"role": "user", "content": "有休は何日ですか。"}]}


@pytest.fixture(params=["early", "package"])
def way(request, monkeypatch):
    """By httpx2 alone, or through the package."""
    monkeypatch.setattr(warming, "is_warm", lambda: request.param == "package")
    monkeypatch.setattr(warming, "warm_up", lambda: None)
    return request.param


@pytest.fixture
def server():
    with JudgeServer(lambda _: {"ready": True}) as running:
        yield running


async def call(door, begins=lambda: None):
    with door.line() as line:
        return await door.post("/chat/completions", BODY, line, begins)


def post(url, *, version=None, key="sk-123456", times=1):
    async def story():
        door = Door(Address(url, SecretStr(key), version), most_in_flight=2)
        try:
            return await asyncio.gather(*(call(door) for _ in range(times)))
        finally:
            await door.close()

    return asyncio.run(story())[0]


def refused(url):
    with pytest.raises(Refused) as raised:
        post(url)
    return raised.value.refusal


def test_the_request_is_the_same(server, way):
    """Path, key and body."""
    post(server.url)

    (asked,) = server.asked()
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == "Bearer sk-123456"
    assert asked.body == BODY
    assert asked.headers["user-agent"].startswith({"early": "ragjudge/", "package": "AsyncOpenAI/"}[way])


def test_a_version_in_the_address_and_the_key_go_where_azure_wants_them(server, way):
    """The newer form, whose paths are OpenAI's: the query, and a header of its own."""
    post(server.url.replace("/v1", "/openai/v1?api-version=preview"))

    (asked,) = server.asked()
    assert (asked.path, asked.query) == ("/openai/v1/chat/completions", {"api-version": "preview"})
    assert asked.headers["api-key"] == "sk-123456"


def test_an_azure_resource_is_always_the_packages_business(server, monkeypatch):
    """Each model has a path of its own there, and the package knows it."""
    monkeypatch.setattr(warming, "is_warm", lambda: False)
    post(server.url.removesuffix("/v1"), version="2024-10-21")

    (asked,) = server.asked()
    assert asked.path == "/openai/deployments/judge-1/chat/completions"


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (
            {"message": "no such model", "code": "model_not_found", "type": "t", "param": "p"},
            "model_not_found",
            "no such",
        ),
        ({"message": "m", "code": "a", "innererror": {"code": "ResponsibleAI"}}, "a ResponsibleAI", "m"),
        ("<html>bad gateway</html>", "", "bad gateway"),
    ],
)
def test_an_error_says_the_same(server, way, error, code, message):
    """OpenAI's form, Azure's, and a gateway's page."""
    server.answer = lambda _: Fault(404, error, {"Retry-After": "7"})

    refusal = refused(server.url)

    assert (refusal.status, refusal.code, refusal.retry_after) == (404, code, 7.0)
    assert message in refusal.message


def test_an_empty_error_has_the_servers_word_for_its_status(server, way):
    """Better than nothing."""
    server.answer = lambda _: Fault(503, "")

    assert "Scripted" == refused(server.url).message


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        (
            {
                "error": {
                    "error": "x",
                    "message": "You exceeded your current quota",
                    "code": "insufficient_quota",
                }
            },
            "insufficient_quota",
            "You exceeded your current quota",
        ),
        ({"error": {"error": None, "message": "m", "code": "c"}}, "c", "m"),
        ({"error": "Bad Request", "message": "unknown parameter", "code": "c"}, "c", "unknown parameter"),
        ({"error": None, "message": "m"}, "", "m"),
        ({"error": "", "detail": "d"}, "", "d"),
        ({"error": "only this"}, "", "only this"),
        ({"detail": [{"loc": ["body"], "msg": "m"}]}, "", "[{'loc': ['body'], 'msg': 'm'}]"),
        ([1], "", "[1]"),
    ],
)
def test_an_errors_form_is_read_whole(server, way, body, code, message):
    """OpenAI's inside of others', and neighbours that say `error` beside the words."""
    server.answer = lambda _: Fault(429, json.dumps(body))

    refusal = refused(server.url)
    assert (refusal.code, refusal.message) == (code, message)


def test_no_redirect_is_followed(server, way):
    """The key goes to the configured address and to no other."""
    with JudgeServer() as elsewhere:
        server.answer = lambda _: Fault(308, "moved", {"Location": f"{elsewhere.url}/chat/completions"})

        assert 308 == refused(server.url).status
        assert 0 == elsewhere.calls


def test_what_is_no_completion_comes_as_it_is(server, way):
    """Whoever asked will not find a completion in it."""
    server.answer = lambda _: Raw({"data": [1]})
    assert {"data": [1]} == post(server.url)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('{"choices": []}', {"choices": []}),
        ("<html>busy</html>", "<html>busy</html>"),
        ("", ""),
        ('{"choices": ', '{"choices": '),
        ("[" * 100_000, "[" * 100_000),
    ],
)
def test_json_is_json_whatever_it_is_called_and_the_rest_is_text(server, way, body, expected):
    """Sent as a page with status 200; some gateways forget to say that it is JSON."""
    server.answer = lambda _: Fault(200, body)

    assert expected == post(server.url)


@pytest.mark.parametrize("head", [b"HTTP/1.1 two hundred\r\n\r\n", b"SSH-2.0-OpenSSH\r\n"])
def test_what_is_no_http_is_silence(way, head):
    """Another kind of server at that port."""

    async def story():
        async def answer(reader, writer):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(head)
            writer.close()

        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        door = Door(Address(f"http://127.0.0.1:{port}/v1", SecretStr("k")), most_in_flight=1)
        try:
            with pytest.raises(Silent):
                await call(door)
        finally:
            await door.close()
            server.close()

    asyncio.run(story())


def test_headers_of_the_environment_are_the_packages_business(server, monkeypatch):
    """Organisation and project decide who pays: no call goes without them."""
    monkeypatch.setattr(warming, "is_warm", lambda: False)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    post(server.url)

    assert "org-1" == server.asked()[0].headers["openai-organization"]


def test_a_hundred_and_more_may_be_in_flight(server, way):
    """As many as were asked for, whatever the library's own limit is."""
    server.delay = 0.4

    async def story():
        door = Door(Address(server.url, SecretStr("k")), most_in_flight=130)
        try:
            await asyncio.gather(*(call(door) for _ in range(130)))
        finally:
            await door.close()

    asyncio.run(story())
    assert server.most_in_flight > 100


def test_a_server_that_is_not_there_is_silent(way):
    """With the innermost reason."""
    with pytest.raises(Silent, match="111"):
        post("http://127.0.0.1:9/v1")


@pytest.mark.parametrize("url", ["http://[bad/v1", "http:///v1", "http://127.0.0.1:99999/v1"])
def test_an_address_that_is_none_is_silent_too(way, url):
    """No crash."""
    with pytest.raises(Silent):
        post(url)


def test_no_more_are_in_flight_than_allowed(server, way):
    """Requests are made up ahead, and wait for a line."""
    server.delay = 0.05
    post(server.url, times=9)

    assert (9, 2) == (server.calls, server.most_in_flight)


def test_a_line_comes_back_from_a_call_that_failed(server, way):
    """Six errors on two lines, and the seventh call is answered."""
    server.answer = lambda asked: Fault(500) if asked.number < 7 else {"ready": True}

    async def story():
        door = Door(Address(server.url, SecretStr("k")), most_in_flight=2)
        try:
            for _ in range(6):
                with pytest.raises(Refused):
                    await call(door)
            return await asyncio.wait_for(call(door), 5)
        finally:
            await door.close()

    assert "choices" in asyncio.run(story())


def test_a_cancelled_call_gives_its_line_back(server, way):
    """In flight, and while it waited."""
    server.answer = lambda asked: Fault(hang=True) if asked.number == 1 else {"ready": True}

    async def story():
        door = Door(Address(server.url, SecretStr("k")), most_in_flight=1)
        try:
            calls = [asyncio.create_task(call(door)) for _ in range(2)]
            while server.calls == 0:
                await asyncio.sleep(0)
            for given_up in calls:
                given_up.cancel()
            await asyncio.gather(*calls, return_exceptions=True)
            return await asyncio.wait_for(call(door), 5)
        finally:
            await door.close()

    assert "choices" in asyncio.run(story())


def test_time_in_the_queue_is_not_the_servers(server, way):
    """`begins` is called when the request leaves, not when it is made up."""
    server.delay = 0.05

    async def story():
        door, begun = Door(Address(server.url, SecretStr("k")), most_in_flight=1), []
        loop = asyncio.get_running_loop()
        try:
            await asyncio.gather(*(call(door, lambda: begun.append(loop.time())) for _ in range(3)))
        finally:
            await door.close()
        return begun

    first, second, third = asyncio.run(story())
    assert second - first > 0.04
    assert third - second > 0.04
