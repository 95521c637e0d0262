"""Numbers over the suite: metrics, groups, the trend."""

from ragjudge.report import escape, numbers
from ragjudge.report.blocks import Block, Charts, Column, Faint, Line, NewLine, Paragraph, Section, Table
from ragjudge.report.layout import charts, sentences
from ragjudge.report.view.model import GroupMean, GroupView, MetricView, ReportView
from ragjudge.report.wording.base import Wording

LONGEST_VALUE = 40
FEWEST_POINTS = 2


def metrics(view: ReportView, words: Wording) -> Section | None:
    if not view.metrics:
        return None
    labels = words.labels
    compared = any(metric.change is not None for metric in view.metrics)
    floors = any(metric.minimum is not None for metric in view.metrics)
    bounded = any(metric.low is not None for metric in view.metrics)
    change = labels.change_with_interval if bounded else labels.change
    columns = [Column(labels.metric)]
    if compared:
        columns.append(Column(labels.before, "right"))
    columns.append(Column(labels.after, "right"))
    if compared:
        columns += [Column(change, "right"), Column(labels.tolerance, "right")]
    if floors:
        columns.append(Column(labels.minimum, "right"))
    columns += [Column(labels.scored, "right"), Column(labels.mark)]
    rows = tuple(_metric_row(metric, words, compared=compared, floors=floors) for metric in view.metrics)
    blocks: list[Block] = [Table(tuple(columns), rows)]
    blocks += [Paragraph((_drops(metric, words),)) for metric in view.metrics if metric.drops]
    return Section(words.headings.metrics, tuple(blocks), essential=True)


def groups(view: ReportView, words: Wording) -> Section | None:
    if not view.groups:
        return None
    changes = any(mean.change is not None for g in view.groups for r in g.rows for mean in r.means.values())
    blocks: list[Block] = [Paragraph((words.phrases.intro_groups,))] if changes else []
    blocks += [_group_table(group, view, words) for group in view.groups]
    return Section(words.headings.groups, tuple(blocks))


def trend(view: ReportView, words: Wording) -> Section | None:
    """Means of the former baselines and of this run, oldest first."""
    history = view.baseline.history if view.baseline else ()
    if len(history) < FEWEST_POINTS:
        return None
    columns = (
        Column(words.labels.metric),
        Column(words.phrases.since.format(date=f"{history[0].at:%Y-%m-%d}")),
        Column(words.labels.first, "right"),
        Column(words.labels.after, "right"),
    )
    rows = []
    for metric in view.metrics:
        points = [*(entry.means.get(metric.name) for entry in history), metric.now]
        first = next((point for point in points if point is not None), None)
        ends = (numbers.mean(metric.name, first), numbers.mean(metric.name, metric.now))
        rows.append(((words.metric(metric.name),), (numbers.sparkline(points),), *((end,) for end in ends)))
    table = Table(columns, tuple(rows))
    drawn = tuple(
        chart for metric in view.metrics if (chart := charts.trend(metric, history, words)) is not None
    )
    return Section(
        words.headings.trend, (table, Charts(words.phrases.as_chart, drawn)) if drawn else (table,)
    )


def score_header(view: ReportView, words: Wording) -> tuple[Column, ...]:
    """One column per metric for tables of cases."""
    return tuple(Column(words.metric(name), "right") for name in view.metric_names)


def _metric_row(metric: MetricView, words: Wording, *, compared: bool, floors: bool) -> tuple[Line, ...]:
    cells: list[Line] = [(words.metric(metric.name),)]
    if compared:
        cells.append((numbers.mean(metric.name, metric.before),))
    cells.append((numbers.mean(metric.name, metric.now),))
    if compared:
        bounds = numbers.interval(metric.name, metric.low, metric.high)
        change = numbers.change_of_mean(metric.name, metric.change)
        cells.append((change, NewLine(), Faint(bounds)) if bounds else (change,))
        cells.append((numbers.limit(metric.tolerance),))
    if floors:
        cells.append((numbers.limit(metric.minimum),))
    scored = words.phrases.scored_of.format(scored=metric.scored, total=metric.total)
    if metric.not_applicable:
        scored += words.phrases.and_not_applicable.format(count=metric.not_applicable)
    cells += [(scored,), (words.marks[metric.mark],)]
    return tuple(cells)


def _drops(metric: MetricView, words: Wording) -> str:
    listed = [
        f"{escape.cut(d.case_id, sentences.LONGEST_ID)} ({numbers.change_of_score(metric.name, d.change)})"
        for d in metric.drops
    ]
    ids = words.phrases.list_comma.join(listed)
    return words.phrases.intro_metrics.format(metric=words.metric(metric.name), ids=ids)


def _group_table(group: GroupView, view: ReportView, words: Wording) -> Table:
    names = {"category": words.labels.category, "tag": words.labels.tag}
    head = names.get(group.kind) or escape.cut(group.name, LONGEST_VALUE)
    weak = any(row.needs_improvement for row in group.rows)
    columns = [Column(head), Column(words.labels.cases, "right"), *score_header(view, words)]
    if weak:
        columns.append(Column(words.labels.weak, "right"))
    rows = []
    for row in group.rows:
        cells: list[Line] = [(escape.cut(row.value, LONGEST_VALUE),), (numbers.count(row.cases),)]
        cells += [(_group_mean(row.means[name], words),) for name in view.metric_names]
        if weak:
            cells.append((numbers.count(row.needs_improvement) if row.needs_improvement else numbers.NONE,))
        rows.append(tuple(cells))
    return Table(tuple(columns), tuple(rows))


def _group_mean(mean: GroupMean, words: Wording) -> str:
    if mean.mean is None:
        return numbers.NONE
    text = numbers.group_mean(mean.mean)
    change = numbers.NONE if mean.change is None else numbers.change_of_group(mean.change)
    if mean.change is None or change.startswith(numbers.UNCHANGED):
        return text
    return f"{text}（{change}）" if words.language == "ja" else f"{text} ({change})"
