"""One case in cells: its id and team fields, a score with its change."""

from ragjudge.metric_specs import CORRECTNESS
from ragjudge.report import escape, numbers
from ragjudge.report.blocks import Code, Line
from ragjudge.report.layout import sentences
from ragjudge.report.view.model import CaseView, ReportView, ScoreView
from ragjudge.report.wording.base import Wording

MOST_FIELDS = 4
LONGEST_CELL = 60
LONGEST_FIELD = 30


def field_names(view: ReportView) -> tuple[str, ...]:
    """The team's own fields for tables: those that group cases first, as many as a table bears."""
    grouping = [group.name for group in view.groups if group.kind == "field"]
    others = [name for case in view.cases for name in case.fields]
    return tuple(dict.fromkeys((*grouping, *others)))[:MOST_FIELDS]


def id_cell(case: CaseView) -> Line:
    return (Code(escape.cut(case.id, sentences.LONGEST_ID)),)


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
    return min(guilty or case.scores, key=lambda name: drop_of(name, case.scores[name]), default=None)


def drop(case: CaseView) -> float:
    """The case's largest drop as a share of its scale, below zero; sorts the worst case first."""
    metric = worst_metric(case)
    return 0.0 if metric is None else drop_of(metric, case.scores[metric])


def drop_of(metric: str, score: ScoreView) -> float:
    """A score's change as a share of its metric's scale."""
    return 0.0 if score.change is None else score.change / numbers.span(metric)


def _with_stars(metric: str, value: float) -> str:
    number = numbers.score(metric, value)
    return f"{numbers.stars(value)} {number}" if metric == CORRECTNESS.name else number
