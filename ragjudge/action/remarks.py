"""Annotations: the cases that decided, on their own lines of the suite."""

from collections.abc import Iterable

from ragjudge.compare.decision import CaseComparison, CaseStatus, Decision, MetricOnCase, Verdict
from ragjudge.github.commands import Annotation, Level
from ragjudge.language import Language, Text
from ragjudge.results.run import RunResult
from ragjudge.suite.natural import NaturalKey, natural

_SHOWN: dict[CaseStatus, tuple[Level, Text]] = {
    CaseStatus.REGRESSED: ("error", Text("got worse", "悪化しました")),
    CaseStatus.REMOVED: ("error", Text("was removed", "削除されました")),
    CaseStatus.NEWLY_SKIPPED: ("error", Text("is newly skipped", "新たにスキップされました")),
    CaseStatus.UNSCORED: ("warning", Text("could not be scored", "採点できませんでした")),
}


def remarks(decision: Decision, run: RunResult, language: Language) -> list[Annotation]:
    """Worst first. Where nobody is to blame there is none; the runner shows the first ten of each level."""
    if decision.verdict in (Verdict.PASSED, Verdict.NO_BASELINE, Verdict.SKIPPED):
        return []
    wanted = [case for case in decision.cases if case.status in _SHOWN]
    return [_remark(case, run, language) for case in sorted(wanted, key=_badness)]


def _badness(case: CaseComparison) -> tuple[int, float, NaturalKey]:
    changes = _changes(case.metrics.values())
    return (list(_SHOWN).index(case.status), min(changes, default=0.0), natural(case.case_id))


def _changes(metrics: Iterable[MetricOnCase]) -> list[float]:
    return [metric.change for metric in metrics if metric.change is not None]


def _remark(case: CaseComparison, run: RunResult, language: Language) -> Annotation:
    level, what = _SHOWN[case.status]
    found = run.case(case.case_id)
    source = found.case.source if found else None
    drops = [
        f"{name} {metric.before:.2f} → {metric.after:.2f}"
        for name, metric in case.metrics.items()
        if metric.status is case.status and metric.before is not None and metric.after is not None
    ]
    detail = f" ({', '.join(drops)})" if drops else ""
    return Annotation(
        level,
        f"{case.case_id}: {what.in_language(language)}{detail}",
        title="ragjudge",
        file=source.file if source else "",
        line=source.line if source else None,
    )
