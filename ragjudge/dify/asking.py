"""One question, from the queue to its answer: tries, waits, deadlines, and what to do after a cut.

Sent again only while nothing came: a chat request costs money. After a cut the finished answer is fetched; else the
question is asked once more in a new conversation, and counted.
"""

import asyncio
from dataclasses import dataclass, replace

from ragjudge.dify import words
from ragjudge.dify.answering import Circumstances, answer_of
from ragjudge.dify.ending import Kind
from ragjudge.dify.line import Line
from ragjudge.dify.listening import Heard, Listener, Refused, Request, Silence
from ragjudge.dify.recovery import Recovery
from ragjudge.dify.redaction import said
from ragjudge.dify.seeking import with_passages
from ragjudge.dify.sse import StreamUnreadable
from ragjudge.dify.transport import BodyUnreadable, NoReply
from ragjudge.dify.verdicts import Verdict, failure, judge
from ragjudge.dify.waiting import backoff, room_backoff
from ragjudge.errors import AppCouldNotAnswer, AppMisconfigured, RagjudgeError
from ragjudge.results.answer import Answer
from ragjudge.results.outcome import Cause

_STOP_S = 3.0
_CERTAIN = 6
"""Refusals in a row by a limit of one, after which it is clear that no streaming call will ever pass."""
_GAVE_UP = (408, 504, 524)
"""A proxy's time limit: the app goes on working on the question, and would be paid for once more."""


@dataclass(frozen=True, slots=True)
class _Again:
    """Nothing came; the request may be sent again after a wait."""

    verdict: Verdict
    retry_after_s: float | None = None


class Asking:
    """One question. The time for it runs only while it is being worked on, not while it queues for a slot."""

    def __init__(self, line: Line, request: Request) -> None:
        self._line = line
        self._request = request
        self._left = line.limits.timeout_s
        self._room_left = line.limits.timeout_s
        self._latency = 0.0
        self._asks = 1
        self._conversation: str | None = request.conversation_id or None

    async def answer(self) -> Answer:
        try:
            heard = await self._heard()
            if heard.ending.kind is Kind.CUT:
                heard = await self._after_cut(heard)
            answer = self._answered(heard)
            return await with_passages(answer, heard.ending, self._line, self._request)
        except RagjudgeError as error:
            if isinstance(error, AppCouldNotAnswer):
                error.conversation_id, error.asks = self._conversation, self._asks
            raise self._line.met(error) from error.__cause__

    def _answered(self, heard: Heard) -> Answer:
        line = self._line
        around = Circumstances(
            profile=line.profile,
            secret=line.secret,
            latency_s=self._latency,
            asks=self._asks,
            version=heard.version,
            understood=line.understood,
        )
        answer = answer_of(heard.ending, around)
        line.answered()
        return answer

    async def _heard(self) -> Heard:
        """Send until something comes."""
        failures = refusals = 0
        while True:
            async with self._line.limiter.slot() as level:
                self._line.check()
                outcome = await self._tried()
            if isinstance(outcome, Heard):
                self._conversation = outcome.ending.ids.conversation or self._conversation
                if outcome.ending.kind is Kind.ANSWERED:
                    self._line.limiter.answered(self._latency, level)
                return outcome
            if outcome.verdict.throttled:
                refusals += 1
                await self._wait_for_room(outcome, refusals)
            else:
                failures += 1
                await self._wait(outcome, failures)

    async def _tried(self) -> Heard | _Again:
        line = self._line
        listener = Listener(line.transport, line.reading, line.limits, line.spoke)
        began = line.clock.monotonic()
        try:
            async with asyncio.timeout(self._left):
                return await listener.listen(self._request)
        except TimeoutError:
            if (heard := listener.complete) is not None:
                return heard
            await self._stop(listener.task_id)
            raise self._too_slow() from None
        except Refused as refused:
            return self._refused(refused)
        except NoReply as error:
            if self._request.is_blocking and error.reached and not error.trust:
                raise _blocking_cut(said(str(error), secret=line.secret)) from error
            return _Again(_unreachable(error, line.secret))
        except Silence as error:
            line.limiter.refused()
            raise failure(
                words.SILENT, AppCouldNotAnswer, said=str(error), cause=Cause.APP_TIMEOUT, passing=True
            ) from error
        except (StreamUnreadable, BodyUnreadable) as error:
            raise failure(
                words.UNREADABLE, AppCouldNotAnswer, said=said(str(error), secret=line.secret)
            ) from error
        finally:
            self._latency = line.clock.monotonic() - began
            self._spend(self._latency)

    def _refused(self, refused: Refused) -> _Again:
        if self._request.is_blocking and refused.refusal.status in _GAVE_UP:
            raise _blocking_cut(f"HTTP {refused.refusal.status}")
        verdict = judge(refused.refusal, secret=self._line.secret)
        if verdict.throttled:
            self._line.limiter.refused(allowed=verdict.allowed)
        if not verdict.again:
            raise verdict.error
        return _Again(verdict, refused.refusal.retry_after_s)

    def _too_slow(self) -> RagjudgeError:
        self._line.limiter.refused()
        limit = f"{self._line.limits.timeout_s:g} s"
        return failure(words.TOO_SLOW, AppCouldNotAnswer, said=limit, cause=Cause.APP_TIMEOUT, passing=True)

    async def _wait(self, outcome: _Again, failures: int) -> None:
        """Wait before another try, on the question's own time; give up when tries or time are used up."""
        line = self._line
        seconds = self._pause(outcome, failures)
        if failures >= line.limits.tries or seconds >= self._left:
            raise outcome.verdict.error
        await line.clock.sleep(seconds)
        self._spend(seconds)

    async def _wait_for_room(self, outcome: _Again, refusals: int) -> None:
        """The app takes no more at once: this is queueing, so it does not count against the question's time."""
        line = self._line
        hopeless = (
            outcome.verdict.allowed == 1
            and refusals >= _CERTAIN
            and line.profile.streams_through_worker
            and not self._request.is_blocking
        )
        if hopeless:
            raise failure(words.ONE_AT_A_TIME, AppMisconfigured, said="max 1")
        asked_for = outcome.retry_after_s
        seconds = (
            room_backoff(refusals, chance=line.chance()) if asked_for is None else self._capped(asked_for)
        )
        if seconds >= self._room_left:
            raise outcome.verdict.error
        self._room_left -= seconds
        await line.clock.sleep(seconds)

    def _pause(self, outcome: _Again, failures: int) -> float:
        if outcome.retry_after_s is not None:
            return self._capped(outcome.retry_after_s)
        return backoff(failures, chance=self._line.chance())

    def _capped(self, seconds: float) -> float:
        return min(seconds, self._line.limits.longest_wait_s)

    def _spend(self, seconds: float) -> None:
        self._left = max(0.0, self._left - seconds)

    async def _after_cut(self, cut: Heard) -> Heard:
        line = self._line
        began = line.clock.monotonic()
        recovery = Recovery(line.transport, line.reading, line.clock, lambda: self._left)
        ending = await recovery.recover(self._request, cut.ending)
        seconds = line.clock.monotonic() - began
        self._spend(seconds)
        self._latency += seconds
        if ending is not None:
            return replace(cut, ending=ending)
        if self._request.conversation_id or self._asks > 1 or self._left <= 0:
            raise failure(
                words.STREAM_CUT,
                AppCouldNotAnswer,
                said=said(cut.cut_by, secret=line.secret),
                cause=Cause.APP_STREAM_CUT,
                passing=True,
            )
        line.abandon(cut.ending.ids.conversation, self._request.user)
        self._asks += 1
        heard = await self._heard()
        return await self._after_cut(heard) if heard.ending.kind is Kind.CUT else heard

    async def _stop(self, task_id: str) -> None:
        """Free the server's slot: a run that nobody waits for would hold it for minutes."""
        if not task_id:
            return
        line = self._line
        endpoint = line.profile.stop_endpoint(task_id)
        try:
            async with asyncio.timeout(_STOP_S):
                await line.transport.call("POST", endpoint, body={"user": self._request.user})
        except (NoReply, BodyUnreadable, TimeoutError):
            return


def _blocking_cut(quoted: str) -> RagjudgeError:
    return failure(
        words.BLOCKING_CUT, AppCouldNotAnswer, said=quoted, cause=Cause.APP_STREAM_CUT, passing=True
    )


def _unreachable(error: NoReply, secret: str) -> Verdict:
    quoted = said(str(error), secret=secret)
    if error.trust:
        raise failure(words.UNTRUSTED, AppMisconfigured, said=quoted)
    spoken = failure(
        words.UNREACHABLE, AppCouldNotAnswer, said=quoted, cause=Cause.APP_UNREACHABLE, passing=True
    )
    return Verdict(spoken, again=True)
