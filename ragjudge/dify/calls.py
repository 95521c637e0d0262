"""Calls that are no questions: who are you, what did you say, forget it, here is a file. They may be repeated."""

from collections.abc import Awaitable, Callable, Mapping

from ragjudge.dify import words
from ragjudge.dify.limits import Limits
from ragjudge.dify.redaction import page_title, said
from ragjudge.dify.transport import BodyUnreadable, NoReply, Reply, Transport, Upload
from ragjudge.dify.verdicts import failure, for_all, judge, quoted
from ragjudge.dify.waiting import backoff
from ragjudge.errors import AppMisconfigured, AppUnreachable, RagjudgeError
from ragjudge.ports import Clock

_TRIES = 3
_NOT_HERE = (404, 405, 410)


class Caller:
    """One service API, called with patience. Every trouble is an error of the tree for the whole app."""

    def __init__(
        self, transport: Transport, *, limits: Limits, clock: Clock, chance: Callable[[], float], secret: str
    ) -> None:
        self._transport = transport
        self._limits = limits
        self._clock = clock
        self._chance = chance
        self._secret = secret

    async def told(
        self, path: str, params: Mapping[str, str] | None = None, *, always_there: bool = False
    ) -> Reply:
        """GET a JSON object. Raises where the server says no.

        `always_there`: every Dify API has this path, so that a 404 of another form than Dify's own is a gateway's.
        """
        reply = await self.call("GET", path, params=params)
        if always_there and reply.status in _NOT_HERE and not reply.is_difys_no:
            raise failure(words.NO_SUCH_API, AppMisconfigured, said=quoted(reply.refusal(), self._secret))
        self.check(reply)
        if not reply.body:
            title = said(page_title(reply.text), secret=self._secret)
            raise failure(words.NO_SUCH_API, AppMisconfigured, said=title)
        return reply

    def check(self, reply: Reply) -> None:
        if not reply.ok:
            raise for_all(judge(reply.refusal(), secret=self._secret).error)

    async def call(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        body: Mapping[str, object] | None = None,
    ) -> Reply:
        """The server's reply, whatever it says; three tries for what may pass."""
        return await self._patiently(lambda: self._transport.call(method, path, params=params, body=body))

    async def upload(self, file: Upload) -> Reply:
        return await self._patiently(lambda: self._transport.upload(file))

    async def _patiently(self, send: Callable[[], Awaitable[Reply]]) -> Reply:
        tries = 1
        while True:
            pause = backoff(tries, chance=self._chance())
            try:
                reply = await send()
            except NoReply as error:
                if error.trust or tries == _TRIES:
                    raise self._unreachable(error) from error
            except BodyUnreadable as error:
                shown = said(str(error), secret=self._secret)
                raise failure(words.UNREADABLE, AppUnreachable, said=shown) from error
            else:
                if tries == _TRIES or (reply.status < 500 and reply.status != 429):
                    return reply
                asked_for = reply.refusal().retry_after_s
                pause = pause if asked_for is None else min(asked_for, self._limits.longest_wait_s)
            await self._clock.sleep(pause)
            tries += 1

    def _unreachable(self, error: NoReply) -> RagjudgeError:
        shown = said(str(error), secret=self._secret)
        if error.trust:
            return failure(words.UNTRUSTED, AppMisconfigured, said=shown)
        return failure(words.UNREACHABLE, AppUnreachable, said=shown)
