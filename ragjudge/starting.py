"""How a run starts: its folder, the app that is asked, the journal, and the judge's probe before all that is heavy.

What a run needs after its first call is imported while that call is answered, and what its end needs while everybody
waits for servers: half a second of imports before the first call is half a second of a run.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ragjudge import wiring
from ragjudge.journal import Journal
from ragjudge.judged import identity, judged
from ragjudge.process import import_aside, keep_what_is_there
from ragjudge.publish import prepare_folder, set_aside
from ragjudge.session import Session

if TYPE_CHECKING:
    from ragjudge import pipeline

JOURNAL = "journal.jsonl"
_HEAD_START_S = 0.05
"""For the judge's probe, before the processor is busy with imports."""
_FOR_THE_RUN = ("ragjudge.pipeline", "ragjudge.metrics.registry", "ragjudge.dify.client")
_FOR_THE_END = (
    "numpy.ma",
    "numpy.random",
    "ragjudge.report.outputs",
    "ragjudge.report.view",
    "rich.table",
    *(f"ragjudge.report.{form}" for form in ("console", "html", "junit", "markdown")),
)


class Begun(NamedTuple):
    """A run that has begun. `session` is over the app that is really asked, to be told from afterwards too."""

    session: Session
    journal: Journal
    parts: "pipeline.Parts"


@asynccontextmanager
async def begun(session: Session) -> AsyncIterator[Begun]:
    """For as long as the run lasts."""
    prepare_folder(session.out)
    async with judged(session.settings, session.preview, now=session.now, note=session.warn) as app:
        ready = replace(
            session,
            settings=app.settings,
            extras=replace(session.extras, scope=(*session.extras.scope, *app.said)),
            redact=session.redact.also(app.secrets),
        )
        journal = Journal.begin(
            session.papers / JOURNAL,
            identity=identity(app.settings, session.suite, app.digest, asked=session.asked),
            redact=ready.redact,
            resuming=session.resume,
        )
        set_aside(session.out)
        rest: asyncio.Task[None] | None = None
        try:
            parts = await _parts(ready, journal)
            rest = asyncio.create_task(_import_the_rest(ready))
            yield Begun(ready, journal, parts)
        finally:
            if rest is not None:
                rest.cancel()
            journal.close()


async def _parts(session: Session, journal: Journal) -> "pipeline.Parts":
    """What a run works with. The judge's probe leaves first; what else is needed is imported while it is answered."""
    grading = wiring.grading(session.settings, progress=session.progress, out=session.out)
    probing: asyncio.Task[None] | None = None
    try:
        if session.asked is None:
            probing = asyncio.create_task(grading.judge.probe())
            await asyncio.wait({probing}, timeout=_HEAD_START_S)
        await import_aside(*_FOR_THE_RUN)
        keep_what_is_there()
        return wiring.parts(
            session.settings,
            session.suite,
            language=wiring.judge_language(session.settings, session.suite),
            journal=journal,
            progress=session.progress,
            grading=grading,
            probing=probing,
        )
    except BaseException:
        if probing is not None:
            probing.cancel()
            await asyncio.gather(probing, return_exceptions=True)
        await grading.judge.close()
        raise


async def _import_the_rest(session: Session) -> None:
    """While the judge answers its probe; nothing of the judge's where nothing will be judged."""
    importing = wiring.warm_up(session.settings) if session.asked is None else None
    if importing is not None:
        await asyncio.to_thread(importing.join)
    await import_aside(*_FOR_THE_END)


def job_of(session: Session, journal: Journal, repeats: int) -> "pipeline.Job":
    from ragjudge.pipeline import Job

    return Job(
        settings=session.settings,
        suite=session.suite,
        run_id=journal.run_id,
        language=wiring.judge_language(session.settings, session.suite),
        repeats=repeats,
        now=session.now,
        commit=session.commit,
        left_out=tuple(sorted(session.left_out)),
        asked=session.asked,
        change=_change(session),
    )


def _change(session: Session) -> str:
    """What changes in the app, in the judge's language."""
    if not session.extras.app_changes:
        return ""
    from ragjudge.dsl import told

    return told.text(session.extras.app_changes, wiring.judge_language(session.settings, session.suite))
