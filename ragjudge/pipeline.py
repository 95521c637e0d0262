"""THE STORY of a check, in order: probe → ask and score → compare → confirm → decide → tidy up.

Loading comes before (cli, action, wiring), telling comes after (report, publish). Nothing here knows a concrete app,
judge or store.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from ragjudge import __version__
from ragjudge.compare import rejudge
from ragjudge.compare.decision import CaseStatus, Decision
from ragjudge.compare.gate import decide
from ragjudge.compare.next_step import NextStep, next_step
from ragjudge.compare.policy import GatePolicy, policy_from
from ragjudge.engine.again import judge_again
from ragjudge.engine.ask import Ask, user_of
from ragjudge.engine.cleanup import Cleaned, forget_users
from ragjudge.engine.engine import Engine, Limits, first_error
from ragjudge.engine.grade import Grader
from ragjudge.engine.metering import MeteredJudge, Purse
from ragjudge.engine.outage import app_outage, judge_outage
from ragjudge.errors import CannotTell, MustChange, RagjudgeError, SuiteFault
from ragjudge.language import Language, Text
from ragjudge.metric_specs import NEEDS_IMPROVEMENT
from ragjudge.metrics import pairwise, suggest
from ragjudge.metrics.base import Gradable, Metric
from ragjudge.metrics.prompting import Prompts
from ragjudge.ports import AppQuestion, ChatApp, Embedder, JournalSink, Judge, Progress
from ragjudge.results.baseline import Baseline
from ragjudge.results.fingerprint import Fingerprint
from ragjudge.results.outcome import Cause, Scored
from ragjudge.results.run import AppIdentity, CaseResult, RunResult, Sample, SuiteIdentity
from ragjudge.results.usage import Usage
from ragjudge.settings import Settings
from ragjudge.suite.case import Case, Suite
from ragjudge.suite.loading import capped, place_of
from ragjudge.suite.templates import render_inputs

HURRY_S = 5.0
"""GitHub kills a cancelled step after 7.5 s."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The real things a run works with; wiring chooses them."""

    app: ChatApp
    judge: Judge
    embedder: Embedder
    metrics: tuple[Metric, ...]
    journal: JournalSink
    progress: Progress


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done. `language` is the judge's; `commit` is recorded with the results."""

    settings: Settings
    suite: Suite
    run_id: str
    language: Language
    repeats: int
    now: Callable[[], datetime]
    commit: str | None = None
    left_out: tuple[str, ...] = ()
    """Cases of the suite that are not to be asked, for the record."""
    change: str = ""
    """What changed in the app, in words, for whoever proposes improvements."""
    answers_before: bool = True
    """The baseline holds its answers, so that today's can be judged beside them."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A run's record, and the error that ended it early where one did."""

    run: RunResult
    error: RagjudgeError | None = None
    cleaned: Cleaned | None = None


class JudgedAgain(NamedTuple):
    """What to compare with, and the error that ended the judging early where one did."""

    before: RunResult
    error: RagjudgeError | None = None


class Advised(NamedTuple):
    """A run with what the proposals cost, and the proposals."""

    ran: Ran
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    run: RunResult
    before: RunResult | None
    decision: Decision
    error: RagjudgeError | None = None
    cleaned: Cleaned | None = None
    suggestions: tuple[str, ...] = ()
    """The judge model's proposals, where `report.suggest` asks for them."""


async def check(parts: Parts, job: Job, stored: Baseline | None, policy: GatePolicy) -> Checked:
    """The whole job up to the decision; every answer and score is in the journal by then."""
    started = _Run(parts, job)
    before = stored.run if stored else None
    try:
        ran = await started.whole_suite()
        if ran.error is None and stored is not None:
            before, error = await started.judged_again(stored, ran.run, policy)
            ran = replace(ran, error=error)
        if ran.error is None:
            ran = await started.confirmed(ran.run, before, policy)
        decision = decide(before, ran.run, policy, today=job.now().date())
        ran = await started.paired(ran, before)
        ran, suggestions = await started.advised(ran, decision)
        cleaned = await _tidy(parts.app, job, ran.run, decision)
    except asyncio.CancelledError:
        await started.tidied_in_a_hurry()
        raise
    finally:
        await _close(parts)
    return Checked(ran.run, before, decision, ran.error, cleaned, suggestions)


async def run(parts: Parts, job: Job) -> Ran:
    """Ask and score only; the conversations of cases that nobody will want to open are deleted all the same."""
    started = _Run(parts, job)
    try:
        ran = await started.whole_suite()
        alone = decide(None, ran.run, policy_from(job.settings), today=job.now().date())
        return Ran(ran.run, ran.error, await _tidy(parts.app, job, ran.run, alone))
    except asyncio.CancelledError:
        await started.tidied_in_a_hurry()
        raise
    finally:
        await _close(parts)


class _Run:
    """One run in the making: the engine and what has been paid so far."""

    def __init__(self, parts: Parts, job: Job) -> None:
        self._parts = parts
        self._job = job
        self._purse = Purse(job.settings.budget.judge_tokens, spent=parts.journal.spent)
        self._grader = Grader(
            judge=parts.judge,
            embedder=parts.embedder,
            metrics=parts.metrics,
            journal=parts.journal,
            purse=self._purse,
            outage=judge_outage(),
            spoken=job.settings.report.language,
        )
        self._engine = Engine(
            app=parts.app,
            grader=self._grader,
            journal=parts.journal,
            progress=parts.progress,
            limits=Limits(
                asking=job.settings.app.concurrency, judging=max(20, 2 * job.settings.judge.concurrency)
            ),
            outage=app_outage(),
            language=job.language,
            allow=job.settings.judge.allow,
        )

    async def whole_suite(self) -> Ran:
        """Probe, then ask every case `repeats` times."""
        started_at = self._job.now()
        # Earlier turns come last: the whole conversation has been asked by then, and they wait for nothing.
        cases = sorted((c for c in self._job.suite.cases if c.skip is None), key=lambda c: c.is_earlier_turn)
        asks = [self._ask(case, str(n)) for n in range(1, self._job.repeats + 1) for case in cases]
        identity = await self._probed(asks)
        asked = await self._engine.run(asks)
        samples = _by_case(asks, asked.samples)
        record = RunResult(
            tool_version=__version__,
            run_id=self._job.run_id,
            started_at=started_at,
            finished_at=self._job.now(),
            suite=SuiteIdentity(name=self._job.suite.name, digest=self._job.suite.digest),
            app=identity,
            fingerprint=self._fingerprint(),
            metrics=tuple(m.spec.name for m in self._parts.metrics),
            repeats=self._job.repeats,
            cases=tuple(
                CaseResult(case=case, samples=samples.get(case.id, ())) for case in self._job.suite.cases
            ),
            app_usage=_app_usage(asked.samples),
            judge_usage=self._purse.spent,
            left_out=self._job.left_out,
            stopped=self._said(asked.stopped) if asked.stopped else None,
            commit=self._job.commit,
        )
        return Ran(record, asked.stopped)

    def _said(self, error: RagjudgeError) -> str:
        """The error's sentence as the report's readers will find it."""
        return error.what.in_language(self._job.settings.report.language)

    async def confirmed(self, record: RunResult, before: RunResult | None, policy: GatePolicy) -> Ran:
        """Ask suspects again, as long as that can change the verdict."""
        extra = 0
        today = self._job.now().date()
        while step := next_step(before, record, policy, asked_extra=extra, today=today):
            fresh = self._job.run_id if step.decides_cases else ""
            asks = [self._ask(_case(record, case_id), attempt, fresh) for case_id, attempt in step.asks]
            asked = await self._engine.run(asks)
            extra += len(asks)
            record = self._joined(record, step, asks, asked.samples)
            if asked.stopped is not None:
                return Ran(record.model_copy(update={"stopped": self._said(asked.stopped)}), asked.stopped)
        return Ran(record)

    async def judged_again(self, stored: Baseline, record: RunResult, policy: GatePolicy) -> JudgedAgain:
        """The baseline as today's judge sees it, where its scores are not comparable and its answers are stored."""
        wanted = rejudge.plan(stored, record.fingerprint, [c.case for c in record.cases], policy.specs)
        if not wanted:
            return JudgedAgain(stored.run)
        self._parts.progress.note(_will_judge_again(wanted).in_language(self._job.settings.report.language))
        error: RagjudgeError | None = None
        before = stored.run
        try:
            scores = await judge_again(wanted.items, self._grader, self._parts.journal, self._gradable)
            before = rejudge.rejudged(stored.run, wanted, scores, self._fingerprint())
        except* (MustChange, CannotTell) as stopping:
            error = first_error(stopping)
        return JudgedAgain(before, error)

    def _gradable(self, item: rejudge.Again, name: str) -> Gradable:
        job = self._job
        return Gradable(
            case=item.case,
            answer=item.answer,
            language=job.language,
            allow=job.settings.judge.allow,
            sample=name,
        )

    async def paired(self, ran: Ran, before: RunResult | None) -> Ran:
        """Judge today's answers beside the baseline's where that is wanted. Decides nothing; trouble leaves none."""
        wanted = self._job.settings.metrics.pairwise and self._job.answers_before
        if not wanted or before is None or ran.error is not None:
            return ran
        judge = MeteredJudge(self._parts.judge, self._purse)
        try:
            found = await pairwise.pairs(before, ran.run, judge, Prompts(self._job.language))
        except RagjudgeError as trouble:
            self._parts.progress.note(trouble.in_language(self._job.settings.report.language))
            return ran
        return Ran(ran.run.model_copy(update={"pairs": found, "judge_usage": self._purse.spent}))

    async def advised(self, ran: Ran, decision: Decision) -> Advised:
        """One more call for proposals where they are wanted and something is weak. Its trouble changes nothing."""
        if not self._job.settings.report.suggest or ran.error is not None:
            return Advised(ran)
        judge = MeteredJudge(self._parts.judge, self._purse)
        weak = suggest.weak_cases(ran.run, decision)
        try:
            suggested = await suggest.suggest(weak, self._job.change, judge, Prompts(self._job.language))
        except RagjudgeError as trouble:
            self._parts.progress.note(trouble.in_language(self._job.settings.report.language))
            return Advised(ran)
        record = ran.run.model_copy(update={"judge_usage": self._purse.spent})
        return Advised(Ran(record), suggest.shown(suggested, self._job.settings.report.language))

    async def tidied_in_a_hurry(self) -> None:
        """After a cancel: forget what was scored well, as far as some seconds allow. A resumed run needs none of it."""
        cleanup = self._job.settings.app.cleanup
        if cleanup == "none":
            return
        finished = self._engine.finished
        ended = {(done.ask.case.id, done.ask.attempt) for done in finished}
        wanted = {done.ask.user for done in finished if _is_weak(done.sample)}
        wanted |= {a.user for a in self._engine.begun if (a.case.id, a.attempt) not in ended}
        users = [user for user in dict.fromkeys(done.ask.user for done in finished) if user not in wanted]
        if cleanup == "all":
            users = list(dict.fromkeys(ask.user for ask in self._engine.begun))
        with suppress(TimeoutError):
            async with asyncio.timeout(HURRY_S):
                await forget_users(self._parts.app, users)

    def _ask(self, case: Case, attempt: str, fresh: str = "") -> Ask:
        app = self._job.settings.app
        return Ask(
            case=case,
            attempt=attempt,
            inputs=render_inputs(app.inputs, case),
            user=user_of(app.user, self._job.run_id, _conversation(case), attempt),
            fresh=fresh,
        )

    async def _probed(self, asks: Sequence[Ask]) -> AppIdentity:
        probing_judge = asyncio.create_task(self._parts.judge.probe())
        try:
            identity = await self._parts.app.probe()
        except BaseException:
            probing_judge.cancel()
            await asyncio.gather(probing_judge, return_exceptions=True)
            raise
        await probing_judge
        once = {ask.user: ask for ask in reversed(asks) if ask.attempt == "1"}
        problems = [
            replace(problem, place=problem.place or place_of(ask.case.source))
            for ask in reversed(once.values())
            for problem in self._parts.app.problems([_question(ask)])
        ]
        if problems:
            raise SuiteFault(capped(problems))
        return identity

    def _joined(
        self, record: RunResult, step: NextStep, asks: Sequence[Ask], samples: Sequence[Sample]
    ) -> RunResult:
        fresh = _by_case(asks, samples)
        field = "confirmations" if step.decides_cases else "samples"
        cases = tuple(
            c.model_copy(update={field: (*getattr(c, field), *fresh[c.case.id])}) if c.case.id in fresh else c
            for c in record.cases
        )
        return record.model_copy(
            update={
                "cases": cases,
                "finished_at": self._job.now(),
                "app_usage": record.app_usage + _app_usage(samples),
                "judge_usage": self._purse.spent,
                "fingerprint": self._fingerprint(),
            }
        )

    def _fingerprint(self) -> Fingerprint:
        """Read after the calls: the parameters are those really sent, after any fallback."""
        return Fingerprint(
            judge=self._parts.judge.identity,
            embedder=self._parts.embedder.identity,
            metrics={m.spec.name: m.version for m in self._parts.metrics},
            language=self._job.language,
            mode=self._job.settings.metrics.mode,
        )


def _will_judge_again(wanted: rejudge.RejudgePlan) -> Text:
    answers, scores = len(wanted.items), wanted.scores
    return Text(
        f"Judge, prompts or references changed since the baseline: {answers} of its answers are judged again"
        f" ({scores} scores, no question to the app).",
        f"ベースラインの保存後に評価者・プロンプト・正解が変わったため、保存済みの回答{answers}件を採点し直します"
        f"({scores}件の採点。アプリへの質問はありません)。",
    )


def _question(ask: Ask) -> AppQuestion:
    return AppQuestion(
        case_id=ask.case.id, attempt=ask.attempt, query=ask.case.question, inputs=ask.inputs, user=ask.user
    )


def _by_case(asks: Sequence[Ask], samples: Sequence[Sample]) -> dict[str, tuple[Sample, ...]]:
    found: dict[str, tuple[Sample, ...]] = {}
    for ask, sample in zip(asks, samples, strict=True):
        found[ask.case.id] = (*found.get(ask.case.id, ()), sample)
    return found


def _case(record: RunResult, case_id: str) -> Case:
    return next(c.case for c in record.cases if c.case.id == case_id)


def _app_usage(samples: Sequence[Sample]) -> Usage:
    return sum((s.answer.usage for s in samples if s.answer is not None), Usage())


async def _tidy(app: ChatApp, job: Job, record: RunResult, decision: Decision) -> Cleaned | None:
    """Delete the conversations that nobody will want to open; regressed and weak ones stay."""
    if job.settings.app.cleanup == "none":
        return None
    keep = set() if job.settings.app.cleanup == "all" else _worth_opening(record, decision)
    kept = {_conversation(result.case) for result in record.cases if result.case.id in keep}
    users = [
        user_of(job.settings.app.user, job.run_id, _conversation(result.case), sample.attempt)
        for result in record.cases
        if _conversation(result.case) not in kept
        for sample in (*result.samples, *result.confirmations)
        if sample.failure is None or sample.failure.cause is not Cause.NOT_ASKED
    ]
    return await forget_users(app, list(dict.fromkeys(users)))


def _conversation(case: Case) -> str:
    """The id of the case whose conversation it is: cases that are turns of one share its user."""
    return case.conversation or case.id


def _is_weak(sample: Sample) -> bool:
    """Worth opening in the app: not scored in full, or a low correctness."""
    outcomes = sample.scores
    if any(not isinstance(outcome, Scored) for outcome in outcomes.values()):
        return True
    grade = outcomes.get("correctness")
    return isinstance(grade, Scored) and grade.value <= NEEDS_IMPROVEMENT


def _worth_opening(record: RunResult, decision: Decision) -> set[str]:
    fine = {CaseStatus.SAME, CaseStatus.BETTER, CaseStatus.WORSE, CaseStatus.NOISE, CaseStatus.NEW}
    troubled = {c.case_id for c in decision.cases if c.status not in fine}
    weak = {
        c.case.id for c in record.cases if (m := c.mean("correctness")) is not None and m <= NEEDS_IMPROVEMENT
    }
    unscored = {
        c.case.id
        for c in record.cases
        if any(
            s.failure is not None or any(not isinstance(o, Scored) for o in s.scores.values())
            for s in c.samples
        )
    }
    return troubled | weak | unscored


async def _close(parts: Parts) -> None:
    for part in (parts.app, parts.judge, parts.embedder):
        await part.close()
