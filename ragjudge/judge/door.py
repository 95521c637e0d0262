"""The door to a judge's server: one POST, and every trouble as one of two exceptions.

Calls go through the openai package. It takes half a second or more to import: that is done in a thread, only when a
judge or an embedder is used, and what is called until then goes by httpx2 alone. The package's own retries are
off (ours know the deadline) and so are redirects (a key goes to the address that was configured and to no other). Its
aiohttp transport is used because the default one costs several times the CPU at 50 calls in flight; bench/speed
measures it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING

import httpx2
from pydantic import JsonValue

from ragjudge.judge import early_calls, warming
from ragjudge.judge.address import Address
from ragjudge.judge.answers import content_of
from ragjudge.judge.early_calls import EarlyCalls
from ragjudge.judge.lines import Line, Lines
from ragjudge.judge.refusals import Silent, innermost
from ragjudge.judge.trust import trust

if TYPE_CHECKING:
    import openai

_TIMEOUT = httpx2.Timeout(None, connect=10.0)
"""A call's own time is its caller's business."""

Ready = Callable[[], Awaitable[None]]
_READY: ContextVar[Ready] = ContextVar("judge_call_ready")
"""What the call under way waits for before it is sent: between us and the transport lies the package."""


class Door:
    """One OpenAI-compatible server, opened at the first use; at most so many calls in flight."""

    def __init__(self, address: Address, *, most_in_flight: int) -> None:
        self.address = address
        self._limits = httpx2.Limits(max_connections=most_in_flight, max_keepalive_connections=most_in_flight)
        self._lines = Lines(most_in_flight)
        self._early: EarlyCalls | None = None
        self._opening: asyncio.Task[openai.AsyncOpenAI] | None = None

    def line(self) -> AbstractContextManager[Line]:
        """The line of one call, kept over all its tries."""
        return self._lines.line()

    async def post(
        self, path: str, body: Mapping[str, JsonValue], line: Line, begins: Callable[[], None]
    ) -> object:
        """The decoded JSON answer (or text, where the server sends something else). Raises Refused or Silent.

        `begins` is called when the request leaves: before, it was made up and waited for a free line.
        """
        early = not warming.is_warm() and early_calls.are_possible(self.address)
        call = self._called_early if early else self._called
        return content_of(await call(path, body, partial(line.take, begins)))

    async def _called_early(self, path: str, body: Mapping[str, JsonValue], ready: Ready) -> httpx2.Response:
        if self._early is None:
            client = httpx2.AsyncClient(
                timeout=_TIMEOUT, limits=self._limits, follow_redirects=False, verify=trust(self.address)
            )
            self._early = EarlyCalls(self.address, client)
            loop = asyncio.get_running_loop()
            warming.when_warm(lambda: loop.call_soon_threadsafe(self._open))
        else:
            warming.warm_up()  # where there is a second call there are many
        await ready()
        return await self._early.post(path, body)

    async def _called(self, path: str, body: Mapping[str, JsonValue], ready: Ready) -> httpx2.Response:
        client = await asyncio.shield(self._open())
        import aiohttp
        import openai

        _READY.set(ready)
        try:
            return await client.post(path, cast_to=httpx2.Response, body=body)
        except openai.APIStatusError as error:
            return error.response
        except (openai.OpenAIError, httpx2.InvalidURL, aiohttp.ClientError, ValueError) as error:
            raise Silent(innermost(error)) from None

    def _open(self) -> "asyncio.Task[openai.AsyncOpenAI]":
        """Make the client, once, in a thread: the event loop goes on meanwhile."""
        if self._opening is None:
            self._opening = asyncio.create_task(asyncio.to_thread(_made, self.address, self._limits))
        return self._opening

    async def close(self) -> None:
        if self._early is not None:
            await self._early.close()
        if self._opening is None:
            return
        opened = (await asyncio.gather(self._opening, return_exceptions=True))[0]
        if not isinstance(opened, BaseException):
            await opened.close()


def _made(address: Address, limits: httpx2.Limits) -> "openai.AsyncOpenAI":
    import openai

    transport = openai.DefaultAioHttpClient(
        timeout=_TIMEOUT,
        limits=limits,
        follow_redirects=False,
        event_hooks={"request": [_when_a_line_is_free]},
        verify=trust(address),
    )
    if not address.is_azure_resource:
        return openai.AsyncOpenAI(
            base_url=address.url,
            api_key=address.key,
            max_retries=0,
            default_query=address.query,
            default_headers=address.headers,
            http_client=transport,
        )
    return openai.AsyncAzureOpenAI(
        base_url=address.url,
        api_version=address.version,
        api_key=address.key,
        max_retries=0,
        http_client=transport,
    )


async def _when_a_line_is_free(_: httpx2.Request) -> None:
    await _READY.get()()
