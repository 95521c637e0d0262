"""The door to a judge's server: one POST, and every trouble as one of two exceptions.

Calls go through the openai package. It takes half a second or more to import: that is done in a thread, only when a
judge or an embedder is used, and what is called until then goes by httpx2 alone. The package's own retries are
off (ours know the deadline) and so are redirects (a key goes to the address that was configured and to no other). Its
aiohttp transport is used because the default one costs several times the CPU at 50 calls in flight; bench/speed
measures it.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING

import httpx2
from pydantic import JsonValue

from ragjudge.judge import warming
from ragjudge.judge.address import Address
from ragjudge.judge.early_calls import EarlyCalls
from ragjudge.judge.lines import Line, Lines
from ragjudge.judge.refusals import Refused, Silent, innermost, refusal_of
from ragjudge.judge.trust import trust

if TYPE_CHECKING:
    import openai

_TIMEOUT = httpx2.Timeout(None, connect=10.0)
"""A call's own time is its caller's business."""

_LINE: ContextVar[Line] = ContextVar("judge_line")
"""The line of the call under way: between us and the transport lies the package."""


class Door:
    """One OpenAI-compatible server, opened at the first use; at most so many calls in flight."""

    def __init__(self, address: Address, *, most_in_flight: int) -> None:
        self.address = address
        self._most = most_in_flight
        self._lines = Lines(most_in_flight)
        self._early: EarlyCalls | None = None
        self._opening: asyncio.Task[openai.AsyncOpenAI] | None = None

    async def post(self, path: str, body: Mapping[str, JsonValue], begins: Callable[[], None]) -> object:
        """The decoded JSON answer (or text, where the server sends something else). Raises Refused or Silent.

        `begins` is called when the request leaves: before, it was made up and waited for a free line.
        """
        line = self._lines.line(begins)
        early = not self.address.is_azure_resource and not warming.is_warm()
        try:
            answer = await (self._called_early if early else self._called)(path, body, line)
        finally:
            line.give_back()
        await asyncio.sleep(0)  # whoever waits for the line sends first, before this answer is looked at
        return answer

    async def _called_early(self, path: str, body: Mapping[str, JsonValue], line: Line) -> object:
        if self._early is None:
            self._early = EarlyCalls(self.address, _TIMEOUT)
            loop = asyncio.get_running_loop()
            warming.when_warm(lambda: loop.call_soon_threadsafe(self._open))
        else:
            warming.warm_up()  # where there is a second call there are many
        return await self._early.post(path, body, line)

    async def _called(self, path: str, body: Mapping[str, JsonValue], line: Line) -> object:
        client = await asyncio.shield(self._open())
        import openai

        _LINE.set(line)
        try:
            answer: object = await client.post(path, cast_to=object, body=body)
        except openai.APIStatusError as error:
            said = refusal_of(error.status_code, error.body, error.response.headers, otherwise=error.message)
            raise Refused(said) from None
        except openai.APIConnectionError as error:
            raise Silent(innermost(error)) from None
        except openai.OpenAIError as error:
            raise Silent(str(error)) from None
        return answer

    def _open(self) -> "asyncio.Task[openai.AsyncOpenAI]":
        """Make the client, once, in a thread: the event loop goes on meanwhile."""
        if self._opening is None:
            self._opening = asyncio.create_task(asyncio.to_thread(_made, self.address, self._most))
        return self._opening

    async def close(self) -> None:
        if self._early is not None:
            await self._early.close()
        if self._opening is None:
            return
        opened = (await asyncio.gather(self._opening, return_exceptions=True))[0]
        if not isinstance(opened, BaseException):
            await opened.close()


def _made(address: Address, most_connections: int) -> "openai.AsyncOpenAI":
    import openai

    transport = openai.DefaultAioHttpClient(
        timeout=_TIMEOUT,
        limits=httpx2.Limits(max_connections=most_connections, max_keepalive_connections=most_connections),
        follow_redirects=False,
        event_hooks={"request": [_when_a_line_is_free]},
        verify=trust(address),
    )
    key = address.key
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


async def _when_a_line_is_free(_: "httpx2.Request") -> None:
    await _LINE.get().take()
