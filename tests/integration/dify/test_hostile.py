"""Servers that hang, lie or attack: a typed error for that case in bounded time, and the others go on."""

import asyncio
import shutil
import ssl
import subprocess
import tracemalloc
import zlib

import pytest
from pydantic import SecretStr

from ragjudge.dify.client import DifyApp
from ragjudge.dify.limits import Limits
from ragjudge.errors import AppCouldNotAnswer, AppMisconfigured, AppUnreachable
from ragjudge.results.answer import Answer
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
    json_reply,
    stream_reply,
)


def bomb(mebibytes: int) -> bytes:
    """A small gzip body that stands for a large event."""
    packer = zlib.compressobj(level=1, wbits=31)
    packed = [packer.compress(b"data: "), *(packer.compress(b"x" * (1 << 20)) for _ in range(mebibytes))]
    return b"".join([*packed, packer.flush()])


def test_one_question_that_hangs_does_not_hold_up_the_others():
    """The server accepts it and never sends a byte: its own deadline, and every other answer."""

    def reply(request):
        return Reply((Hang(),)) if request.json["query"] == "3" else stream_reply(*ev.rag_flow())

    async def use(app: DifyApp, server: ScriptedDify):
        return await asyncio.gather(*(app.ask(question(str(n))) for n in range(10)), return_exceptions=True)

    outcomes = with_app(lambda s: s.app().on("POST", CHAT, reply), use, timeout_s=0.6)

    assert [3] == [n for n, outcome in enumerate(outcomes) if not isinstance(outcome, Answer)]
    assert Cause.APP_TIMEOUT == outcomes[3].cause


def test_a_stream_that_drips_for_ever_ends_at_the_deadline():
    """A byte now and then keeps no question alive beyond its time."""
    drips = [piece for _ in range(100) for piece in (b":", Pause(0.03))]

    async def use(app: DifyApp, server: ScriptedDify):
        return await app.ask(question())

    error = with_app(
        lambda s: s.app().on("POST", CHAT, stream_reply(ev.started(), *drips)), use, timeout_s=0.5
    )

    assert Cause.APP_TIMEOUT == error.cause


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(json_reply({"unexpected": True}), id="some other JSON"),
        pytest.param(json_reply([1, 2]), id="a JSON list"),
        pytest.param(Reply((b"%PDF-1.7",), headers={"Content-Type": "application/pdf"}), id="a PDF"),
        pytest.param(Reply((), headers={"Content-Type": "text/event-stream"}, status=204), id="204"),
        pytest.param(stream_reply(b"\x1f\x8b broken", Content_Encoding="gzip"), id="broken gzip"),
        pytest.param(
            stream_reply(zlib.compress(b"data: {}\n\n"), Content_Encoding="br"), id="an unknown packing"
        ),
        pytest.param(
            stream_reply(b'data: {"event":"message","answer":"' + b"[" * 50_000 + b'"}\n\n', b"data: [\n\n"),
            id="half JSON",
        ),
        pytest.param(stream_reply(b"data: " + b'{"a":' * 20_000 + b"\n\n"), id="nesting"),
        pytest.param(
            stream_reply(b'data: {"event":"message_end","metadata":{"usage":{"prompt_tokens":1e999}}}\n\n'),
            id="infinity",
        ),
    ],
)
def test_nonsense_is_a_typed_error(reply):
    """Nothing that a server can send is a crash, nor an answer."""

    async def use(app: DifyApp, server: ScriptedDify):
        return await app.ask(question())

    error = with_app(lambda s: s.app().on("POST", CHAT, reply), use)

    assert AppCouldNotAnswer is type(error)


def test_a_huge_retry_after_does_not_stop_a_run():
    """Capped at a minute, and beyond the question's time it ends the tries."""

    async def use(app: DifyApp, server: ScriptedDify):
        try:
            return await app.ask(question())
        finally:
            assert max(app._clock.pauses, default=0) <= 60

    for value in ("99999999999", "Fri, 31 Dec 9999 23:59:59 GMT", "1e400"):
        replies = (
            json_reply({"code": "x", "message": "busy"}, 503, Retry_After=value),
            stream_reply(*ev.rag_flow()),
        )
        outcome = with_app(lambda s, r=replies: s.app().on("POST", CHAT, *r), use, timeout_s=200.0)
        assert isinstance(outcome, Answer)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """One for localhost that no public authority vouches for."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed: no certificate can be made")
    folder = tmp_path_factory.mktemp("tls")
    key, cert = folder / "key.pem", folder / "cert.pem"
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    subprocess.run([*command.split(), "-keyout", key, "-out", cert], check=True, capture_output=True)
    return cert, key


def over_tls(certificate, ca_file):
    async def run():
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        async with ScriptedDify(context) as server:
            server.app().on("POST", CHAT, stream_reply(PING, *ev.rag_flow()))
            settings = AppSettings(base_url=server.url, api_key=SecretStr(KEY), timeout_s=5)
            app = DifyApp(settings, clock=SkippingClock(), limits=QUICK, ca_file=ca_file)
            try:
                return await app.ask(question()), server.requests
            except AppMisconfigured as error:
                return error, server.requests
            finally:
                await app.close()

    return asyncio.run(run())


def test_names_a_certificate_that_is_not_trusted(certificate):
    """The cure is `ca_file`; nothing was sent, and nothing is tried again."""
    error, requests = over_tls(certificate, None)

    assert "ca_file" in error.in_language("ja")
    assert "self-signed" in str(error)
    assert [] == requests


def test_trusts_the_authority_that_the_config_names(certificate):
    """A private one, beside those of the system."""
    answer, _ = over_tls(certificate, str(certificate[0]))

    assert "有給休暇は10日です。" == answer.text


@pytest.mark.parametrize("content", [None, b"no certificate"])
def test_names_a_certificate_file_that_cannot_be_used(tmp_path, content):
    """Absent, or no PEM: found before anything is sent."""
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_bytes(content)
    settings = AppSettings(base_url="https://localhost/v1", api_key=SecretStr(KEY))

    with pytest.raises(AppMisconfigured, match=r"ca\.pem"):
        DifyApp(settings, clock=SkippingClock(), ca_file=str(path))


def test_a_reset_in_the_middle_of_the_probe_is_tried_again():
    """The two calls of a probe cost nothing."""

    async def use(app: DifyApp, server: ScriptedDify):
        return await app.probe()

    info = json_reply({"name": "x", "mode": "chat"})

    assert "x" == with_app(lambda s: s.app().on("GET", "/info", Reply((Drop(),)), info), use).name


def _peak(use) -> tuple[object, float]:
    """What `use` returns, and the most memory in MiB that was held meanwhile."""
    tracemalloc.start()
    try:
        return use(), tracemalloc.get_traced_memory()[1] / (1 << 20)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("pieces", "headers"),
    [
        pytest.param((b'data: {"answer": "', *[b"x" * (1 << 20)] * 100), {}, id="an event of 100 MB"),
        pytest.param((bomb(200),), {"Content-Encoding": "gzip"}, id="a gzip bomb of 200 MB"),
        pytest.param(
            (b'{"answer": "', *[b"x" * (1 << 20)] * 100),
            {"Content-Type": "application/json"},
            id="a body of 100 MB",
        ),
    ],
)
def test_memory_stays_bounded_whatever_comes(pieces, headers):
    """With the limits of every run: a typed error for the case, and under 100 MiB held."""

    async def use(app: DifyApp, server: ScriptedDify):
        return await app.ask(question())

    reply = Reply(pieces, headers={"Content-Type": "text/event-stream", **headers})
    error, peak = _peak(
        lambda: with_app(lambda s: s.app().on("POST", CHAT, reply), use, limits=Limits(), timeout_s=30.0)
    )

    assert AppCouldNotAnswer is type(error)
    assert peak < 100


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_question_is_never_sent_on_to_another_host(status):
    """Neither the key nor the question goes along; the run stops and names the other address."""

    async def use():
        async with ScriptedDify() as other, ScriptedDify() as first:
            other.app().on("POST", CHAT, stream_reply(*ev.rag_flow()))
            first.app().on("POST", CHAT, Reply((), status, {"Location": f"{other.url}{CHAT}"}))
            settings = AppSettings(base_url=first.url, api_key=SecretStr(KEY))
            app = DifyApp(settings, clock=SkippingClock(), limits=QUICK)
            try:
                with pytest.raises(AppMisconfigured) as refused:
                    await app.ask(question())
            finally:
                await app.close()
            return refused.value, other.requests, other.url

    error, requests, url = asyncio.run(use())

    assert [] == requests
    assert url in error.what.en
    assert KEY not in str(error)


def test_a_plain_server_behind_an_https_address_is_named():
    """A handshake with something that speaks no TLS: unreachable, not a crash."""

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async def use():
        async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
            url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
            settings = AppSettings(base_url=url, api_key=SecretStr(KEY))
            app = DifyApp(settings, clock=SkippingClock(), limits=QUICK)
            try:
                with pytest.raises(AppUnreachable) as refused:
                    await app.probe()
            finally:
                await app.close()
            return refused.value

    assert "SSL" in asyncio.run(use()).what.en


def test_endless_headers_are_a_typed_error():
    """A megabyte of them."""

    async def use(app: DifyApp, server: ScriptedDify):
        return await app.ask(question())

    reply = Reply((b"{}",), headers={"X-Noise": "x" * (1 << 20)})
    error = with_app(lambda s: s.app().on("POST", CHAT, reply), use)

    assert (AppCouldNotAnswer, Cause.APP_UNREACHABLE) == (type(error), error.cause)
