"""A scripted Dify on loopback: it says byte for byte what a test told it, cuts, hangs and stalls included.

It shares no code with the client and none with the demo app.
"""

import asyncio
import json
import ssl
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Pause:
    seconds: float


class Drop:
    """Reset the connection."""


class Hang:
    """Say nothing more until the client leaves."""


Piece = bytes | Pause | Drop | Hang


@dataclass(frozen=True)
class Reply:
    pieces: tuple[Piece, ...] = ()
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    raw: bytes

    @property
    def json(self):
        return json.loads(self.raw)


def json_reply(body: object, status: int = 200, **headers: str) -> Reply:
    data = json.dumps(body, ensure_ascii=False).encode()
    return Reply(
        (data,), status, {"Content-Type": "application/json", "X-Version": "1.14.2", **_dashed(headers)}
    )


def error_reply(status: int, code: str, message: str, **headers: str) -> Reply:
    return json_reply({"code": code, "message": message, "status": status}, status, **headers)


def page_reply(status: int, title: str, **headers: str) -> Reply:
    html = f"<!doctype html>\n<html><title>{title}</title><h1>{title}</h1></html>".encode()
    return Reply((html,), status, {"Content-Type": "text/html; charset=utf-8", **_dashed(headers)})


def event(name: str, **body: object) -> bytes:
    return b"data: " + json.dumps({"event": name, **body}, ensure_ascii=False).encode() + b"\n\n"


PING = b"event: ping\n\n"


def stream_reply(*pieces: Piece, **headers: str) -> Reply:
    return Reply(
        tuple(pieces),
        headers={
            "Content-Type": "text/event-stream; charset=utf-8",
            "X-Version": "1.14.2",
            **_dashed(headers),
        },
    )


def _dashed(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


Script = Reply | Callable[[Request], Reply]


class ScriptedDify:
    """`on` scripts one endpoint: its replies in order, the last one for ever."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self.requests: list[Request] = []
        self._scripts: dict[tuple[str, str], deque[Script]] = {}
        self._server: asyncio.Server | None = None
        self._open: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    def on(self, method: str, path: str, *replies: Script) -> "ScriptedDify":
        self._scripts[(method, f"/v1{path}")] = deque(replies)
        return self

    def app(
        self, mode: str = "advanced-chat", *, form: Iterable[object] = (), **parameters: object
    ) -> "ScriptedDify":
        """Script the two calls of a probe."""
        self.on("GET", "/info", json_reply({"name": "社内FAQ", "description": "", "tags": [], "mode": mode}))
        body = {"user_input_form": list(form), "retriever_resource": {"enabled": True}, **parameters}
        return self.on("GET", "/parameters", json_reply(body))

    def asked(self, path: str) -> list[Request]:
        return [r for r in self.requests if r.path == f"/v1{path}"]

    @property
    def url(self) -> str:
        assert self._server is not None
        scheme, host = ("https", "localhost") if self._tls else ("http", "127.0.0.1")
        return f"{scheme}://{host}:{self._server.sockets[0].getsockname()[1]}/v1"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        serving = dict(self._open)
        for task, writer in serving.items():
            writer.transport.abort()
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open[task] = writer
        try:
            request = await _read(reader)
            self.requests.append(request)
            await self._say(writer, reader, self._reply(request))
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            del self._open[task]
            writer.close()

    def _reply(self, request: Request) -> Reply:
        scripts = self._scripts.get((request.method, request.path))
        if not scripts:
            return page_reply(404, "404 Not Found")
        script = scripts[0] if len(scripts) == 1 else scripts.popleft()
        return script(request) if callable(script) else script

    async def _say(self, writer: asyncio.StreamWriter, reader: asyncio.StreamReader, reply: Reply) -> None:
        if reply.pieces and isinstance(reply.pieces[0], Drop):
            writer.transport.abort()
            return
        head = "".join(f"{name}: {value}\r\n" for name, value in reply.headers.items())
        writer.write(
            f"HTTP/1.1 {reply.status} X\r\n{head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n".encode()
        )
        for piece in reply.pieces:
            if isinstance(piece, bytes):
                if piece:
                    writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                    await writer.drain()
            elif isinstance(piece, Pause):
                await asyncio.sleep(piece.seconds)
            elif isinstance(piece, Drop):
                writer.transport.abort()
                return
            else:
                await reader.read()
                return
        writer.write(b"0\r\n\r\n")
        await writer.drain()


async def _read(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    method, target, _ = first.split(" ")
    headers = {k.lower(): v.strip() for k, v in (line.split(":", 1) for line in lines if line)}
    raw = await reader.readexactly(int(headers.get("content-length", "0")))
    parts = urlsplit(target)
    return Request(method, parts.path, parse_qs(parts.query), headers, raw)


class RealClock:
    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class SkippingClock:
    """Sleeping takes no time but counts; real seconds count as well, so that deadlines still hold."""

    def __init__(self) -> None:
        self._slept = 0.0
        self.pauses: list[float] = []

    def monotonic(self) -> float:
        return time.monotonic() + self._slept

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self._slept += seconds
        await asyncio.sleep(0)
