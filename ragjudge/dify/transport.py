"""The one door to httpx2: requests with bounds, and every way of getting no reply named.

Redirects are never followed, so that the key goes to the configured address and nowhere else.
"""

import asyncio
import json
import ssl
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import httpx2

from ragjudge.dify import words
from ragjudge.dify.ending import Refusal
from ragjudge.dify.limits import Limits
from ragjudge.dify.verdicts import failure
from ragjudge.dify.waiting import retry_after
from ragjudge.dify.wire import clean, count_of, mapping_of, text_of
from ragjudge.errors import AppMisconfigured
from ragjudge.proxies import require_usable

Json = Mapping[str, object]
_NO_ROUTE = "The requested URL was not found"
"""Dify's framework, at an address that is a Dify but not its service API."""
_TELLING, _ENOUGH = 9, 100
"""Bytes at the beginning of a body that tell what it is (a byte order mark included), and with blanks before them."""


class NoReply(Exception):
    """No complete HTTP reply came. `trust` tells a certificate that could not be verified.

    `reached`: a connection stood, so that the server may be working on the request.
    """

    def __init__(self, detail: str, *, trust: bool = False, reached: bool = True) -> None:
        super().__init__(detail)
        self.trust = trust
        self.reached = reached


class BodyUnreadable(Exception):
    """A body beyond its bound, or packed in a way that is not read."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file on its way to `/files/upload`."""

    path: Path
    user: str
    media_type: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole reply: `body` is the JSON object, {} for anything else."""

    status: int
    headers: Mapping[str, str]
    text: str
    body: Json = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_page(self) -> bool:
        return "html" in self.headers.get("content-type", "") or self.text.lstrip()[:15].lower().startswith(
            ("<!doctype", "<html")
        )

    @property
    def is_difys_no(self) -> bool:
        """In the form of each of Dify's own errors, `{code, message, status}`, and no path that it has not."""
        in_form = text_of(self.body.get("code")) and count_of(self.body.get("status")) == self.status
        return bool(in_form) and not text_of(self.body.get("message")).startswith(_NO_ROUTE)

    @property
    def version(self) -> str | None:
        return clean(self.headers.get("x-version", ""))[:40] or None

    def refusal(self) -> Refusal:
        """The no in this reply, whatever its form."""
        message = text_of(self.body.get("message"))
        if isinstance(errors := self.body.get("errors"), dict):
            message += "".join(f"; {name}: {text}" for name, text in errors.items())
        if 300 <= self.status < 400:
            message = self.headers.get("location", "")
        return Refusal(
            status=self.status,
            code=text_of(self.body.get("code")),
            message=message or self.text,
            is_page=self.is_page and not self.body,
            retry_after_s=retry_after(self.headers.get("retry-after"), now=datetime.now(UTC)),
        )


class Transport:
    """HTTP to one service API. `base_url` ends in `/v1`."""

    def __init__(self, base_url: str, key: str, *, limits: Limits, ca_file: str | None = None) -> None:
        self._base = base_url
        self._limits = limits
        require_usable()
        self._client = httpx2.AsyncClient(
            headers={
                "Authorization": f"Bearer {key}",
                "User-Agent": "ragjudge",
                "Accept-Encoding": "identity",
            },
            timeout=httpx2.Timeout(limits.timeout_s, connect=limits.connect_s),
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=20),
            verify=trust(ca_file) if base_url.startswith("https:") else trusting_nobody(),
            follow_redirects=False,
        )

    async def call(
        self, method: str, path: str, *, params: Mapping[str, str] | None = None, body: Json | None = None
    ) -> Reply:
        """One request, its whole reply. Raises NoReply or BodyUnreadable."""
        request = self._client.build_request(method, self._base + path, params=params, json=body)
        return await self._whole(request)

    async def upload(self, upload: Upload) -> Reply:
        with upload.path.open("rb") as file:
            request = self._client.build_request(
                "POST",
                f"{self._base}/files/upload",
                data={"user": upload.user},
                files={"file": (upload.path.name, file.read(), upload.media_type)},
            )
        return await self._whole(request)

    async def _whole(self, request: httpx2.Request) -> Reply:
        seconds = self._limits.call_s
        try:
            async with asyncio.timeout(seconds), self._opened(request) as response:
                return await read_whole(response, self._limits.max_body_bytes)
        except TimeoutError:
            raise NoReply(f"no whole reply within {seconds:g} s") from None

    @asynccontextmanager
    async def stream(self, path: str, body: Json) -> AsyncIterator[httpx2.Response]:
        request = self._client.build_request(
            "POST", self._base + path, json=body, headers={"Accept": "text/event-stream"}
        )
        async with self._opened(request) as response:
            yield response

    @asynccontextmanager
    async def _opened(self, request: httpx2.Request) -> AsyncIterator[httpx2.Response]:
        with replies():
            response = await self._client.send(request, stream=True)
        try:
            yield response
        finally:
            await response.aclose()

    async def close(self) -> None:
        await self._client.aclose()


def is_stream(response: httpx2.Response) -> bool:
    return "text/event-stream" in response.headers.get("content-type", "").lower()


async def sniffed(chunks: AsyncIterator[bytes]) -> tuple[bool, AsyncIterator[bytes]]:
    """Whether a body is an event stream, whatever its type says or leaves out, and the body."""
    head = b""
    async for chunk in chunks:
        head += chunk
        if len(head.lstrip()) >= _TELLING or len(head) >= _ENOUGH:
            break

    async def whole() -> AsyncIterator[bytes]:
        yield head
        async for chunk in chunks:
            yield chunk

    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"data:", b"event:", b":")), whole()


async def read_whole(response: httpx2.Response, most: int) -> Reply:
    return await reply_of(response, bounded(response, most))


async def reply_of(response: httpx2.Response, chunks: AsyncIterator[bytes]) -> Reply:
    data = b"".join([chunk async for chunk in chunks])
    text = data.decode("utf-8", "replace")
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        body = None
    read = mapping_of(body)
    return Reply(_status(response.status_code, read), dict(response.headers), text, read)


def _status(given: int, body: Json) -> int:
    """A gateway may pass Dify's no (`{code, message, status}`) on with HTTP 200: the body's own status counts."""
    own = count_of(body.get("status"))
    is_no = given == httpx2.codes.OK and text_of(body.get("message")) and 400 <= own < 600
    return own if is_no else given


async def bounded(response: httpx2.Response, most: int) -> AsyncIterator[bytes]:
    """The body's bytes, unpacked, at most so many: a small packed body can stand for gigabytes."""
    unpack = _unpacker(response.headers.get("content-encoding", "identity"))
    left = most
    packed_chunks = response.aiter_raw()
    while True:
        with replies():
            packed = await anext(packed_chunks, None)
        if packed is None:
            return
        chunk = _unpacked(unpack, packed, left + 1) if unpack else packed
        left -= len(chunk)
        if left < 0 or (unpack and unpack.unconsumed_tail):
            raise BodyUnreadable(f"more than {most} bytes")
        if chunk:
            yield chunk


def _unpacker(encoding: str) -> "zlib._Decompress | None":
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return None
    if name in ("gzip", "x-gzip", "deflate"):
        return zlib.decompressobj(wbits=47)
    raise BodyUnreadable(f"content-encoding {name[:20]} is not read")


def _unpacked(unpack: "zlib._Decompress", packed: bytes, most: int) -> bytes:
    try:
        return unpack.decompress(packed, most)
    except zlib.error as error:
        raise BodyUnreadable(f"a broken packed body: {error}") from error


def trusting_nobody() -> ssl.SSLContext:
    """For http: loading the system's authorities takes its time."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def trust(ca_file: str | None) -> ssl.SSLContext:
    """The system's authorities, and the one of the config beside them."""
    context = ssl.create_default_context()
    if ca_file is not None:
        try:
            context.load_verify_locations(ca_file)
        except OSError as error:  # ssl.SSLError is one
            raise failure(words.CA_FILE_UNUSABLE, AppMisconfigured, said=f"{ca_file}: {error}") from error
    return context


@contextmanager
def replies() -> Iterator[None]:
    """Names what went wrong on the way."""
    try:
        yield
    except (
        httpx2.TransportError,
        httpx2.StreamError,
        httpx2.InvalidURL,
        ssl.SSLError,
        ConnectionError,
    ) as error:
        raise _no_reply(error) from error


def _no_reply(error: Exception) -> NoReply:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return NoReply(cause.verify_message, trust=True)
        cause = cause.__cause__ or cause.__context__
    reached = not isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout)
    return NoReply(f"{type(error).__name__}: {error}".rstrip(": "), reached=reached)
