"""A check that had nothing to judge, told as such: no question was asked, and green does not mean passed."""

from dataclasses import replace

from ragjudge import publish, sitting
from ragjudge.compare.decision import Decision, Reason, ReasonCode, Verdict
from ragjudge.exit_codes import ExitCode
from ragjudge.report.headline import headline
from ragjudge.report.view import build
from ragjudge.session import Session


def tell_unchanged(session: Session) -> int:
    """`dsl.skip_unchanged`: app, suite and settings do what the baseline's did. The exit code."""
    decision = Decision(verdict=Verdict.SKIPPED, reasons=(Reason(code=ReasonCode.NOTHING_CHANGED),))
    view = build(
        None,
        None,
        decision,
        report=session.settings.report,
        notices=session.notices,
        extras=replace(session.extras, suite=session.suite.name),
    )
    outputs = {
        "verdict": decision.verdict.value,
        "exit-reason": headline(view),
        "cases-total": str(sum(case.skip is None for case in session.suite.cases)),
        "report-path": str(session.out / publish.REPORT),
        "baseline-updated": "false",
    }
    sitting.publish(session, publish.rendered(view, session.redact, outputs, ExitCode.OK))
    return ExitCode.OK
