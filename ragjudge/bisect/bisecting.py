"""One change after the other, as far as the budget reaches and the servers answer."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from ragjudge.bisect import words
from ragjudge.bisect.allotting import allot, asked, cost
from ragjudge.bisect.candidates import Candidate, Candidates
from ragjudge.errors import DslFault, RagjudgeError
from ragjudge.language import Text
from ragjudge.results.attribution import Alone, Attribution
from ragjudge.results.run import CaseResult, RunResult
from ragjudge.results.usage import Usage

MOST_S = 30 * 60.0
"""No further change is begun after this long: a job has an end, and the verdict waits to be told."""


class Tried(NamedTuple):
    """`run` is what was asked and scored; `error` ended it early."""

    alone: Alone
    run: RunResult
    error: RagjudgeError | None = None


Attempt = Callable[[Candidate, tuple[str, ...], Usage], Awaitable[Tried]]
"""Tries one candidate on these cases; `Usage` is what the judge has cost so far. Raises what keeps it from that."""


@dataclass(frozen=True, slots=True)
class Limits:
    """`questions` and `judge_tokens`: of the check and the bisect together (None: no limit).

    `confirm`: fresh answers that a suspect may need.
    """

    questions: int | None = None
    judge_tokens: int | None = None
    confirm: int = 2


class Bisecting:
    """What was found so far, what is left of the budget, and whether to go on."""

    def __init__(
        self,
        run: RunResult,
        limits: Limits,
        attempt: Attempt,
        *,
        monotonic: Callable[[], float],
        note: Callable[[Text], None],
    ) -> None:
        """`run` is the check's; what it has asked and spent counts."""
        self._results: Mapping[str, CaseResult] = {case.case.id: case for case in run.cases}
        self._limits = limits
        self._attempt = attempt
        self._monotonic = monotonic
        self._note = note
        self._end = monotonic() + MOST_S
        self._questions = asked(run)
        self._spent = run.judge_usage
        self._stopped: Text | None = None

    async def each(self, found: Candidates, cases: tuple[str, ...]) -> Attribution:
        """Every change alone, then the base itself where every change breaks a case. `cases`: worst first."""
        questions, tokens = self._questions, self._spent.total_tokens
        able = sum(one.why_not is None for one in found.each)
        results = [self._results[case] for case in cases]
        chosen = allot(results, able, confirm=self._limits.confirm, left=self._left)
        alone: list[Alone] = []
        for number, one in enumerate(found.each, start=1):
            said = words.trying(number, len(found.each))
            alone.append(await self._one(one, chosen, said, one.why_not or self._why_stop(chosen)))
        attribution = Attribution(cases, tuple(alone))
        return replace(
            attribution,
            unchanged=await self._unchanged(found.base, attribution),
            questions=self._questions - questions,
            judge_tokens=self._spent.total_tokens - tokens,
        )

    async def _one(
        self, candidate: Candidate, cases: tuple[str, ...], said: Text, why_not: Text | None
    ) -> Alone:
        not_tried = Alone(candidate.name, candidate.changes, why_not=why_not)
        if why_not is not None:
            return not_tried
        self._note(said)
        try:
            tried = await self._attempt(candidate, cases, self._spent)
        except DslFault as fault:
            return replace(not_tried, why_not=words.cannot(fault))
        except asyncio.CancelledError:
            # It ends the bisect, not the check: the verdict is known, and what was asked for it is paid.
            if task := asyncio.current_task():
                task.uncancel()
            self._stopped = words.INTERRUPTED
            return replace(not_tried, why_not=words.INTERRUPTED)
        except (RagjudgeError, TimeoutError) as trouble:
            self._stopped = words.stopped(trouble)
            return replace(not_tried, why_not=words.cannot(trouble))
        return self._counted(tried)

    def _counted(self, tried: Tried) -> Alone:
        self._questions += asked(tried.run)
        self._spent = tried.run.judge_usage
        if tried.error is not None:
            self._stopped = words.stopped(tried.error)
            return replace(tried.alone, why_not=words.cannot(tried.error))
        return tried.alone if tried.alone.tried else replace(tried.alone, why_not=words.NO_SCORE)

    async def _unchanged(self, base: Candidate, found: Attribution) -> Alone | None:
        """What is broken by every change may be broken without any by now."""
        cases = found.by_every
        if len(found.alone) < 2 or not cases or self._why_stop(cases) is not None:
            return None
        return await self._one(base, cases, words.TRYING_BASE, None)

    def _why_stop(self, cases: tuple[str, ...]) -> Text | None:
        if self._stopped is not None:
            return self._stopped
        price = cost([self._results[case] for case in cases], self._limits.confirm)
        if self._left is not None and price > self._left:
            return words.OVER_QUESTIONS
        limit = self._limits.judge_tokens
        if limit is not None and self._spent.total_tokens >= limit:
            return words.OVER_TOKENS
        return words.OVER_TIME if self._monotonic() >= self._end else None

    @property
    def _left(self) -> int | None:
        limit = self._limits.questions
        return None if limit is None else max(0, limit - self._questions)
