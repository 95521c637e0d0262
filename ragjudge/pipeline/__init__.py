"""THE STORY of a check, in order: probe → ask and score → compare → confirm → decide → tidy up.

Loading comes before (cli, action, wiring), telling comes after (report, publish). Nothing here knows a concrete app,
judge or store.
"""

import asyncio
from dataclasses import dataclass, replace

from ragjudge.compare import rejudge
from ragjudge.compare.decision import Decision
from ragjudge.compare.gate import decide
from ragjudge.compare.policy import GatePolicy
from ragjudge.engine.cleanup import Cleaned
from ragjudge.errors import RagjudgeError
from ragjudge.language import Text
from ragjudge.pipeline.job import Job, Parts, Ran
from ragjudge.pipeline.running import Running
from ragjudge.pipeline.tidying import tidy, tidy_in_a_hurry
from ragjudge.results.baseline import Baseline
from ragjudge.results.run import RunResult

__all__ = ["Checked", "Job", "Parts", "Ran", "check", "run"]


@dataclass(frozen=True, slots=True)
class Checked:
    run: RunResult
    before: RunResult | None
    decision: Decision
    error: RagjudgeError | None = None
    cleaned: Cleaned | None = None
    suggestions: tuple[str, ...] = ()
    """The judge model's proposals, where `report.suggest` asks for them."""
    said: tuple[Text, ...] = ()
    """What the reader of the report must know about how it was compared."""


async def check(parts: Parts, job: Job, stored: Baseline | None, policy: GatePolicy) -> Checked:
    """The whole job up to the decision; every answer and score is in the journal by then."""
    started = Running(parts, job)
    before = stored.run if stored else None
    lost: tuple[str, ...] = ()
    said: tuple[Text, ...] = ()
    try:
        ran = await started.whole_suite() if job.asked is None else Ran(job.asked)
        if ran.error is None and stored is not None:
            before, error, said = await started.judged_again(stored, ran.run, policy)
            lost = rejudge.lost(stored.run, before)
            ran = replace(ran, error=error)
        if ran.error is None:
            ran = await started.confirmed(ran.run, before, policy)
        decision = decide(before, ran.run, policy, today=job.now().date(), lost=lost)
        ran = await started.paired(ran, before)
        ran, suggestions = await started.advised(ran, decision)
        cleaned = await tidy(parts.app, job, ran.run, decision)
    except asyncio.CancelledError:
        await tidy_in_a_hurry(parts.app, job, started.engine)
        raise
    finally:
        await _close(parts)
    return Checked(ran.run, before, decision, ran.error, cleaned, suggestions, said)


async def run(parts: Parts, job: Job) -> Ran:
    """Ask and score only; the conversations of cases that nobody will want to open are deleted all the same."""
    started = Running(parts, job)
    try:
        ran = await started.whole_suite()
        return Ran(ran.run, ran.error, await tidy(parts.app, job, ran.run, None))
    except asyncio.CancelledError:
        await tidy_in_a_hurry(parts.app, job, started.engine)
        raise
    finally:
        await _close(parts)


async def _close(parts: Parts) -> None:
    for part in (parts.app, parts.judge, parts.embedder):
        await part.close()
