"""Take the conversations of a run out of the app's logs, but for those that somebody will want to open."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress

from ragjudge.compare.decision import CaseStatus, Decision
from ragjudge.engine.ask import user_of
from ragjudge.engine.cleanup import Cleaned, forget_users
from ragjudge.engine.engine import Engine
from ragjudge.metric_specs import NEEDS_IMPROVEMENT
from ragjudge.pipeline.job import Job
from ragjudge.ports import ChatApp
from ragjudge.results.outcome import Cause, Scored
from ragjudge.results.run import RunResult, Sample
from ragjudge.suite.case import Case

HURRY_S = 5.0
"""GitHub kills a cancelled step after 7.5 s."""


async def tidy(app: ChatApp, job: Job, record: RunResult, decision: Decision | None) -> Cleaned | None:
    """Delete the conversations that nobody will want to open; regressed and weak ones stay.

    `decision` is None where nothing was compared.
    """
    if job.settings.app.cleanup == "none":
        return None
    keep = set() if job.settings.app.cleanup == "all" else _worth_opening(record, decision)
    kept = {conversation_of(result.case) for result in record.cases if result.case.id in keep}
    elsewhere = frozenset(_asks(job.asked)) if job.asked else frozenset[tuple[str, str]]()
    users = [
        user_of(job.settings.app.user, job.run_id, conversation_of(result.case), sample.attempt)
        for result in record.cases
        if conversation_of(result.case) not in kept
        for sample in (*result.samples, *result.confirmations)
        if sample.failure is None or sample.failure.cause is not Cause.NOT_ASKED
        if (result.case.id, sample.attempt) not in elsewhere
    ]
    return await forget_users(app, list(dict.fromkeys(users)))


def _asks(record: RunResult) -> Iterator[tuple[str, str]]:
    for result in record.cases:
        for sample in (*result.samples, *result.confirmations):
            yield result.case.id, sample.attempt


def conversation_of(case: Case) -> str:
    """The id of the case whose conversation it is: cases that are turns of one share its user."""
    return case.conversation or case.id


def _is_weak(sample: Sample) -> bool:
    """Worth opening in the app: not scored in full, or a low correctness."""
    outcomes = sample.scores
    if any(not isinstance(outcome, Scored) for outcome in outcomes.values()):
        return True
    grade = outcomes.get("correctness")
    return isinstance(grade, Scored) and grade.value <= NEEDS_IMPROVEMENT


def _worth_opening(record: RunResult, decision: Decision | None) -> set[str]:
    fine = {CaseStatus.SAME, CaseStatus.BETTER, CaseStatus.WORSE, CaseStatus.NOISE, CaseStatus.NEW}
    troubled = {c.case_id for c in decision.cases if c.status not in fine} if decision else set[str]()
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


async def tidy_in_a_hurry(app: ChatApp, job: Job, engine: Engine) -> None:
    """After a cancel: forget what was scored well, as far as some seconds allow. A resumed run needs none of it."""
    cleanup = job.settings.app.cleanup
    if cleanup == "none":
        return
    finished = engine.finished
    ended = {(done.ask.case.id, done.ask.attempt) for done in finished}
    wanted = {done.ask.user for done in finished if _is_weak(done.sample)}
    wanted |= {a.user for a in engine.begun if (a.case.id, a.attempt) not in ended}
    users = [user for user in dict.fromkeys(done.ask.user for done in finished) if user not in wanted]
    if cleanup == "all":
        users = list(dict.fromkeys(ask.user for ask in engine.begun))
    with suppress(TimeoutError):
        async with asyncio.timeout(HURRY_S):
            await forget_users(app, users)
