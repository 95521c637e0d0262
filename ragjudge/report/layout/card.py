"""One case as a card: everything about it that helps to see why its score is what it is."""

from collections.abc import Sequence

from ragjudge.metric_specs import CORRECTNESS
from ragjudge.report import escape
from ragjudge.report.blocks import Column, Inline, Line, NewLine, Table
from ragjudge.report.layout import case_cells as cells
from ragjudge.report.layout import sentences
from ragjudge.report.layout.shape import Shape
from ragjudge.report.view.model import CaseView
from ragjudge.report.wording.base import Wording

LONGEST_COMMENT = 120
LONGEST_REASON = 400
LEAST_DROP = 0.05
"""Share of its scale by which a metric must fall to have its reason shown."""

Row = tuple[str, Line]


def card(case: CaseView, words: Wording, shape: Shape) -> Table:
    """A table of two columns; its head is the id, and the score that gave the case its status."""
    rows = [
        *_texts(case, words, shape),
        *_judgement(case, words, shape),
        *_background(case, words, shape),
    ]
    columns = (Column(escape.cut(case.id, sentences.LONGEST_ID)), Column(_title(case, words)))
    return Table(columns, tuple(((label,), line) for label, line in rows))


def _title(case: CaseView, words: Wording) -> str:
    status = str(words.statuses[case.status]) if case.status is not None else ""
    metric = cells.worst_metric(case)
    if metric is None:
        return status
    score = f"{words.metric(metric)} {cells.before_to_now(metric, case.scores[metric], words)}"
    return f"{status}: {score}" if status else score


def _texts(case: CaseView, words: Wording, shape: Shape) -> list[Row]:
    labels = words.labels
    changed = case.answer_before if case.answer_before != case.answer else None
    texts = (
        (labels.question, case.question),
        (labels.reference, case.reference),
        (labels.answer, case.answer),
        (labels.answer_before, changed),
        (labels.summary, case.summary),
    )
    return [(label, _body(body, shape)) for label, body in texts if body]


def _judgement(case: CaseView, words: Wording, shape: Shape) -> list[Row]:
    labels = words.labels
    worst = cells.worst_metric(case)
    rows: list[Row] = []
    comments = [
        f"{words.viewpoints.get(name, name)}: {escape.cut(comment, max(shape.text, LONGEST_COMMENT))}"
        for name, comment in case.comments.items()
    ]
    if comments:
        rows.append((labels.comments, _lines(comments)))
    others = [
        f"{words.metric(name)} {cells.before_to_now(name, score, words)}"
        for name, score in case.scores.items()
        if score.after is not None and name != worst
    ]
    if others:
        rows.append((labels.metric, _lines(others)))
    again = [f"{words.metric(n)} {cells.fresh(n, s)}" for n, s in case.scores.items() if s.fresh]
    if again:
        rows.append((labels.fresh, _lines(again)))
    return [*rows, *_reasons(case, words)]


def _background(case: CaseView, words: Wording, shape: Shape) -> list[Row]:
    labels = words.labels
    rows: list[Row] = []
    if case.contexts:
        titles = words.phrases.list_comma.join(
            escape.cut(title, cells.LONGEST_CELL) for title in case.contexts
        )
        rows.append((labels.contexts, (escape.cut(titles, LONGEST_REASON),)))
    elif case.missing_contexts is not None:
        rows.append(
            (labels.contexts, (sentences.ended(words.missing_contexts[case.missing_contexts], words),))
        )
    fields = {**case.fields, labels.category: case.category or ""}
    named = [
        f"{escape.cut(k, cells.LONGEST_FIELD)}: {escape.cut(v, shape.text)}" for k, v in fields.items() if v
    ]
    if named:
        rows.append((labels.fields, (" · ".join(named),)))
    if case.accepted_reason:
        rows.append((labels.accepted_reason, (escape.cut(case.accepted_reason, LONGEST_REASON),)))
    return rows


def _reasons(case: CaseView, words: Wording) -> list[Row]:
    """Why the other metrics fell, each reason once (correctness speaks through its comments)."""
    found: dict[str, list[str]] = {}
    for name, score in case.scores.items():
        fell = cells.drop_of(name, score) < -LEAST_DROP
        if fell and score.reason and name != CORRECTNESS.name:
            found.setdefault(score.reason, []).append(words.metric(name))
    label = words.labels.reason
    return [
        (
            f"{label}{sentences.bracketed(words.phrases.list_comma.join(names), words)}",
            (escape.cut(reason, LONGEST_REASON),),
        )
        for reason, names in found.items()
    ]


def _body(text: str, shape: Shape) -> Line:
    """One line, or where there is room the text with its own line ends."""
    if not shape.keeps_line_ends:
        return (escape.cut(text, shape.text),)
    shown = escape.visible(text).strip("\n")
    lines = shown[: shape.text].split("\n")
    if len(shown) > shape.text:
        lines.append(escape.ELLIPSIS)
    return _lines([line for line in lines if line.strip()])


def _lines(texts: Sequence[str]) -> Line:
    line: list[Inline] = []
    for text in texts:
        if line:
            line.append(NewLine())
        line.append(text)
    return tuple(line)
