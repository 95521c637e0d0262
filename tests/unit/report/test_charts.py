"""The trend as a chart: what is drawn, what is not, and that nothing but numbers and dates gets in."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragjudge.report import html, markdown, mermaid, wording
from ragjudge.report.blocks import Chart
from ragjudge.report.layout import charts
from ragjudge.results.baseline import HistoryEntry
from tests.unit.report import effects, stories

WORDS = wording.of("en")
START = datetime(2026, 5, 1, 9, tzinfo=UTC)


def metric(now=0.8, name="faithfulness"):
    view = stories.failed("en").view()
    found = next(m for m in view.metrics if m.name == name)
    return replace(found, now=now)


def past(*means, step=timedelta(days=1), name="faithfulness"):
    made = HistoryEntry.model_construct  # a damaged one is refused before: the charts do not rely on it
    return [made(at=START + n * step, commit=None, means={name: mean}) for n, mean in enumerate(means)]


def test_days_and_means_oldest_first_and_this_run_last():
    """The axis leaves a tenth of the scale free."""
    chart = charts.trend(metric(), past(0.9, 0.85, 0.95), WORDS)

    assert chart is not None
    assert chart.points == (("05-01", 0.9), ("05-02", 0.85), ("05-03", 0.95), ("this run", 0.8))
    assert (chart.low, chart.high) == pytest.approx((0.7, 1.05))
    assert mermaid.source(chart) == (
        "xychart-beta\n"
        '    x-axis ["05-01", "05-02", "05-03", "this run"]\n'
        "    y-axis 0.70 --> 1.05\n"
        "    line [0.900, 0.850, 0.950, 0.800]\n"
    )


def test_too_few_points_are_left_to_the_table():
    """Two former baselines and this run."""
    assert charts.trend(metric(), past(0.9, 0.85), WORDS) is None
    assert charts.trend(metric(now=None), past(0.9, 0.85, 0.9), WORDS) is None


def test_two_baselines_of_one_day_keep_two_points():
    """Equal labels would fall together."""
    chart = charts.trend(metric(), past(0.9, 0.8, 0.7, step=timedelta(hours=1)), WORDS)
    same = charts.trend(metric(), past(0.9, 0.8, 0.7, step=timedelta(0)), WORDS)

    assert chart is not None
    assert [label for label, _ in chart.points][:2] == ["05-01 09:00", "05-01 10:00"]
    assert same is not None
    assert [label for label, _ in same.points] == ["1", "2", "3", "this run"]


def test_a_long_history_is_drawn_from_its_end():
    """Twenty points at most."""
    chart = charts.trend(metric(), past(*[n / 100 for n in range(60)]), WORDS)

    assert chart is not None
    assert len(chart.points) == charts.MOST
    assert chart.points[0][1] == 0.41


@given(st.lists(st.floats(), min_size=3, max_size=30))
def test_whatever_was_stored_the_chart_is_well_formed(means):
    """Infinite, enormous or missing numbers of a damaged baseline draw nothing of their own."""
    chart = charts.trend(metric(), past(*means), WORDS)

    if chart is not None:
        assert effects._CHART.fullmatch(mermaid.source(chart))


@pytest.mark.parametrize("label", ['a"]\nline [1]', "x;y", "%%{init}%%", ""])
def test_no_other_text_becomes_a_label(label):
    """The one place where text enters a chart refuses what is no word."""
    with pytest.raises(ValueError, match="label"):
        mermaid.source(Chart("t", ((label, 1.0),), 0.0, 1.0))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_comment_draws_each_metric_and_the_page_does_not(language):
    """Markdown only: GitHub draws it; the HTML file has the table."""
    view = stories.failed(language).view()
    text = markdown.comment(view)

    assert text.count("```mermaid\n") == len(view.metrics)
    assert text.count("\n```\n") == len(view.metrics)
    assert "xychart" not in html.render(view)
    assert effects.on_github(text, links=frozenset({view.rest_url})) == []
