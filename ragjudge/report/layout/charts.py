"""The trend of one metric as a chart: enough points, labels of their own, an axis that shows the movement."""

from collections.abc import Sequence
from datetime import datetime
from math import isfinite

from ragjudge.report import numbers
from ragjudge.report.blocks import Chart
from ragjudge.report.view.model import MetricView
from ragjudge.report.wording.base import Wording
from ragjudge.results.baseline import HistoryEntry

FEWEST = 4
"""Three points are read faster in the table."""
MOST = 20
LARGEST = 1_000.0
MARGIN = 0.1
"""Of the scale, kept free above and below the line, so that a small movement is not drawn as a cliff."""


def trend(metric: MetricView, history: Sequence[HistoryEntry], words: Wording) -> Chart | None:
    """Means of former baselines and of this run, oldest first; None where there are too few."""
    known = [(entry.at, entry.means[metric.name]) for entry in history if metric.name in entry.means]
    known = [(at, mean) for at, mean in known if _is_a_mean(mean)][-(MOST - 1) :]
    labels, means = _labels([at for at, _ in known]), [mean for _, mean in known]
    if metric.now is not None and _is_a_mean(metric.now):
        labels, means = [*labels, words.phrases.this_run], [*means, metric.now]
    if len(means) < FEWEST:
        return None
    margin = MARGIN * numbers.span(metric.name)
    return Chart(
        title=words.metric(metric.name),
        points=tuple(zip(labels, means, strict=True)),
        low=max(min(means) - margin, min(0.0, *means)),
        high=max(means) + margin,
    )


def _is_a_mean(value: float) -> bool:
    """A stored baseline may be damaged; what is off every scale is not drawn."""
    return isfinite(value) and abs(value) <= LARGEST


def _labels(times: Sequence[datetime]) -> list[str]:
    """Days, or minutes where a day has two, or numbers: equal labels would fall on one point."""
    for form in ("%m-%d", "%Y-%m-%d", "%m-%d %H:%M"):
        labels = [f"{at:{form}}" for at in times]
        if len(set(labels)) == len(labels):
            return labels
    return [str(number) for number in range(1, len(times) + 1)]
