"""THE STORY: which changes there are → what the budget reaches for → each change alone → what that says."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ragjudge import wiring
from ragjudge.bisect import words
from ragjudge.bisect.allotting import WORSE, worst_first
from ragjudge.bisect.bisecting import Bisecting, Limits
from ragjudge.bisect.candidates import candidates
from ragjudge.bisect.trying import Trying, try_alone
from ragjudge.compare.decision import Decision, Verdict
from ragjudge.compare.policy import policy_from
from ragjudge.errors import RagjudgeError
from ragjudge.language import Text
from ragjudge.pipeline import Checked
from ragjudge.ports import Progress
from ragjudge.redaction import Redactor
from ragjudge.results.attribution import Attribution
from ragjudge.results.baseline import Baseline
from ragjudge.results.run import RunResult
from ragjudge.settings import Settings
from ragjudge.suite.case import Suite

if TYPE_CHECKING:
    from ragjudge.judged import Previewing
    from ragjudge.preview.lease import Preview


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
    """Trouble is told in what is found, never raised; a cancellation ends the trying, and the verdict is told."""
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
    bisecting = Bisecting(
        checked.run,
        _limits(trying, cases),
        partial(try_alone, trying=trying),
        monotonic=monotonic,
        note=_noting(wish),
    )
    attribution = await bisecting.each(found, cases)
    return Found(attribution, tuple(trying.secrets))


def _wanted(wish: Wish, preview: "Previewing") -> "Preview":
    from ragjudge.preview.chosen import preview_of

    return preview_of(wish.settings, preview.owner, base_dir=Path(), environ=preview.environ)


def _trying(
    wish: Wish, preview: "Previewing", wanted: "Preview", *, before: RunResult, decision: Decision
) -> Trying:
    policy = replace(policy_from(wish.settings), max_regressed_cases=0, minimum={})
    worse = {
        name
        for case in decision.with_status(*WORSE)
        for name, on in case.metrics.items()
        if on.status in WORSE
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
        metrics=tuple(name for name in before.metrics if name in worse),
        now=wish.now,
        warn=wish.warn,
    )


def _limits(trying: Trying, cases: tuple[str, ...]) -> Limits:
    budget, policy = trying.settings.budget, trying.policy
    then = {case.case.id: len(case.samples) for case in trying.before.run.cases}
    needed = max((policy.confirmations(then.get(case, 0)) for case in cases), default=0)
    return Limits(
        questions=budget.questions,
        judge_tokens=None if trying.settings.judge.provider == "offline" else budget.judge_tokens,
        confirm=needed if policy.extra_budget > 0 else 0,
    )


def _noting(wish: Wish) -> Callable[[Text], None]:
    language = wish.settings.report.language
    return lambda text: wish.progress.note(text.in_language(language))
