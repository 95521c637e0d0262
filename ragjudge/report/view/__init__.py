"""From a run, its baseline and the gate's finding to one view model that every sink renders. Pure."""

from dataclasses import replace

from ragjudge.compare.decision import CaseStatus, Decision
from ragjudge.dsl.change import Change
from ragjudge.language import Language, Text
from ragjudge.report.extras import Extras
from ragjudge.report.view import cases, groups, judged, metrics, pairs
from ragjudge.report.view.model import AppChangeView, BaselineView, ReportView
from ragjudge.results.baseline import Baseline
from ragjudge.results.run import RunResult
from ragjudge.settings import ReportSettings

__all__ = ["Extras", "ReportView", "build"]


def build(
    run: RunResult | None,
    before: RunResult | None,
    decision: Decision,
    *,
    report: ReportSettings,
    notices: tuple[Text, ...] = (),
    extras: Extras | None = None,
) -> ReportView:
    """The view of one check. `run` is None where nothing was judged, `before` where there is no baseline.

    `notices` come first in the report: what the pull request changes in the gate, in accepted changes or in a
    server's address. With `report.content: scores` the view holds no text of app, judge or tester at all; the DSL's
    words stay, as they stand in the repository itself.
    """
    extras = extras or Extras()
    scores_only = report.content == "scores"
    view = ReportView(
        language=report.language,
        verdict=decision.verdict,
        suite=run.suite.name if run else extras.suite,
        reasons=decision.reasons,
        warnings=decision.warnings,
        details=report.details,
        scores_only=scores_only,
        notices=tuple(notice.in_language(report.language) for notice in notices),
        scope=tuple(said.in_language(report.language) for said in extras.scope),
        app_changes=tuple(_app_change(change, report.language) for change in extras.app_changes),
        unproven=extras.unproven and run is not None,
        problems=tuple(problem.in_language(report.language) for problem in extras.problems),
        suggestions=() if scores_only else extras.suggestions,
        baseline=_baseline(extras.baseline),
        rest_url=extras.rest_url,
        attribution=extras.attribution,
    )
    if run is not None:
        kept = extras.baseline is None or extras.baseline.answers_stored
        view = _with_run(view, run, decision, before=before, answers_kept=kept)
    return _without_texts(view) if scores_only else view


def _app_change(change: Change, language: Language) -> AppChangeView:
    return AppChangeView(change.text.in_language(language), change.place.file, change.pieces, change.node)


def _with_run(
    view: ReportView, run: RunResult, decision: Decision, *, before: RunResult | None, answers_kept: bool
) -> ReportView:
    compared = {case.case_id: case for case in decision.cases} if before else {}
    then = {case.case.id: case for case in before.cases} if before else {}
    shown = [
        cases.shown(
            result,
            metrics=run.metrics,
            compared=compared.get(result.case.id),
            before=then.get(result.case.id) if answers_kept else None,
        )
        for result in run.cases
    ]
    here = {case.id for case in shown}
    for case_id, comparison in compared.items():
        if case_id not in here:
            known = then.get(case_id)
            shown.append(cases.gone(case_id, comparison.status, known.case if known else None))
    present = [case for case in shown if case.status is not CaseStatus.REMOVED and case.skipped is None]
    return replace(
        view,
        metrics=metrics.shown(decision, run.metrics, shown),
        cases=tuple(shown),
        groups=groups.means(present, run.metrics),
        judged=judged.identity(run),
        cost=judged.cost(run, with_nodes=not view.scores_only),
        stopped=run.stopped,
        pairs=pairs.lines(run.pairs, view.language, with_reasons=not view.scores_only),
    )


def _without_texts(view: ReportView) -> ReportView:
    grouped = frozenset(group.name for group in view.groups if group.kind == "field")
    return replace(
        view,
        cases=tuple(cases.without_texts(case, fields=grouped) for case in view.cases),
        reasons=tuple(reason.model_copy(update={"detail": ""}) for reason in view.reasons),
        warnings=tuple(reason.model_copy(update={"detail": ""}) for reason in view.warnings),
        stopped=None if view.stopped is None else "",
    )


def _baseline(stored: Baseline | None) -> BaselineView | None:
    if stored is None:
        return None
    return BaselineView(stored_at=stored.stored_at, commit=stored.run.commit, history=stored.history)
