"""Whole completions from one model: in a dialect that it takes, within the limits, after the waits that it asks for."""

import asyncio
from dataclasses import dataclass, field
from functools import partial

from ragjudge.errors import JudgeCouldNotScore
from ragjudge.judge.address import Address
from ragjudge.judge.completion import Completion, NotACompletion, completion_of, refusal_in
from ragjudge.judge.dialect import Dialect, Request, body
from ragjudge.judge.door import Door
from ragjudge.judge.limiter import Limiter
from ragjudge.judge.lines import Line
from ragjudge.judge.patience import Passing, Patience
from ragjudge.judge.refusals import Kind, Refusal, Refused, Silent, kind_of
from ragjudge.judge.trouble import (
    as_error,
    distrusted,
    filtered,
    no_completion,
    shortened,
    timed_out,
    truncated,
    unreachable,
)
from ragjudge.results.usage import Usage

_ABOUT_THE_REQUEST = (400, 415, 422)
_IN_FLIGHT_PER_MADE_UP = 4
"""For so many calls in flight one more request is made up: enough for a line never to wait for its next call."""


@dataclass(slots=True)
class Judgement:
    """One judgement under way: the time it has left, its place in the queue, and what it has used so far."""

    patience: Patience
    order: int = 0
    leads: bool = False
    used: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class _Heard:
    completion: Completion
    dialect: Dialect


class Chat:
    """One model behind one door. `dialect` is what it is known to take.

    A call that is refused a parameter tries without it; only where it is answered then, all further calls do.
    """

    def __init__(self, address: Address, *, model: str, concurrency: int) -> None:
        self._model = model
        self._address = address
        self._limiter = Limiter(concurrency + concurrency // _IN_FLIGHT_PER_MADE_UP + 1)
        self._door = Door(address, most_in_flight=concurrency)
        self._heard_from = False
        self.dialect = Dialect()

    async def close(self) -> None:
        await self._door.close()

    async def complete(self, request: Request, judgement: Judgement) -> Completion:
        """A completion that was neither cut nor filtered; a cut one gets one more try with a higher limit.

        What it cost is added to the judgement, whatever comes of it. A call keeps turn and line while it waits to be
        tried again: else all calls of a run would sooner or later wait at a server that allows so many a minute.
        """
        for _ in range(2):
            async with self._limiter.turn(judgement.order, leads=judgement.leads):
                with self._door.line() as line:
                    heard = await judgement.patience.through(partial(self._once, request, judgement, line))
                await asyncio.sleep(
                    0
                )  # whoever waits for the line sends first, before this answer is looked at
            completion = heard.completion
            judgement.used += completion.usage
            if completion.finish == "content_filter" or (completion.refusal and not completion.text):
                raise filtered(shortened(completion.refusal, self._secrets))
            if completion.finish != "length":
                return completion
            if not self._raise_limit(heard.dialect):
                break
        raise truncated()

    def _raise_limit(self, tried: Dialect) -> bool:
        """A higher limit for all further calls; False where there is none. Another call may have raised it before."""
        if tried.most_tokens < self.dialect.most_tokens:
            return True
        higher = self.dialect.with_higher_limit()
        if higher is None:
            return False
        self.dialect = higher
        return True

    async def _once(self, request: Request, judgement: Judgement, line: Line) -> _Heard:
        """One call that was answered."""
        known = tried = self.dialect
        while isinstance(said := await self._said(request, tried, judgement, line), Refusal):
            tried = self._after(said, tried, known)
            known = self.dialect
        self._heard_from = True
        if self.dialect is known:
            self.dialect = tried
        return _Heard(said, tried)

    async def _said(
        self, request: Request, dialect: Dialect, judgement: Judgement, line: Line
    ) -> Completion | Refusal:
        try:
            async with judgement.patience.counted() as begins:
                wanted = body(request, dialect, self._model)
                answer = await self._door.post("/chat/completions", wanted, line, begins)
            return refusal_in(answer) or completion_of(answer)
        except Refused as refused:
            return refused.refusal
        except Silent as silent:
            raise self._silence(silent) from None
        except TimeoutError:
            raise timed_out() from None
        except NotACompletion as error:
            raise no_completion(self._address.shown, shortened(str(error), self._secrets)) from None

    def _after(self, refusal: Refusal, tried: Dialect, known: Dialect) -> Dialect:
        """The dialect to try next where the refusal is about it; otherwise raises what the refusal means."""
        kind = kind_of(refusal)
        error = as_error(refusal, model=self._model, address=self._address.shown, secrets=self._secrets)
        if kind in (Kind.PASSING, Kind.RATE_LIMITED):
            raise Passing(error, retry_after=refusal.retry_after)
        if kind not in (Kind.OTHER, Kind.NO_ROOM) or refusal.status not in _ABOUT_THE_REQUEST:
            raise error
        if self.dialect is not known:
            return self.dialect  # another call has learned something meanwhile
        if kind is Kind.NO_ROOM:
            other = tried.with_less_room()
        else:
            other = tried.without_what_was_refused(param=refusal.param, message=refusal.message)
            if other is None and not self._heard_from:
                other = tried.plainer()
        if other is None:
            raise error
        return other

    def _silence(self, silent: Silent) -> Exception:
        said = shortened(str(silent), self._secrets)
        if silent.distrusted:
            return distrusted(self._address.shown, said)
        return Passing(unreachable(self._address.shown, said))

    @property
    def _secrets(self) -> tuple[str, ...]:
        return (self._address.api_key.get_secret_value(),)


def with_spent(error: JudgeCouldNotScore, used: Usage) -> JudgeCouldNotScore:
    """The same error, knowing what was paid in vain."""
    error.spent = {
        "calls": used.calls,
        "prompt_tokens": used.prompt_tokens,
        "completion_tokens": used.completion_tokens,
        "cached_tokens": used.cached_tokens,
    }
    return error
