"""Cases that the suite leaves out are told in every report: a green run must not hide them."""

import pytest

from ragjudge.report import console, html, junit, markdown, view
from ragjudge.results.run import CaseResult
from ragjudge.settings import ReportSettings
from tests.builders import case, run, sample
from tests.unit.report import effects
from tests.unit.report.stories import passed
from tests.unit.report.test_view import NOTHING

SINKS = [markdown.comment, markdown.file, console.render, html.render]


def told(*reasons, language="en", **report):
    left_out = [
        CaseResult(case=case(str(n), skip=why), samples=()) for n, why in enumerate(reasons, start=10)
    ]
    asked = [CaseResult(case=case(), samples=(sample(correctness=5),))]
    after = run([*asked, *left_out], metrics=("correctness",))
    settings = ReportSettings(language=language, **report)
    return view.build(after, None, NOTHING, report=settings)


@pytest.mark.parametrize("sink", SINKS)
def test_skipped_cases_are_counted_named_and_explained(sink):
    """How many, which ones, and the suite's own reasons, the most frequent first."""
    text = " ".join(sink(told("skip", "old", "later", "later")).split())

    said = "Skipped by the suite, so neither asked nor scored: 4 cases, 10, 11, 12, 13"
    assert said in text.replace("\u200b", "")
    assert "later: 2 cases, old: 1 case" in text


@pytest.mark.parametrize("sink", SINKS)
def test_nothing_is_said_where_nothing_is_skipped(sink):
    """A line that is always there is read by nobody."""
    assert "スキップ" not in sink(passed("ja").view())


def test_many_stay_one_line():
    """Five ids, three reasons, each cut, and how many more there are."""
    text = console.render(told(*(f"reason {n % 5} " + "x" * 99 for n in range(40)), language="ja"), width=999)

    (line,) = (line for line in text.splitlines() if "スキップ" in line)
    assert "10、11、12、13、14、ほか 35 件" in line
    assert line.count("reason ") == 3
    assert "ほか 2 種類の理由" in line
    assert len(line) < 300


def test_scores_only_counts_them_without_the_testers_words():
    """With `content: scores` no sink holds a reason."""
    shown = told("the secret plan", content="scores")

    assert all("1 case, 10." in sink(shown).replace("\u200b", "") for sink in SINKS)
    assert not any("secret" in sink(shown) for sink in [*SINKS, junit.render])


def test_a_bare_yes_and_a_withheld_reason_are_no_reason():
    """Results stored without texts hold no words for it."""
    stored = case("9", skip="later").without_texts()

    assert "1 case, 10." in console.render(told("skip"))
    assert "1 case, 10." in console.render(told(stored.skip))


def test_a_reason_is_outside_text():
    """No mention, no markup, no command."""
    shown = told("@admin <img src=x> ::error::boom")

    assert effects.on_github(markdown.comment(shown), links=frozenset()) == []
    assert effects.at_runner(console.render(shown)) == []
    assert "<img" not in html.render(shown)
