"""Tables of cases: the columns that identify a case, and whichever others a section wants beside them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ragjudge.metric_specs import CORRECTNESS
from ragjudge.report import escape, numbers
from ragjudge.report.blocks import Column, Faint, Inline, Line, NewLine, Table
from ragjudge.report.layout import case_cells as cells
from ragjudge.report.view.model import CaseView, ReportView
from ragjudge.report.wording.base import Wording
from ragjudge.results.outcome import Cause

LONGEST_SUMMARY = 80
LONGEST_DETAIL = 120


@dataclass(frozen=True, slots=True)
class Field:
    """A column of a table of cases."""

    title: str
    cell: Callable[[CaseView], Line]
    align: Literal["left", "right"] = "left"


def table(found: Iterable[CaseView], view: ReportView, words: Wording, extras: Sequence[Field]) -> Table:
    columns = (*_identity(view, words), *extras)
    rows = (tuple(column.cell(case) for column in columns) for case in found)
    return Table(tuple(Column(column.title, column.align) for column in columns), tuple(rows))


def _identity(view: ReportView, words: Wording) -> list[Field]:
    """Id, team fields, category, question: how a tester recognises a case."""
    columns = [Field(words.labels.case, cells.id_cell)]
    columns += [_field(name) for name in cells.field_names(view)]
    if any(case.category for case in view.cases):
        columns.append(
            Field(words.labels.category, lambda case: (escape.cut(case.category or "", cells.LONGEST_FIELD),))
        )
    if not view.scores_only:
        columns.append(
            Field(words.labels.question, lambda case: (escape.cut(case.question or "", cells.LONGEST_CELL),))
        )
    return columns


def _field(name: str) -> Field:
    return Field(
        escape.cut(name, cells.LONGEST_FIELD),
        lambda case: (escape.cut(case.fields.get(name, ""), cells.LONGEST_FIELD),),
    )


def change(words: Wording) -> Field:
    """The worst metric's way from the baseline to now."""

    def cell(case: CaseView) -> Line:
        metric = cells.worst_metric(case)
        if metric is None:
            return (numbers.NONE,)
        return (f"{words.metric(metric)} {cells.before_to_now(metric, case.scores[metric], words)}",)

    return Field(words.labels.change, cell)


def fresh(words: Wording) -> Field:
    def cell(case: CaseView) -> Line:
        metric = cells.worst_metric(case)
        again = cells.fresh(metric, case.scores[metric]) if metric else ""
        return (again or numbers.NONE,)

    return Field(words.labels.fresh, cell)


def score(metric: str, words: Wording) -> Field:
    def cell(case: CaseView) -> Line:
        found = case.scores.get(metric)
        return (numbers.NONE,) if found is None else cells.now_with_change(metric, found, words)

    return Field(words.metric(metric), cell, "right")


def status(words: Wording) -> Field:
    return Field(
        words.labels.status,
        lambda case: (numbers.NONE if case.status is None else str(words.statuses[case.status]),),
    )


def status_icon(words: Wording) -> Field:
    """The sign alone, for wide tables; a legend stands above them."""
    return Field(
        words.labels.status, lambda case: ("" if case.status is None else words.statuses[case.status].icon,)
    )


def numbers_only(found: Iterable[CaseView], metrics: Sequence[str], words: Wording) -> Table:
    """Ids and scores, no words: narrow enough for any number of metrics that people use."""
    columns = [Field(words.labels.case, cells.id_cell), *(score(name, words) for name in metrics)]
    rows = (tuple(column.cell(case) for column in columns) for case in found)
    return Table(tuple(Column(column.title, column.align) for column in columns), tuple(rows))


def summary(words: Wording) -> Field:
    return Field(words.labels.summary, lambda case: (escape.cut(case.summary, LONGEST_SUMMARY),))


def accepted_reason(words: Wording) -> Field:
    return Field(
        words.labels.accepted_reason, lambda case: (escape.cut(case.accepted_reason or "", LONGEST_DETAIL),)
    )


def what_is_missing(view: ReportView, words: Wording) -> Field:
    """Which scores of a case could not be had."""

    def cell(case: CaseView) -> Line:
        if case.failure is not None or len(case.unscored) == len(view.metric_names):
            return (words.phrases.all_metrics,)
        return (words.phrases.list_comma.join(words.metric(name) for name in case.unscored),)

    return Field(words.labels.metric, cell)


def why_missing(words: Wording) -> Field:
    """The cause in our words, and in small what the server said."""

    def cell(case: CaseView) -> Line:
        line: list[Inline] = []
        for cause, detail in causes_of(case).items():
            line += [NewLine()] if line else []
            line.append(words.causes[cause].what)
            if detail:
                line += [NewLine(), Faint(escape.cut(detail, LONGEST_DETAIL))]
        return tuple(line)

    return Field(words.labels.cause, cell)


def causes_of(case: CaseView) -> dict[Cause, str]:
    """Each cause once, with what was said about it first."""
    if case.failure is not None:
        return {case.failure: case.failure_detail}
    found: dict[Cause, str] = {}
    for one in case.scores.values():
        if one.unscored is not None:
            found.setdefault(one.unscored, one.detail)
    return found


def correctness_of(case: CaseView) -> float:
    found = case.scores.get(CORRECTNESS.name)
    return 0.0 if found is None or found.after is None else found.after
