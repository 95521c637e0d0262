"""One change tried alone: a preview app, the regressed cases, the shipped rule for cases."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ragjudge import pipeline, wiring
from ragjudge.bisect.allotting import WORSE
from ragjudge.bisect.aside import AsideJournal
from ragjudge.bisect.bisecting import Tried
from ragjudge.bisect.candidates import Candidate
from ragjudge.compare.decision import CaseStatus, Decision
from ragjudge.compare.policy import GatePolicy
from ragjudge.journal import Journal
from ragjudge.judged import Judged, Previewing, previewed
from ragjudge.language import Language, Text
from ragjudge.pipeline import Job
from ragjudge.ports import Progress
from ragjudge.redaction import Redactor
from ragjudge.results.attribution import Alone
from ragjudge.results.baseline import Baseline
from ragjudge.results.usage import Usage
from ragjudge.settings import Settings
from ragjudge.suite.case import Suite

if TYPE_CHECKING:
    from ragjudge.preview.lease import Preview

_COMPARED = WORSE | {
    CaseStatus.SAME,
    CaseStatus.BETTER,
    CaseStatus.WORSE,
    CaseStatus.NOISE,
    CaseStatus.ACCEPTED,
}


@dataclass(frozen=True, slots=True)
class Trying:
    """What every change is tried with. `settings` are the run's own, without a preview's key."""

    settings: Settings
    preview: Previewing
    wanted: "Preview"
    """The proposal's preview: its file, its owner, its secrets."""
    suite: Suite
    language: Language
    journal: Path
    journal_identity: str
    out: Path
    redact: Redactor
    progress: Progress
    policy: GatePolicy
    before: Baseline
    metrics: tuple[str, ...]
    now: Callable[[], datetime]
    warn: Callable[[Text], None]
    secrets: list[str] = field(default_factory=list, repr=False)
    """Collected on the way: to be taken out of whatever is written."""


async def try_alone(candidate: Candidate, cases: tuple[str, ...], spent: Usage, *, trying: Trying) -> Tried:
    """A `bisecting.Attempt`. Raises whatever keeps the app from being made or asked at all."""
    content = replace(trying.wanted, content=candidate.content)
    async with previewed(content, trying.settings, trying.preview, now=trying.now, note=trying.warn) as app:
        trying.secrets.extend(app.secrets)
        checked = await _checked(app, candidate, cases, trying, spent)
    tried, broken = _found(checked.decision, cases, trying.metrics)
    alone = Alone(candidate.name, candidate.changes, tried, broken)
    return Tried(alone, checked.run, checked.error)


async def _checked(
    app: Judged, candidate: Candidate, cases: Collection[str], trying: Trying, spent: Usage
) -> pipeline.Checked:
    settings = app.settings.model_copy(update=_only(trying.settings, trying.metrics))
    journal = Journal.resume(
        trying.journal, identity=trying.journal_identity, redact=trying.redact.also(trying.secrets)
    )
    try:
        suite = _alone(trying.suite, cases)
        parts = wiring.parts(
            settings,
            suite,
            language=trying.language,
            journal=AsideJournal(journal, candidate.digest, spent),
            progress=trying.progress,
            grading=wiring.grading(settings, progress=trying.progress, out=trying.out),
        )
        job = Job(settings, suite, journal.run_id, trying.language, 1, trying.now)
        before = _part(trying.before, cases, [metric.spec.name for metric in parts.metrics])
        return await pipeline.check(parts, job, before, trying.policy)
    finally:
        journal.close()


def _only(settings: Settings, metrics: Collection[str]) -> dict[str, object]:
    """What regressed is scored, nothing is proposed or judged in pairs: this decides nothing."""
    return {
        "metrics": settings.metrics.model_copy(
            update={
                "use": tuple(name for name in settings.metrics.use if name in metrics),
                "custom": tuple(custom for custom in settings.metrics.custom if custom.name in metrics),
                "pairwise": False,
            }
        ),
        "report": settings.report.model_copy(update={"suggest": False}),
    }


def _alone(suite: Suite, cases: Collection[str]) -> Suite:
    """The cases to ask, each in a conversation of its own."""
    kept = [case for case in suite.cases if case.id in cases]
    return suite.model_copy(
        update={"cases": tuple(case.model_copy(update={"conversation": None}) for case in kept)}
    )


def _part(before: Baseline, cases: Collection[str], metrics: Collection[str]) -> Baseline:
    """Nothing but what is asked: a case or metric that is left out is not gone."""
    run = before.run.model_copy(
        update={
            "cases": tuple(case for case in before.run.cases if case.case.id in cases),
            "metrics": tuple(name for name in before.run.metrics if name in metrics),
        }
    )
    return before.model_copy(update={"run": run})


def _found(
    decision: Decision, cases: Collection[str], metrics: Collection[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The cases that could be compared by a metric that regressed, and those that are worse by one."""
    statuses = {
        case.case_id: {on.status for name, on in case.metrics.items() if name in metrics}
        for case in decision.cases
    }
    tried = tuple(case for case in cases if statuses.get(case, set()) & _COMPARED)
    return tried, tuple(case for case in tried if statuses[case] & WORSE)
