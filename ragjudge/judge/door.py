"""The door to the openai package: one client, one POST, and every trouble as one of two exceptions.

The package costs more than a second of CPU to import, so it is imported in a thread and only when a judge or an
embedder is used. Its own retries are off (ours know the deadline) and so are redirects (a key goes to the address
that was configured and to no other). The aiohttp transport is used because the default one costs several times the
CPU at 50 calls in flight; bench/speed measures it.
"""

import asyncio
import ssl
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue

from ragjudge.errors import ConfigFault, Problem
from ragjudge.judge.address import Address
from ragjudge.judge.refusals import Refusal, retry_after
from ragjudge.language import Text

if TYPE_CHECKING:
    import openai

_CONNECT_S = 10.0


class Refused(Exception):
    """The server answered with an error."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class Silent(Exception):
    """No answer came: not reachable, connection lost. The message is for people.

    `distrusted`: the server showed a certificate that nobody here vouches for; waiting will not help.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.distrusted = "CERTIFICATE_VERIFY_FAILED" in why


class Door:
    """One OpenAI-compatible server, opened at the first use."""

    def __init__(self, address: Address, *, most_connections: int) -> None:
        self.address = address
        self._most = most_connections
        self._client: openai.AsyncOpenAI | None = None
        self._opening: asyncio.Task[openai.AsyncOpenAI] | None = None

    async def open(self) -> "openai.AsyncOpenAI":
        """Import the package and make the client, once, in a thread: the event loop goes on meanwhile."""
        if self._client is None:
            if self._opening is None:
                self._opening = asyncio.create_task(asyncio.to_thread(_made, self.address, self._most))
            self._client = await asyncio.shield(self._opening)
        return self._client

    async def post(self, path: str, body: Mapping[str, JsonValue]) -> object:
        """The decoded JSON answer (or text, where the server sends something else). Raises Refused or Silent."""
        client = await self.open()
        import openai

        try:
            answer: object = await client.post(path, cast_to=object, body=body)
        except openai.APIStatusError as error:
            raise Refused(_refusal(error)) from None
        except openai.APIConnectionError as error:
            raise Silent(_reason(error)) from None
        except openai.OpenAIError as error:
            raise Silent(str(error)) from None
        return answer

    async def close(self) -> None:
        if self._opening is None:
            return
        opened = (await asyncio.gather(self._opening, return_exceptions=True))[0]
        if not isinstance(opened, BaseException):
            await opened.close()


def _made(address: Address, most_connections: int) -> "openai.AsyncOpenAI":
    import httpx2
    import openai

    transport = openai.DefaultAioHttpClient(
        timeout=httpx2.Timeout(None, connect=_CONNECT_S),
        limits=httpx2.Limits(max_connections=most_connections, max_keepalive_connections=most_connections),
        follow_redirects=False,
        verify=_trust(address.ca_file) if address.url.startswith("https:") else _nobody(),
    )
    key = address.api_key.get_secret_value() or "no-key"
    if not address.is_azure_resource:
        return openai.AsyncOpenAI(
            base_url=address.url,
            api_key=key,
            max_retries=0,
            default_query=address.query,
            default_headers={} if address.version is None else {"api-key": key},
            http_client=transport,
        )
    return openai.AsyncAzureOpenAI(
        base_url=address.url,
        api_version=address.version,
        api_key=key,
        max_retries=0,
        http_client=transport,
    )


def _nobody() -> ssl.SSLContext:
    """For http: loading the system's authorities takes its time."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _trust(ca_file: str | None) -> ssl.SSLContext:
    """The system's certificate authorities, and the private one where there is one."""
    context = ssl.create_default_context()
    if ca_file is not None:
        try:
            context.load_verify_locations(cafile=Path(ca_file))
        except OSError as error:
            what = Text(
                f"ca_file {ca_file!r} can't be used: {error}",
                f"ca_file {ca_file!r} を使えません: {error}",
            )
            raise ConfigFault([Problem(what)]) from None
    return context


def _refusal(error: "openai.APIStatusError") -> Refusal:
    """What an error answer says: OpenAI's form, its neighbours' forms, or plain text."""
    body = error.body if isinstance(error.body, dict) else {}
    inner = body.get("innererror")
    code = str(body.get("code") or "")
    if isinstance(inner, dict):
        code = f"{code} {inner.get('code') or ''}".strip()
    message = body.get("message") or body.get("detail") or body.get("error") or error.message
    return Refusal(
        status=error.status_code,
        code=code,
        type=str(body.get("type") or ""),
        param=str(body.get("param") or ""),
        message=str(message),
        retry_after=retry_after(error.response.headers),
    )


def _reason(error: "openai.APIConnectionError") -> str:
    """The innermost cause, which names the host or the certificate; the package's own words say neither."""
    cause: BaseException = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    return str(cause) or type(cause).__name__
