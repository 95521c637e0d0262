"""The cases as plain rows, for spreadsheets: every value in its own column, numbers as numbers."""

from collections.abc import Callable
from dataclasses import dataclass

from ragjudge.metric_specs import VIEWPOINTS
from ragjudge.report import wording
from ragjudge.report.layout.case_table import causes_of
from ragjudge.report.view.model import CaseView, ReportView
from ragjudge.report.wording.base import Wording

Value = str | float | None
Column = tuple[str, Callable[[CaseView], Value]]


@dataclass(frozen=True, slots=True)
class Rows:
    """Each row has one value per title of `header`. Texts are as they came: a sheet makes them safe."""

    header: tuple[str, ...]
    values: tuple[tuple[Value, ...], ...]


def of_cases(view: ReportView) -> Rows:
    """One row per case: who it is, what became of it, each score with its change, and all texts."""
    words = wording.of(view.language)
    columns = [*_identity(view, words), *_scores(view, words)]
    if not view.scores_only:
        columns += _texts(words)
    values = tuple(tuple(value(case) for _, value in columns) for case in view.cases)
    return Rows(tuple(title for title, _ in columns), values)


def of_metrics(view: ReportView) -> Rows:
    """One row per metric, as the gate saw it."""
    words = wording.of(view.language)
    labels = words.labels
    titles = (labels.metric, labels.before, labels.after, labels.change, labels.tolerance, labels.minimum)
    values = tuple(
        (
            *(words.metric(m.name), m.before, m.now, m.change, m.tolerance, m.minimum),
            *(float(m.scored), float(m.total), float(m.not_applicable), words.marks[m.mark]),
        )
        for m in view.metrics
    )
    return Rows((*titles, labels.scored, labels.cases, labels.not_applicable, labels.mark), values)


def _identity(view: ReportView, words: Wording) -> list[Column]:
    names = dict.fromkeys(name for case in view.cases for name in case.fields)
    return [
        (words.labels.case, lambda case: case.id),
        *((name, _field(name)) for name in names),
        (words.labels.category, lambda case: case.category),
        (words.labels.tag, lambda case: words.phrases.list_comma.join(case.tags)),
        (words.labels.status, lambda case: None if case.status is None else words.statuses[case.status].name),
    ]


def _scores(view: ReportView, words: Wording) -> list[Column]:
    labels = words.labels
    columns: list[Column] = []
    for name in view.metric_names:
        title = words.metric(name)
        columns += [
            (title, _score(name, "after")),
            (f"{title} ({labels.before})", _score(name, "before")),
            (f"{title} ({labels.change})", _score(name, "change")),
        ]
    columns.append(
        (labels.cause, lambda case: " ".join(words.causes[cause].what for cause in causes_of(case)))
    )
    columns.append((labels.latency, lambda case: case.latency_s))
    return columns


def _texts(words: Wording) -> list[Column]:
    labels = words.labels
    return [
        (labels.question, lambda case: case.question),
        (labels.reference, lambda case: case.reference),
        (labels.answer, lambda case: case.answer),
        (labels.answer_before, lambda case: case.answer_before),
        (labels.summary, lambda case: case.summary),
        *((words.viewpoints[name], _comment(name)) for name in VIEWPOINTS),
        (labels.contexts, lambda case: words.phrases.list_comma.join(case.contexts)),
        (labels.reason, _reasons),
    ]


def _field(name: str) -> Callable[[CaseView], Value]:
    return lambda case: case.fields.get(name)


def _comment(name: str) -> Callable[[CaseView], Value]:
    return lambda case: case.comments.get(name)


def _score(metric: str, which: str) -> Callable[[CaseView], Value]:
    def value(case: CaseView) -> Value:
        score = case.scores.get(metric)
        if score is None:
            return None
        return {"after": score.after, "before": score.before, "change": score.change}[which]

    return value


def _reasons(case: CaseView) -> Value:
    reasons = dict.fromkeys(score.reason for score in case.scores.values() if score.reason)
    return "\n".join(reason for reason in reasons if reason != case.summary)
