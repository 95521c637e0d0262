"""Run many asks side by side: judging a case starts the moment its answer is in.

The app's and the judge's own limits sit in their adapters; here only the number of cases in work is bounded, so
that memory does not grow with the suite.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ragjudge.engine.ask import Ask, recovered
from ragjudge.engine.conversations import Conversations
from ragjudge.engine.grade import DETAIL_LIMIT, Grader, may_pass
from ragjudge.engine.outage import Outage
from ragjudge.errors import AppCouldNotAnswer, CannotTell, CaseFailure, MustChange, RagjudgeError
from ragjudge.language import Language
from ragjudge.metrics.base import Gradable
from ragjudge.ports import ChatApp, JournalSink, Progress
from ragjudge.results.answer import Answer
from ragjudge.results.outcome import PASSING, Cause, Outcome, Unscored
from ragjudge.results.run import AppFailure, Sample


@dataclass(frozen=True, slots=True)
class Limits:
    """`asking`: most cases that wait for the app; `judging`: most answered cases that wait for the judge."""

    asking: int = 10
    judging: int = 40


@dataclass(frozen=True, slots=True)
class Asked:
    """The samples of a list of asks, in the same order; `stopped` is the error that ended the run early."""

    samples: tuple[Sample, ...]
    stopped: RagjudgeError | None = None


class Finished(NamedTuple):
    ask: Ask
    sample: Sample


class _Work:
    """What a run has so far: finished samples, and answers that are being judged."""

    def __init__(self, asks: Sequence[Ask]) -> None:
        self.asks = asks
        self.done: dict[int, Sample] = {}
        self.answers: dict[int, Answer] = {}

    def samples(self, metrics: Sequence[str]) -> tuple[Sample, ...]:
        """One sample per ask: what a stopped run paid for stays, the rest says that it was not asked."""
        return tuple(self._sample(number, ask, metrics) for number, ask in enumerate(self.asks))

    def _sample(self, number: int, ask: Ask, metrics: Sequence[str]) -> Sample:
        if number in self.done:
            return self.done[number]
        answer = self.answers.get(number)
        if answer is None:
            return Sample(attempt=ask.attempt, failure=AppFailure(cause=Cause.NOT_ASKED, asks=0))
        return Sample(
            attempt=ask.attempt,
            answer=answer,
            scores={name: Unscored(cause=Cause.NOT_ASKED) for name in metrics},
        )


class Engine:
    """Asks and grades. Catches `CaseFailure` only: anything else that is ours ends the run with its own error."""

    def __init__(
        self,
        *,
        app: ChatApp,
        grader: Grader,
        journal: JournalSink,
        progress: Progress,
        limits: Limits,
        outage: Outage,
        language: Language,
        allow: tuple[str, ...] = (),
    ) -> None:
        self._app = app
        self._conversations = Conversations(app)
        self._grader = grader
        self._journal = journal
        self._progress = progress
        self._limits = limits
        self._outage = outage
        self._language = language
        self._allow = allow
        self.finished: list[Finished] = []
        """What is asked and scored so far: for whoever has to tidy up after a run that was cancelled."""
        self.begun: list[Ask] = []

    async def run(self, asks: Sequence[Ask]) -> Asked:
        """Ask and grade all; what could not be had gets one more pass at the end."""
        work = _Work(asks)
        self._progress.started(len(asks))
        stopped = await self._pass(work, range(len(asks)))
        if stopped is None:
            again = [i for i, sample in work.done.items() if _worth_another_try(sample)]
            if again:
                stopped = await self._pass(work, again)
        return Asked(work.samples(self._grader.names), stopped)

    async def _pass(self, work: _Work, numbers: Iterable[int]) -> RagjudgeError | None:
        """Ask the numbered cases; returns the error that ended the pass early, if one did."""
        judging = asyncio.Semaphore(self._limits.judging)
        waiting = iter(numbers)
        stopped: RagjudgeError | None = None

        async def judge(number: int, answer: Answer) -> None:
            try:
                work.done[number] = await self._graded(work, number, answer)
                self.finished.append(Finished(work.asks[number], work.done[number]))
                del work.answers[number]
                self._progress.case_done(work.asks[number].case.id)
            finally:
                judging.release()

        async def worker(group: asyncio.TaskGroup) -> None:
            for number in waiting:
                await judging.acquire()
                answer = await self._answer(work.asks[number], work.done.get(number))
                if isinstance(answer, AppFailure):
                    judging.release()
                    work.done[number] = Sample(attempt=work.asks[number].attempt, failure=answer)
                    self._progress.case_done(work.asks[number].case.id)
                else:
                    work.answers[number] = answer
                    group.create_task(judge(number, answer))

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._limits.asking):
                    group.create_task(worker(group))
        except* (MustChange, CannotTell) as stopping:
            stopped = first_error(stopping)
        return stopped

    async def _answer(self, ask: Ask, before: Sample | None) -> Answer | AppFailure:
        """The answer, from an earlier pass or an earlier process where there is one: it is paid for only once."""
        remembered = self._journal.remembered(ask.case.id, ask.attempt)
        paid = (before.answer if before else None) or remembered.answer
        if paid is not None:
            return paid
        if before is None and remembered.failure is not None:
            return remembered.failure
        answer: Answer | AppFailure
        try:
            self.begun.append(ask)
            found = await recovered(self._app, ask) if remembered.sent and before is None else None
            if found is None:
                self._journal.asking(ask.case.id, ask.attempt)
            answer = found or await self._conversations.answer(ask)
        except CaseFailure as failure:
            self._outage.failure(failure)
            answer = _failed(failure, self._grader.spoken)
        else:
            self._outage.success()
        self._journal.answered(ask.case.id, ask.attempt, answer)
        return answer

    async def _graded(self, work: _Work, number: int, answer: Answer) -> Sample:
        ask, before = work.asks[number], work.done.get(number)
        item = Gradable(
            case=ask.case,
            answer=answer,
            language=self._language,
            allow=self._allow,
            sample=ask.attempt,
        )
        known = dict(self._journal.remembered(ask.case.id, ask.attempt).scores)
        if before is not None:
            known = {n: o for n, o in before.scores.items() if not may_pass(o)}
        scores = await self._grader.grade(item, known, order=number, fresh=ask.fresh)
        if before is not None:
            scores = {n: o if n in known else _with_spent(o, before.scores.get(n)) for n, o in scores.items()}
        return Sample(attempt=ask.attempt, answer=answer, scores=scores)


def _with_spent(outcome: Outcome, before: Outcome | None) -> Outcome:
    """What the first pass paid in vain belongs to the score as well."""
    if before is None:
        return outcome
    return outcome.model_copy(update={"usage": before.usage + outcome.usage})


def _worth_another_try(sample: Sample) -> bool:
    if sample.failure is not None:
        return sample.failure.cause in PASSING
    return any(may_pass(outcome) for outcome in sample.scores.values())


def first_error(group: BaseExceptionGroup[RagjudgeError]) -> RagjudgeError:
    """The one error to tell: what the user must change before what may pass by itself."""
    errors = list(_leaves(group))
    return next((e for e in errors if isinstance(e, MustChange)), errors[0])


def _leaves(group: BaseExceptionGroup[RagjudgeError]) -> Iterator[RagjudgeError]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error


def _failed(failure: CaseFailure, spoken: Language) -> AppFailure:
    app = failure if isinstance(failure, AppCouldNotAnswer) else None
    return AppFailure(
        cause=Cause(failure.cause),
        detail=failure.what.in_language(spoken)[:DETAIL_LIMIT],
        conversation_id=app.conversation_id if app else None,
        asks=app.asks if app else 1,
    )
