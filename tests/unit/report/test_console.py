"""The report at a terminal."""

import pytest

from ragjudge.report import console
from tests.unit.report.stories import STORIES, failed, no_baseline


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("name", STORIES)
def test_plain_text_has_no_control_characters(name, language):
    """Not a terminal: no colours, nothing but lines."""
    text = console.render(STORIES[name](language).view())
    assert all(char.isprintable() or char == "\n" or char == "\u200b" for char in text)


def test_names_verdict_cases_and_cost():
    """The first line is the verdict; regressed cases and the cost are there."""
    lines = console.render(failed("ja").view()).splitlines()
    assert lines[0] == "❌ ragjudge: 不合格 — tests/rag/rules.json"
    assert any(line.startswith("7 ") and "★☆☆☆☆" in line for line in lines)
    assert lines[-1] == "1分12秒 · トークン 138,812 · 0.02 USD"


def test_tells_of_the_offline_judge():
    """Who reads only the terminal must know that no model judged."""
    assert "offline" in console.render(no_baseline("ja").view())


def test_terminal_gets_colours():
    """A terminal gets escape sequences of ours."""
    assert "\x1b[" in console.render(failed("en").view(), terminal=True)


def test_markup_in_an_answer_stays_text():
    """Square brackets of rich's markup and its emoji codes are shown, not obeyed."""
    story = failed("en")
    cases = list(story.run.cases)
    hostile = "[red]x[/red] [link=http://e]y[/link] :boom: \x1b[31m ::error::z"
    cases[2] = cases[2].model_copy(update={"case": cases[2].case.model_copy(update={"question": hostile})})
    shown = type(story)(
        story.run.model_copy(update={"cases": tuple(cases)}), story.before, story.decision, "en"
    )
    text = console.render(shown.view(), width=400)
    assert "[red]x[/red]" in text
    assert "␛[31m" in text
    assert "::error" not in text
