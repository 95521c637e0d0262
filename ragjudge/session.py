"""One sitting with ragjudge, from loaded settings to told results: shared by command line, action and demo.

Results are stored before the report is rendered, and trouble in a publisher never changes the verdict.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ragjudge import pipeline, wiring
from ragjudge.compare.decision import Decision
from ragjudge.compare.drift import with_drift
from ragjudge.compare.gate import decide, decide_alone, decide_part
from ragjudge.compare.policy import GatePolicy, policy_from
from ragjudge.engine.cleanup import Cleaned, not_deleted
from ragjudge.errors import RagjudgeError
from ragjudge.journal import Journal
from ragjudge.judged import Previewing, identity, judged
from ragjudge.language import Text
from ragjudge.metrics import budget
from ragjudge.pipeline import Job
from ragjudge.ports import BaselineStore, Progress, Publisher, Rendered
from ragjudge.process import import_later
from ragjudge.publish import REPORT, RESULTS, prepare_folder, rendered, set_aside, tell, write_file
from ragjudge.redaction import Redactor
from ragjudge.report.extras import Extras
from ragjudge.results import codec
from ragjudge.results.baseline import Baseline, without_cases
from ragjudge.results.run import RunResult
from ragjudge.settings import Settings
from ragjudge.suite.case import Suite

if TYPE_CHECKING:
    from ragjudge.report.formats import Format
    from ragjudge.report.view import ReportView

JOURNAL = "journal.jsonl"
_SETTLED_S = 3.0
"""By then a run's calls are under way, and there is nothing to do but to wait for servers."""
_FOR_THE_END = ("numpy.random", "ragjudge.report.outputs", "ragjudge.report.markdown", "ragjudge.report.html")


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Session:
    """Everything a command needs to know before it starts. `suite` holds the selected cases only."""

    settings: Settings
    suite: Suite
    out: Path
    store: BaselineStore
    progress: Progress
    publishers: tuple[Publisher, ...] = ()
    redact: Redactor = field(default_factory=lambda: Redactor(()))
    resume: bool = False
    notices: tuple[Text, ...] = ()
    commit: str | None = None
    dsl_digest: str | None = None
    """Of the app's exports beside the suite, for the record in a baseline."""
    left_out: frozenset[str] = frozenset()
    """Ids of the suite's cases that were not selected: their absence is no removal."""
    extras: Extras = Extras()
    """What the report shows beyond the run: changes of the app, and where the uncut report is."""
    now: Callable[[], datetime] = _utc_now
    warn: Callable[[Text], None] = lambda _: None
    asked: RunResult | None = None
    """Results to go on from, in place of asking the suite."""
    shard: bool = False
    """A part of a run: floors are the whole suite's."""
    preview: Previewing | None = None
    """Whose preview app `dsl.preview` asks for, and how to sign in."""
    dsl_before: Mapping[str, bytes] = field(default_factory=dict)
    """The DSL files as the base has them, by today's names: what `dsl.bisect` applies single changes to."""
    private: Path | None = None
    """Where journal and uncut results go when everybody may read `out`; None: they go there."""

    @property
    def papers(self) -> Path:
        """The folder of whatever holds the words of app and judge."""
        return self.private or self.out


@dataclass(frozen=True, slots=True)
class Ending:
    """What a sitting came to. `error` is what ended the run early; it decides the exit code then."""

    run: RunResult
    decision: Decision
    rendered: Rendered
    error: RagjudgeError | None = None

    @property
    def exit_code(self) -> int:
        return self.rendered.exit_code


def check(session: Session) -> Ending:
    """The whole job: run, compare, confirm, gate, report, publish."""
    repeats = 0 if session.asked else session.settings.repeats
    budget.require_within(session.suite, session.settings, repeats=repeats)
    baseline = without_cases(session.store.load(), session.left_out)
    session, checked = asyncio.run(_checked(session, baseline))
    say_what_is_left(session, checked.cleaned)
    before = as_judged_again(baseline, checked)
    return ending_of(
        session, checked.run, before, checked.decision, checked.error, suggestions=checked.suggestions
    )


def compare(session: Session, run: RunResult) -> Ending:
    """Gate stored results against the baseline; nothing is asked."""
    baseline = without_cases(session.store.load(), frozenset(run.left_out))
    decision = _decided(session, run, baseline)
    return ending_of(session, run, baseline, decision, None)


def ask_only(session: Session) -> Ending:
    """Ask and score, write the results; floors (but a shard's) and completeness are all that is gated."""
    budget.require_within(session.suite, session.settings, repeats=session.settings.repeats)
    session, ran = asyncio.run(_ran(session, session.settings.repeats))
    run = _stored(session, ran.run)
    say_what_is_left(session, ran.cleaned)
    gate = decide_part if session.shard else decide_alone
    decision = gate(run, policy_from(session.settings), today=session.now().date())
    return ending_of(session, run, None, decision, ran.error)


def view_of(
    session: Session,
    run: RunResult,
    baseline: Baseline | None,
    decision: Decision,
    *,
    suggestions: tuple[str, ...] = (),
) -> "ReportView":
    """The report as plain data, for any form."""
    from ragjudge.report.view import build
    from ragjudge.report.view.scope import part_of_suite

    return build(
        run,
        baseline.run if baseline else None,
        with_drift(decision, baseline, policy_from(session.settings)),
        report=session.settings.report,
        notices=session.notices,
        extras=replace(
            session.extras,
            baseline=baseline,
            suggestions=suggestions,
            scope=(*part_of_suite(run), *session.extras.scope),
        ),
    )


def rendered_again(session: Session, run: RunResult, form: "Format") -> bytes:
    """Stored results in one form, compared with the baseline where there is one; nothing is asked or published."""
    baseline = without_cases(session.store.load(), frozenset(run.left_out))
    view = view_of(session, run, baseline, _decided(session, run, baseline))
    from ragjudge.report import formats

    content = formats.render(view, form)
    return (
        content if isinstance(content, bytes) else session.redact(content).encode("utf-8", "backslashreplace")
    )


def publish(session: Session, rendered: Rendered) -> None:
    """Tell everyone; who can't be told is warned about."""
    tell(session.publishers, rendered, session.warn)


async def _checked(session: Session, baseline: Baseline | None) -> tuple[Session, pipeline.Checked]:
    policy = policy_from(session.settings)
    ready, checked, journal = await asked_anew(
        session, baseline, policy, session.settings.repeats, extras=True
    )
    if not session.settings.dsl.bisect or checked.error is not None:
        return ready, checked
    return await _attributed(session, ready, checked, journal), checked


async def asked_anew(
    session: Session, baseline: Baseline | None, policy: GatePolicy, repeats: int, *, extras: bool = False
) -> tuple[Session, pipeline.Checked, str]:
    """Ask, compare, confirm; the results are stored. `extras`: with what decides nothing.

    The session over the app that was asked, what came of it, and the journal's identity.
    """
    async with _asking(session) as (ready, journal):
        job = replace(
            _job(ready, journal, repeats),
            answers_before=baseline is not None and baseline.answers_stored,
            extras=extras,
        )
        checked = await pipeline.check(_parts(ready, journal), job, baseline, policy)
    ready = replace(ready, extras=replace(ready.extras, scope=(*ready.extras.scope, *checked.said)))
    return ready, replace(checked, run=_stored(ready, checked.run)), journal.identity


def as_judged_again(baseline: Baseline | None, checked: pipeline.Checked) -> Baseline | None:
    """The baseline as the report compares with it."""
    if baseline is None or checked.before is None:
        return baseline
    return baseline.model_copy(update={"run": checked.before})


async def _attributed(
    session: Session, ready: Session, checked: pipeline.Checked, journal_identity: str
) -> Session:
    """`ready`, the session over the app that was judged, with which change broke which cases."""
    from ragjudge.bisect.attributing import Wish, attribute

    wish = Wish(
        settings=session.settings,
        suite=session.suite,
        preview=session.preview,
        base=session.dsl_before,
        journal=session.papers / JOURNAL,
        journal_identity=journal_identity,
        redact=ready.redact,
        progress=session.progress,
        now=session.now,
        warn=session.warn,
    )
    found = await attribute(wish, checked)
    extras = replace(ready.extras, attribution=found.attribution)
    return replace(ready, extras=extras, redact=ready.redact.also(found.secrets))


async def _ran(session: Session, repeats: int) -> tuple[Session, pipeline.Ran]:
    async with _asking(session) as (ready, journal):
        return ready, await pipeline.run(_parts(ready, journal), _job(ready, journal, repeats))


@asynccontextmanager
async def _asking(session: Session) -> AsyncIterator[tuple[Session, Journal]]:
    """The session over the app that is really asked, to be told from afterwards too, and its journal."""
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
        early = asyncio.create_task(import_later(*_FOR_THE_END, after_s=_SETTLED_S))
        try:
            yield ready, journal
        finally:
            early.cancel()
            journal.close()


def _parts(session: Session, journal: Journal) -> pipeline.Parts:
    language = wiring.judge_language(session.settings, session.suite)
    return wiring.parts(
        session.settings,
        session.suite,
        language=language,
        journal=journal,
        progress=session.progress,
        out=session.out,
    )


def _job(session: Session, journal: Journal, repeats: int) -> Job:
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


def _stored(session: Session, run: RunResult) -> RunResult:
    """Write results.json and hand back the run as it stands there: whatever is told later holds no key."""
    data = codec.dumps(run)
    text = data.decode()
    clean = session.redact(text)
    write_file(session.papers / RESULTS, clean)
    return run if clean == text else codec.loads(clean.encode(), place=RESULTS)


def _decided(session: Session, run: RunResult, before: Baseline | RunResult | None) -> Decision:
    then = before.run if isinstance(before, Baseline) else before
    return decide(then, run, policy_from(session.settings), today=session.now().date())


def ending_of(
    session: Session,
    run: RunResult,
    baseline: Baseline | None,
    decision: Decision,
    error: RagjudgeError | None,
    *,
    suggestions: tuple[str, ...] = (),
) -> Ending:
    """Rendered and told: what a sitting came to."""
    from ragjudge.report.outputs import outputs

    view = view_of(session, run, baseline, decision, suggestions=suggestions)
    exit_code = int(error.exit_code if error else decision.verdict.exit_code)
    named = outputs(run, decision, view, report=session.out / REPORT, results=session.out / RESULTS)
    report = rendered(view, session.redact, named, exit_code)
    publish(session, report)
    return Ending(run, decision, report, error)


def say_what_is_left(session: Session, cleaned: Cleaned | None) -> None:
    if cleaned is not None and cleaned.left:
        session.warn(not_deleted(cleaned.left))
