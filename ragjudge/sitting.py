"""One sitting with ragjudge, from a session to told results: shared by command line, action and demo.

Results are stored before the report is rendered, and trouble in a publisher never changes the verdict. What is needed
after a run's first call is imported where it is used: see `starting`.
"""

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ragjudge.errors import RagjudgeError
from ragjudge.metrics import budget
from ragjudge.ports import Rendered
from ragjudge.publish import REPORT, RESULTS, rendered, tell, write_file
from ragjudge.results.baseline import Baseline, without_cases
from ragjudge.results.run import RunResult
from ragjudge.session import Session
from ragjudge.starting import JOURNAL, begun, job_of

if TYPE_CHECKING:
    from ragjudge import pipeline
    from ragjudge.compare.decision import Decision
    from ragjudge.compare.policy import GatePolicy
    from ragjudge.engine.cleanup import Cleaned
    from ragjudge.report.formats import Format
    from ragjudge.report.view import ReportView


@dataclass(frozen=True, slots=True)
class Ending:
    """What a sitting came to. `error` is what ended the run early; it decides the exit code then."""

    run: RunResult
    decision: "Decision"
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
    from ragjudge.compare.gate import decide_alone, decide_part
    from ragjudge.compare.policy import policy_from

    gate = decide_part if session.shard else decide_alone
    decision = gate(run, policy_from(session.settings), today=session.now().date())
    return ending_of(session, run, None, decision, ran.error)


def view_of(
    session: Session,
    run: RunResult,
    baseline: Baseline | None,
    decision: "Decision",
    *,
    suggestions: tuple[str, ...] = (),
) -> "ReportView":
    """The report as plain data, for any form."""
    from ragjudge.compare.drift import with_drift
    from ragjudge.compare.policy import policy_from
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


async def _checked(session: Session, baseline: Baseline | None) -> tuple[Session, "pipeline.Checked"]:
    from ragjudge.compare.policy import policy_from

    policy = policy_from(session.settings)
    ready, checked, journal = await asked_anew(
        session, baseline, policy, session.settings.repeats, extras=True
    )
    if not session.settings.dsl.bisect or checked.error is not None:
        return ready, checked
    return await _attributed(session, ready, checked, journal), checked


async def asked_anew(
    session: Session, baseline: Baseline | None, policy: "GatePolicy", repeats: int, *, extras: bool = False
) -> tuple[Session, "pipeline.Checked", str]:
    """Ask, compare, confirm; the results are stored. `extras`: with what decides nothing.

    The session over the app that was asked, what came of it, and the journal's identity.
    """
    async with begun(session) as (ready, journal, parts):
        from ragjudge import pipeline

        job = replace(
            job_of(ready, journal, repeats),
            answers_before=baseline is not None and baseline.answers_stored,
            extras=extras,
        )
        checked = await pipeline.check(parts, job, baseline, policy)
    ready = replace(ready, extras=replace(ready.extras, scope=(*ready.extras.scope, *checked.said)))
    return ready, replace(checked, run=_stored(ready, checked.run)), journal.identity


def as_judged_again(baseline: Baseline | None, checked: "pipeline.Checked") -> Baseline | None:
    """The baseline as the report compares with it."""
    if baseline is None or checked.before is None:
        return baseline
    return baseline.model_copy(update={"run": checked.before})


async def _attributed(
    session: Session, ready: Session, checked: "pipeline.Checked", journal_identity: str
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


async def _ran(session: Session, repeats: int) -> tuple[Session, "pipeline.Ran"]:
    async with begun(session) as (ready, journal, parts):
        from ragjudge import pipeline

        return ready, await pipeline.run(parts, job_of(ready, journal, repeats))


def _stored(session: Session, run: RunResult) -> RunResult:
    """Write results.json and hand back the run as it stands there: whatever is told later holds no key."""
    from ragjudge.results import codec

    data = codec.dumps(run)
    text = data.decode()
    clean = session.redact(text)
    write_file(session.papers / RESULTS, clean)
    return run if clean == text else codec.loads(clean.encode(), place=RESULTS)


def _decided(session: Session, run: RunResult, before: Baseline | RunResult | None) -> "Decision":
    from ragjudge.compare.gate import decide
    from ragjudge.compare.policy import policy_from

    then = before.run if isinstance(before, Baseline) else before
    return decide(then, run, policy_from(session.settings), today=session.now().date())


def ending_of(
    session: Session,
    run: RunResult,
    baseline: Baseline | None,
    decision: "Decision",
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


def say_what_is_left(session: Session, cleaned: "Cleaned | None") -> None:
    if cleaned is not None and cleaned.left:
        from ragjudge.engine.cleanup import not_deleted

        session.warn(not_deleted(cleaned.left))
