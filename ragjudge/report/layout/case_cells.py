"""One case in cells: its id and team fields, a score with its change, a card with all that is known of it."""

from collections.abc import Sequence

from ragjudge.metric_specs import BUILT_IN, CORRECTNESS
from ragjudge.report import escape, numbers
from ragjudge.report.blocks import Code, Column, Inline, Line, NewLine, Table
from ragjudge.report.layout import sentences
from ragjudge.report.view.model import CaseView, ReportView, ScoreView
from ragjudge.report.wording.base import Wording

MOST_FIELDS = 4
LONGEST_CELL = 60
LONGEST_FIELD = 30
LONGEST_COMMENT = 120
LONGEST_REASON = 400


def field_names(view: ReportView) -> tuple[str, ...]:
    """The team's own fields for tables: those that group cases first, as many as a table bears."""
    grouping = [group.name for group in view.groups if group.kind == "field"]
    others = [name for case in view.cases for name in case.fields]
    return tuple(dict.fromkeys((*grouping, *others)))[:MOST_FIELDS]


def id_columns(view: ReportView, words: Wording) -> tuple[Column, ...]:
    """Id, team fields, category, question: how a tester recognises a case."""
    columns = [Column(words.labels.case)]
    columns += [Column(escape.cut(name, LONGEST_FIELD)) for name in field_names(view)]
    if any(case.category for case in view.cases):
        columns.append(Column(words.labels.category))
    if not view.scores_only:
        columns.append(Column(words.labels.question))
    return tuple(columns)


def id_cell(case: CaseView) -> Line:
    return (Code(escape.cut(case.id, sentences.LONGEST_ID)),)


def id_cells(case: CaseView, view: ReportView) -> tuple[Line, ...]:
    cells: list[Line] = [id_cell(case)]
    cells += [(escape.cut(case.fields.get(name, ""), LONGEST_FIELD),) for name in field_names(view)]
    if any(other.category for other in view.cases):
        cells.append((escape.cut(case.category or "", LONGEST_FIELD),))
    if not view.scores_only:
        cells.append((escape.cut(case.question or "", LONGEST_CELL),))
    return tuple(cells)


def now_with_change(metric: str, score: ScoreView, words: Wording) -> Line:
    """`★★☆☆☆ 2（−3）`: for tables where every case stands."""
    if score.after is None:
        return ("⚠️",) if score.unscored is not None else (numbers.NONE,)
    text = _with_stars(metric, score.after)
    change = numbers.change_of_score(metric, score.change)
    if score.change is None or change.startswith(numbers.UNCHANGED):
        return (text,)
    return (f"{text}（{change}）" if words.language == "ja" else f"{text} ({change})",)


def before_to_now(metric: str, score: ScoreView, words: Wording) -> str:
    """`★★★★★ 5 → ★★☆☆☆ 2（−3）`."""
    before = _with_stars(metric, score.before) if score.before is not None else numbers.NONE
    now = _with_stars(metric, score.after) if score.after is not None else numbers.NONE
    if score.change is None:
        return now if score.before is None else f"{before} → {now}"
    change = numbers.change_of_score(metric, score.change)
    if change.startswith(numbers.UNCHANGED):
        return now
    return f"{before} → {now}（{change}）" if words.language == "ja" else f"{before} → {now} ({change})"


def fresh(metric: str, score: ScoreView) -> str:
    return ", ".join(numbers.score(metric, value) for value in score.fresh)


def worst_metric(case: CaseView) -> str | None:
    """The metric that gave the case its status: of those, the one with the largest drop for its scale."""
    guilty = [name for name, score in case.scores.items() if score.status == case.status]
    return min(guilty or case.scores, key=lambda name: _drop_of(name, case.scores[name]), default=None)


def drop(case: CaseView) -> float:
    """The case's largest drop as a share of its scale, below zero; sorts the worst case first."""
    metric = worst_metric(case)
    return 0.0 if metric is None else _drop_of(metric, case.scores[metric])


def _drop_of(metric: str, score: ScoreView) -> float:
    spec = BUILT_IN.get(metric)
    return 0.0 if score.change is None else score.change / (spec.span if spec else CORRECTNESS.span)


def card(case: CaseView, words: Wording, *, text: int) -> Table:
    """Everything about one case that helps to see why its score is what it is."""
    rows = [
        *_texts(case, words, text=text),
        *_judgement(case, words, text=text),
        *_background(case, words, text=text),
    ]
    columns = (Column(escape.cut(case.id, sentences.LONGEST_ID)), Column(card_title(case, words)))
    return Table(columns, tuple(((label,), line) for label, line in rows))


def card_title(case: CaseView, words: Wording) -> str:
    status = str(words.statuses[case.status]) if case.status is not None else ""
    metric = worst_metric(case)
    if metric is None:
        return status
    score = f"{words.metric(metric)} {before_to_now(metric, case.scores[metric], words)}"
    return f"{status}: {score}" if status else score


def _texts(case: CaseView, words: Wording, *, text: int) -> list[tuple[str, Line]]:
    labels = words.labels
    changed = case.answer_before if case.answer_before != case.answer else None
    texts = (
        (labels.question, case.question),
        (labels.reference, case.reference),
        (labels.answer, case.answer),
        (labels.answer_before, changed),
        (labels.summary, case.summary),
    )
    return [(label, (escape.cut(body, text),)) for label, body in texts if body]


def _judgement(case: CaseView, words: Wording, *, text: int) -> list[tuple[str, Line]]:
    labels = words.labels
    worst = worst_metric(case)
    rows: list[tuple[str, Line]] = []
    comments = [
        f"{words.viewpoints.get(name, name)}: {escape.cut(comment, max(text, LONGEST_COMMENT))}"
        for name, comment in case.comments.items()
    ]
    if comments:
        rows.append((labels.comments, _lines(comments)))
    others = [
        f"{words.metric(name)} {before_to_now(name, score, words)}"
        for name, score in case.scores.items()
        if score.after is not None and name != worst
    ]
    if others:
        rows.append((labels.metric, _lines(others)))
    again = [f"{words.metric(n)} {fresh(n, s)}" for n, s in case.scores.items() if s.fresh]
    if again:
        rows.append((labels.fresh, _lines(again)))
    return [*rows, *_reasons(case, words)]


def _background(case: CaseView, words: Wording, *, text: int) -> list[tuple[str, Line]]:
    labels = words.labels
    rows: list[tuple[str, Line]] = []
    if case.contexts:
        titles = words.phrases.list_comma.join(escape.cut(title, LONGEST_CELL) for title in case.contexts)
        rows.append((labels.contexts, (escape.cut(titles, LONGEST_REASON),)))
    elif case.missing_contexts is not None:
        rows.append(
            (labels.contexts, (sentences.ended(words.missing_contexts[case.missing_contexts], words),))
        )
    fields = {**case.fields, labels.category: case.category or ""}
    named = [f"{escape.cut(k, LONGEST_FIELD)}: {escape.cut(v, text)}" for k, v in fields.items() if v]
    if named:
        rows.append((labels.fields, (" · ".join(named),)))
    if case.accepted_reason:
        rows.append((labels.accepted_reason, (escape.cut(case.accepted_reason, LONGEST_REASON),)))
    return rows


def _reasons(case: CaseView, words: Wording) -> list[tuple[str, Line]]:
    """Why the other metrics fell, each reason once (correctness speaks through its comments)."""
    found: dict[str, list[str]] = {}
    for name, score in case.scores.items():
        fell = score.change is not None and score.change < 0
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


def _with_stars(metric: str, value: float) -> str:
    number = numbers.score(metric, value)
    return f"{numbers.stars(value)} {number}" if metric == CORRECTNESS.name else number


def _lines(texts: Sequence[str]) -> Line:
    line: list[Inline] = []
    for text in texts:
        if line:
            line.append(NewLine())
        line.append(text)
    return tuple(line)
