"""One run in the making: the engine, and what has been paid so far."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from ragjudge import __version__
from ragjudge.compare import rejudge
from ragjudge.compare.decision import Decision
from ragjudge.compare.next_step import NextStep, next_step
from ragjudge.compare.policy import GatePolicy
from ragjudge.engine.again import judge_again
from ragjudge.engine.ask import Ask, user_of
from ragjudge.engine.engine import Engine, Limits, first_error
from ragjudge.engine.grade import Grader
from ragjudge.engine.metering import MeteredJudge, Purse
from ragjudge.engine.outage import app_outage, judge_outage
from ragjudge.errors import CannotTell, MustChange, RagjudgeError, SuiteFault
from ragjudge.language import Text
from ragjudge.metrics import pairwise, suggest
from ragjudge.metrics.base import Gradable
from ragjudge.metrics.prompting import Prompts
from ragjudge.pipeline.job import Advised, Job, JudgedAgain, Parts, Ran
from ragjudge.pipeline.tidying import conversation_of
from ragjudge.ports import AppQuestion
from ragjudge.results.baseline import Baseline
from ragjudge.results.fingerprint import Fingerprint
from ragjudge.results.going_on import refuse_another_app_or_judge
from ragjudge.results.run import AppIdentity, CaseResult, RunResult, Sample, SuiteIdentity
from ragjudge.results.usage import Usage
from ragjudge.suite.case import Case
from ragjudge.suite.loading import capped, place_of
from ragjudge.suite.templates import render_inputs


class Running:
    """One run in the making: the engine and what has been paid so far."""

    def __init__(self, parts: Parts, job: Job) -> None:
        self._parts = parts
        self._job = job
        self._probed_again = False
        earlier = job.asked.judge_usage if job.asked else Usage()
        self._purse = Purse(job.settings.budget.judge_tokens, spent=parts.journal.spent + earlier)
        self._grader = Grader(
            judge=parts.judge,
            embedder=parts.embedder,
            metrics=parts.metrics,
            journal=parts.journal,
            purse=self._purse,
            outage=judge_outage(),
            spoken=job.settings.report.language,
        )
        self.engine = Engine(
            app=parts.app,
            grader=self._grader,
            journal=parts.journal,
            progress=parts.progress,
            limits=Limits(
                asking=job.settings.app.concurrency, judging=max(20, 2 * job.settings.judge.concurrency)
            ),
            outage=app_outage(),
            language=job.settings.report.language,
            allow=job.settings.judge.allow,
        )

    async def whole_suite(self) -> Ran:
        """Probe, then ask every case `repeats` times."""
        started_at = self._job.now()
        # Earlier turns come last: the whole conversation has been asked by then, and they wait for nothing.
        cases = sorted((c for c in self._job.suite.cases if c.skip is None), key=lambda c: c.is_earlier_turn)
        asks = [self._ask(case, str(n)) for n in range(1, self._job.repeats + 1) for case in cases]
        identity = await self._probed(asks)
        asked = await self.engine.run(asks)
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
            trouble = await self._ready_to_go_on()
            if trouble is not None:
                return Ran(record.model_copy(update={"stopped": self._said(trouble)}), trouble)
            fresh = self._job.run_id if step.decides_cases else ""
            asks = [self._ask(_case(record, case_id), attempt, fresh) for case_id, attempt in step.asks]
            asked = await self.engine.run(asks)
            extra += len(asks)
            record = self._joined(record, step, asks, asked.samples)
            if asked.stopped is not None:
                return Ran(record.model_copy(update={"stopped": self._said(asked.stopped)}), asked.stopped)
        return Ran(record)

    async def _ready_to_go_on(self) -> RagjudgeError | None:
        """Where results are gone on from: app and judge answer and are those of the results; else what is wrong."""
        try:
            await self._required_to_go_on()
        except (MustChange, CannotTell) as error:
            return error
        return None

    async def _required_to_go_on(self) -> None:
        """Raises what is wrong. Asked for late: where nothing is asked again, nobody need be there to answer."""
        earlier = self._job.asked
        if earlier is None or self._probed_again:
            return
        identity = await self._probed([])
        refuse_another_app_or_judge(earlier, app=identity, fingerprint=self._fingerprint())
        self._probed_again = True

    async def judged_again(self, stored: Baseline, record: RunResult, policy: GatePolicy) -> JudgedAgain:
        """The baseline as today's judge sees it, where its scores are not comparable and its answers are stored."""
        wanted = rejudge.plan(stored, record.fingerprint, [c.case for c in record.cases], policy.specs)
        if not wanted:
            return JudgedAgain(stored.run)
        said = _will_judge_again(wanted)
        self._parts.progress.note(said.in_language(self._job.settings.report.language))
        before = stored.run
        error = await self._ready_to_go_on()
        if error is not None:
            return JudgedAgain(before, error)
        try:
            scores = await judge_again(wanted.items, self._grader, self._parts.journal, self._gradable)
            before = rejudge.rejudged(stored.run, wanted, scores, self._fingerprint())
        except* (MustChange, CannotTell) as stopping:
            error = first_error(stopping)
        return JudgedAgain(before, error, (said,))

    def _gradable(self, item: rejudge.Again, name: str) -> Gradable:
        job = self._job
        return Gradable(
            case=item.case,
            answer=item.answer,
            language=job.settings.report.language,
            allow=job.settings.judge.allow,
            sample=name,
        )

    async def paired(self, ran: Ran, before: RunResult | None) -> Ran:
        """Judge today's answers beside the baseline's where that is wanted. Decides nothing; trouble leaves none."""
        wanted = self._job.settings.metrics.pairwise and self._job.answers_before
        if not wanted or not self._job.extras or before is None or ran.error is not None:
            return ran
        judge = MeteredJudge(self._parts.judge, self._purse)
        try:
            await self._required_to_go_on()
            found = await pairwise.pairs(before, ran.run, judge, Prompts(self._job.language))
        except RagjudgeError as trouble:
            self._parts.progress.note(trouble.in_language(self._job.settings.report.language))
            return ran
        return Ran(ran.run.model_copy(update={"pairs": found, "judge_usage": self._purse.spent}))

    async def advised(self, ran: Ran, decision: Decision) -> Advised:
        """One more call for proposals where they are wanted and something is weak. Its trouble changes nothing."""
        wanted = self._job.settings.report.suggest and self._job.extras
        if not wanted or ran.error is not None:
            return Advised(ran)
        judge = MeteredJudge(self._parts.judge, self._purse)
        specs = {metric.spec.name: metric.spec for metric in self._parts.metrics}
        weak = suggest.weak_cases(ran.run, decision, specs)
        try:
            await self._required_to_go_on()
            suggested = await suggest.suggest(weak, self._job.change, judge, Prompts(self._job.language))
        except RagjudgeError as trouble:
            self._parts.progress.note(trouble.in_language(self._job.settings.report.language))
            return Advised(ran)
        record = ran.run.model_copy(update={"judge_usage": self._purse.spent})
        return Advised(Ran(record), suggest.shown(suggested, self._job.settings.report.language))

    def _ask(self, case: Case, attempt: str, fresh: str = "") -> Ask:
        app = self._job.settings.app
        return Ask(
            case=case,
            attempt=attempt,
            inputs=render_inputs(app.inputs, case),
            user=user_of(app.user, self._job.run_id, conversation_of(case), attempt),
            fresh=fresh,
        )

    async def _probed(self, asks: Sequence[Ask]) -> AppIdentity:
        probing_judge = self._parts.probing or asyncio.create_task(self._parts.judge.probe())
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
