"""One request to the app, listened to until its end: the only place that reads an event stream."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

import httpx2

from ragjudge.dify.blocking import as_events
from ragjudge.dify.ending import Ending, Kind, Refusal
from ragjudge.dify.events import PING, read
from ragjudge.dify.fold import Fold, Reading, Stage
from ragjudge.dify.limits import Limits
from ragjudge.dify.sse import SseDecoder, StreamUnreadable
from ragjudge.dify.transport import (
    BodyUnreadable,
    NoReply,
    Reply,
    Transport,
    bounded,
    is_stream,
    reply_of,
    sniffed,
)
from ragjudge.dify.wire import id_of


class Refused(Exception):
    """The server said no before any event."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class Silence(Exception):
    """The server took the question and then said nothing at all."""


@dataclass(frozen=True, slots=True)
class Request:
    """A question in the app's terms."""

    path: str
    body: Mapping[str, object]
    user: str
    conversation_id: str = ""
    query: str = ""

    @property
    def is_blocking(self) -> bool:
        return self.body.get("response_mode") == "blocking"


@dataclass(frozen=True, slots=True)
class Heard:
    """How the request ended, once its first event had come. `cut_by` says what ended a stream too early."""

    ending: Ending
    version: str | None
    cut_by: str = ""


class Listener:
    """`on_spoken` is called once, as soon as the app's model says something."""

    def __init__(
        self,
        transport: Transport,
        reading: Reading,
        limits: Limits,
        on_spoken: Callable[[], None] = lambda: None,
    ) -> None:
        self._transport = transport
        self._reading = reading
        self._limits = limits
        self._on_spoken = on_spoken
        self._fold: Fold | None = None
        self._version: str | None = None

    @property
    def task_id(self) -> str:
        """Of the run that is being listened to, so that it can be stopped."""
        return self._fold.ids.task if self._fold is not None else ""

    @property
    def complete(self) -> Heard | None:
        """The whole answer, where only the second of the two last events was still waited for."""
        if self._fold is None or self._fold.stage is not Stage.ENOUGH:
            return None
        return Heard(self._fold.ending(), self._version)

    async def listen(self, request: Request) -> Heard:
        """Raises Refused, Silence, NoReply (nothing came), or BodyUnreadable and StreamUnreadable."""
        async with self._transport.stream(request.path, request.body) as response:
            version = id_of(response.headers.get("x-version")) or None
            if response.status_code == httpx2.codes.OK and is_stream(response):
                return await self._streamed(bounded(response, self._limits.max_stream_bytes), version)
            streams, chunks = await sniffed(bounded(response, self._limits.max_body_bytes))
            if response.status_code == httpx2.codes.OK and streams:
                return await self._streamed(chunks, version)
            reply = await reply_of(response, chunks)
        return self._at_once(reply)

    def _at_once(self, reply: Reply) -> Heard:
        events = as_events(reply.body) if reply.ok else ()
        if not events:
            raise Refused(reply.refusal())
        fold = Fold(replace(self._reading, streamed=False))
        for event in events:
            fold.feed(event)
        return Heard(fold.ending(), reply.version)

    async def _streamed(self, chunks: AsyncIterator[bytes], version: str | None) -> Heard:
        fold = Fold(self._reading)
        self._fold, self._version = fold, version
        try:
            cut_by = await self._fill(fold, chunks)
        except (BodyUnreadable, StreamUnreadable):
            if (heard := self.complete) is None:
                raise
            return heard
        except NoReply as error:
            if fold.stage is Stage.SILENT:
                raise
            cut_by = str(error)
        if fold.stage is Stage.SILENT:
            raise NoReply("the stream ended before its first event")
        if (refusal := fold.refused_at_once) is not None:
            raise Refused(refusal)
        ending = fold.ending()
        return Heard(ending, version, cut_by if ending.kind is Kind.CUT else "")

    async def _fill(self, fold: Fold, chunks: AsyncIterator[bytes]) -> str:
        """Read until the end, or until silence lasts too long; returns what ended the reading."""
        decoder = SseDecoder(max_event_bytes=self._limits.max_event_bytes)
        now = asyncio.get_running_loop().time
        since = now()
        while fold.stage is not Stage.OVER:
            patience = self._patience(fold.stage)
            try:
                async with asyncio.timeout_at(since + patience):
                    chunk = await anext(chunks, None)
            except TimeoutError:
                if fold.stage is Stage.SILENT:
                    raise Silence(f"{patience:g} s") from None
                return f"silence of {patience:g} s"
            if chunk is None:
                with suppress(
                    StreamUnreadable
                ):  # a gateway may drop the last empty line; a cut leaves half an event
                    _told(fold, decoder, b"\n\n")
                return "end of stream"
            was_enough = fold.stage is Stage.ENOUGH
            if _told(fold, decoder, chunk) or not was_enough:
                since = now()
            if fold.spoken:
                self._on_spoken()
        return ""

    def _patience(self, stage: Stage) -> float:
        if stage is Stage.SILENT:
            return self._limits.first_event_s
        return self._limits.grace_s if stage is Stage.ENOUGH else self._limits.idle_s


def _told(fold: Fold, decoder: SseDecoder, chunk: bytes) -> bool:
    """Feed the fold; whether the bytes are more than pings and comments."""
    told = False
    for sent in decoder.feed(chunk):
        event = read(sent)
        told = told or event.name != PING.name
        if fold.feed(event) is Stage.OVER:
            break
    return told or decoder.in_event
