"""The page that opens from a disk."""

import re

import pytest

from ragjudge.report import html
from tests.unit.report import effects
from tests.unit.report.stories import STORIES, failed


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("name", STORIES)
def test_page_needs_nothing_else(name, language):
    """No script, no picture, no font, nothing to load; the language is declared."""
    page = html.render(STORIES[name](language).view())
    tags, _ = effects.skeleton(page)
    assert not {"script", "img", "link", "iframe", "object", "form", "input"} & {tag for tag, _ in tags}
    assert ("html", (("lang", language),)) in tags
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src &#x27;none&#x27;" in page


def test_tags_are_balanced():
    """Every element that is opened is closed, in order."""
    page = html.render(failed("ja").view())
    void = {"meta", "br", "!doctype"}
    stack = []
    for closing, tag in re.findall(r"<(/?)([a-z!][a-z0-9]*)", page):
        if tag in void:
            continue
        if closing:
            assert stack.pop() == tag
        else:
            stack.append(tag)
    assert stack == []


def test_contents_lead_to_sections():
    """Each entry of the contents has its section."""
    page = html.render(failed("ja").view())
    wanted = set(re.findall(r'href="#(s\d+)"', page))
    assert wanted
    assert wanted <= set(re.findall(r'<section id="(s\d+)"', page))


def test_verdict_colours_the_page():
    """The verdict is the body's class and the heading's first word."""
    page = html.render(failed("en").view())
    assert '<body class="failed">' in page
    assert "<h1>❌ ragjudge: Failed — tests/rag/rules.json</h1>" in page


def test_long_answers_keep_their_lines():
    """Where there is room an answer is shown whole, line by line."""
    story = failed("ja")
    cases = list(story.run.cases)
    sample = cases[2].samples[0]
    lines = "一行目\n二行目 <b>\n" + "長い" * 300
    answer = sample.answer.model_copy(update={"text": lines})
    cases[2] = cases[2].model_copy(update={"samples": (sample.model_copy(update={"answer": answer}),)})
    shown = type(story)(
        story.run.model_copy(update={"cases": tuple(cases)}), story.before, story.decision, "ja"
    )
    assert f"一行目<br>二行目 &lt;b&gt;<br>{'長い' * 300}" in html.render(shown.view())
