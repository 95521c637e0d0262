"""THE STORY: which changes there are → what the budget reaches for → each change alone → what that says."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ragjudge import wiring
from ragjudge.bisect import words
from ragjudge.bisect.allotting import MOST_CHANGES, allot, asked, cost, worst_first
from ragjudge.bisect.candidates import Candidate, Candidates, candidates
from ragjudge.bisect.trying import Tried, Trying, try_alone
from ragjudge.compare.decision import CaseStatus, Decision, Verdict
from ragjudge.compare.policy import policy_from
from ragjudge.errors import DslFault, RagjudgeError
from ragjudge.language import Text
from ragjudge.pipeline import Checked
from ragjudge.ports import Progress
from ragjudge.redaction import Redactor
from ragjudge.results.attribution import Alone, Attribution
from ragjudge.results.baseline import Baseline
from ragjudge.results.run import RunResult
from ragjudge.settings import Settings
from ragjudge.suite.case import Suite

if TYPE_CHECKING:
    from ragjudge.judged import Previewing
    from ragjudge.preview.lease import Preview

MOST_S = 30 * 60.0
"""No further change is begun after this long: a job has an end, and the verdict waits to be told."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a sitting hands in. `settings` are its own, without a preview's key; `base` gives DSL files by name."""

    settings: Settings
    suite: Suite
    preview: "Previewing | None"
    base: Mapping[str, bytes]
    journal: Path
    journal_identity: str
    redact: Redactor
    progress: Progress
    now: Callable[[], datetime]
    warn: Callable[[Text], None]


@dataclass(frozen=True, slots=True)
class Found:
    """`attribution` is None where there is nothing to attribute: not failed, or no change.

    `secrets`: of the apps that were made, to be taken out of whatever is written.
    """

    attribution: Attribution | None = None
    secrets: tuple[str, ...] = field(default=(), repr=False)


async def attribute(
    wish: Wish, checked: Checked, *, monotonic: Callable[[], float] = time.monotonic
) -> Found:
    """Trouble is told in what is found, never raised: a cancellation alone comes through."""
    if checked.before is None or checked.decision.verdict is not Verdict.FAILED or wish.preview is None:
        return Found()
    cases = worst_first(checked.decision, policy_from(wish.settings))
    if not cases:
        return Found(Attribution(why_not=words.NO_CASE))
    try:
        wanted = _wanted(wish, wish.preview)
        base = wish.base.get(wanted.file)
        if base is None:
            return Found(Attribution(cases, why_not=words.NO_BASE))
        found = candidates(base, wanted.content, wanted.file)
    except RagjudgeError as trouble:
        return Found(Attribution(cases, why_not=words.cannot(trouble)))
    if len(found.each) < 2:
        return Found(Attribution(cases, why_not=words.ONE_CHANGE) if found.each else None)
    trying = _trying(wish, wish.preview, wanted, before=checked.before, decision=checked.decision)
    attribution = await _Bisecting(trying, checked.run, cases, monotonic).each(found)
    return Found(attribution, tuple(trying.secrets))


def _wanted(wish: Wish, preview: "Previewing") -> "Preview":
    from ragjudge.preview.chosen import preview_of

    return preview_of(wish.settings, preview.owner, base_dir=Path(), environ=preview.environ)


def _trying(
    wish: Wish, preview: "Previewing", wanted: "Preview", *, before: RunResult, decision: Decision
) -> Trying:
    policy = replace(policy_from(wish.settings), max_regressed_cases=0, minimum={})
    regressed = {
        name
        for case in decision.with_status(CaseStatus.REGRESSED)
        for name, on in case.metrics.items()
        if on.status is CaseStatus.REGRESSED
    }
    return Trying(
        settings=wish.settings,
        preview=preview,
        wanted=wanted,
        suite=wish.suite,
        language=wiring.judge_language(wish.settings, wish.suite),
        journal=wish.journal,
        journal_identity=wish.journal_identity,
        out=wish.journal.parent,
        redact=wish.redact,
        progress=wish.progress,
        # Whole-suite repeats decide about means, and means are not asked about here.
        policy=replace(policy, extra_budget=min(policy.extra_budget, 0.9)),
        before=Baseline(run=before, stored_at=before.finished_at, answers_stored=False),
        metrics=tuple(name for name in before.metrics if name in regressed),
        now=wish.now,
        warn=wish.warn,
    )


class _Bisecting:
    """What is left of the budget, and whether to go on."""

    def __init__(
        self, trying: Trying, run: RunResult, cases: tuple[str, ...], monotonic: Callable[[], float]
    ) -> None:
        self._trying = trying
        self._cases = cases
        self._monotonic = monotonic
        self._end = monotonic() + MOST_S
        self._results = {case.case.id: case for case in run.cases}
        self._questions = asked(run)
        self._spent = run.judge_usage
        self._stopped: Text | None = None

    async def each(self, found: Candidates) -> Attribution:
        able = [one for one in found.each if one.why_not is None]
        results = [self._results[case] for case in self._cases]
        cases = allot(results, min(len(able), MOST_CHANGES), confirm=self._confirm, left=self._left())
        before = (self._questions, self._spent.total_tokens)
        alone: list[Alone] = []
        for number, one in enumerate(found.each, start=1):
            said = words.trying(number, len(found.each))
            why_not = None if one in able[:MOST_CHANGES] else words.TOO_MANY
            alone.append(await self._one(one, cases, said, why_not=why_not))
        attribution = Attribution(self._cases, tuple(alone))
        return replace(
            attribution,
            unchanged=await self._unchanged(found.base, attribution),
            questions=self._questions - before[0],
            judge_tokens=self._spent.total_tokens - before[1],
        )

    async def _one(
        self, candidate: Candidate, cases: tuple[str, ...], said: Text, *, why_not: Text | None = None
    ) -> Alone:
        not_tried = Alone(candidate.name, candidate.changes)
        why_not = self._why_not(candidate, cases) or why_not
        if why_not is not None:
            return replace(not_tried, why_not=why_not)
        self._trying.progress.note(said.in_language(self._trying.settings.report.language))
        try:
            tried = await try_alone(candidate, cases, self._trying, self._spent)
        except DslFault as fault:
            return replace(not_tried, why_not=words.cannot(fault))
        except (RagjudgeError, TimeoutError) as trouble:
            self._stopped = words.stopped(trouble)
            return replace(not_tried, why_not=words.cannot(trouble))
        return self._counted(tried)

    def _why_not(self, candidate: Candidate, cases: tuple[str, ...]) -> Text | None:
        if candidate.why_not is not None:
            return words.broken(candidate.why_not)
        if self._stopped is not None:
            return self._stopped
        left = self._left()
        if left is not None and cost([self._results[case] for case in cases], self._confirm) > left:
            return words.OVER_QUESTIONS
        return self._over()

    def _counted(self, tried: Tried) -> Alone:
        if tried.run is not None:
            self._questions += asked(tried.run)
            self._spent = tried.run.judge_usage
        if tried.error is None:
            return tried.alone if tried.alone.tried else replace(tried.alone, why_not=words.NO_SCORE)
        self._stopped = words.stopped(tried.error)
        return replace(tried.alone, why_not=words.cannot(tried.error))

    async def _unchanged(self, base: Candidate, found: Attribution) -> Alone | None:
        """Where every change alone breaks a case, the base itself may be what is broken by now."""
        if len(found.alone) < 2 or not found.by_every or self._why_not(base, found.by_every) is not None:
            return None
        return await self._one(base, found.by_every, words.TRYING_BASE)

    def _over(self) -> Text | None:
        settings = self._trying.settings
        limit = settings.budget.judge_tokens
        if limit is not None and settings.judge.provider != "offline" and self._spent.total_tokens >= limit:
            return words.OVER_TOKENS
        return words.OVER_TIME if self._monotonic() >= self._end else None

    def _left(self) -> int | None:
        limit = self._trying.settings.budget.questions
        return None if limit is None else max(0, limit - self._questions)

    @property
    def _confirm(self) -> int:
        policy = self._trying.policy
        if policy.extra_budget <= 0:
            return 0
        then = {case.case.id: len(case.samples) for case in self._trying.before.run.cases}
        return max((policy.confirmations(then.get(case, 0)) for case in self._cases), default=0)
