"""What another step of a workflow can read of a check: the action's outputs, as plain texts. Pure."""

import json
from pathlib import Path

from ragjudge.compare.decision import CaseStatus, Decision
from ragjudge.compare.samples import is_unscored
from ragjudge.report.headline import headline
from ragjudge.report.view import ReportView
from ragjudge.results.run import RunResult


def outputs(
    run: RunResult, decision: Decision, view: ReportView, *, report: Path, results: Path
) -> dict[str, str]:
    """By their names in action.yml; `report` and `results` are the files' places."""
    regressed = [case.case_id for case in decision.with_status(CaseStatus.REGRESSED)]
    asked = [case for case in run.cases if case.case.skip is None]
    means = {m.name: round(m.mean_all, 6) for m in decision.metrics if m.mean_all is not None}
    unscored = [case for case in asked if is_unscored(case, run.metrics)]
    return {
        "verdict": decision.verdict.value,
        "exit-reason": headline(view),
        "regressed-cases": json.dumps(regressed, ensure_ascii=False),
        "cases-total": str(len(asked)),
        "cases-unscored": str(len(unscored)),
        "means": json.dumps(means, ensure_ascii=False),
        "report-path": str(report),
        "results-path": str(results),
        "baseline-updated": "false",
    }
