"""The section on which change broke which cases."""

from dataclasses import replace

import pytest

from ragjudge.language import Text
from ragjudge.report import console, html, markdown
from ragjudge.results.attribution import Alone, Attribution
from tests.unit.report.stories import failed

TITLES = {"en": "#### Which change broke them", "ja": "#### 原因となった変更"}


def one(name, tried=(), broken=(), why_not=None, lines=0):
    said = tuple(Text(f"Node “{name}”: line {n}", f"ノード「{name}」: 変更{n}") for n in range(lines))
    why = why_not and Text(why_not, why_not)
    return Alone(Text(f"node “{name}”", f"ノード「{name}」"), said, tuple(tried), tuple(broken), why)


def shown(language, attribution):
    story = failed(language)
    return replace(story, extras=replace(story.extras, attribution=attribution)).view()


def section(attribution, language="en"):
    body = markdown.file(shown(language, attribution))
    return body.partition(TITLES[language] + "\n")[2].partition("\n#### ")[0]


def test_the_one_change_is_named_with_its_cases():
    """The conclusion first, then each change with what it breaks; the cases that it leaves alone are no blame."""
    found = Attribution(("1", "2"), (one("A", "12", "12", lines=1), one("B", "12")))
    body = section(found)

    assert "The node “A” alone breaks 1, 2." in body
    assert "B” alone breaks" not in body
    assert "<strong>Node “A”</strong><br><sub>line 0</sub> | 1, 2 | 2 / 2 |" in body
    assert "<strong>Node “B”</strong> | – | 2 / 2 |" in body


def test_each_case_is_blamed_on_its_own_change():
    """Two harmful changes with a case each."""
    body = section(Attribution(("1", "2"), (one("A", "12", "1"), one("B", "12", "2"))))

    assert "The node “A” alone breaks 1." in body
    assert "The node “B” alone breaks 2." in body


@pytest.mark.parametrize(
    ("language", "says"), [("en", "together they do"), ("ja", "組み合わせると下がります")]
)
def test_changes_that_only_break_together_are_told(language, says):
    """Tried with every change, broken by none."""
    found = Attribution(("1", "2"), (one("A", "12"), one("B", "12")))

    assert says in section(found, language)


def test_what_was_not_tried_everywhere_is_no_proof_of_togetherness():
    """The second change could not be tried: nothing is concluded about the case, and it is named."""
    found = Attribution(("1",), (one("A", "1"), one("B", why_not="no plugin")))
    body = section(found)

    assert "together" not in body
    assert "No change that was tried breaks 1. Not tried on every one of them: node “B”." in body
    assert "not tried: no plugin" in body
    assert "| 0 / 1 |" in body


def test_cases_that_were_not_asked_at_all_are_counted_apart():
    """Nothing is said about them, and nobody takes the worst ones for all."""
    body = section(Attribution(("1", "2", "3"), (one("A", "1", "1"), one("B", "1"))))

    assert "The node “A” alone breaks 1." in body
    assert "No change that was tried" not in body
    assert "2 more of the cases were not asked. Trying took" in body


def test_nothing_tried_is_told_in_one_sentence():
    """Each change says why."""
    body = section(Attribution(("1",), (one("A", why_not="gone"), one("B", why_not="gone"))))

    assert "None of the changes could be tried." in body
    assert body.count("not tried: gone") == 2


def test_a_change_that_was_tried_in_part_says_so_beside_what_it_broke():
    """The budget ended in the middle: what was found stays."""
    body = section(Attribution(("1", "2"), (one("A", "1", "1", "spent"), one("B", "12"))))

    assert "| 1<br><sub>not all tried: spent</sub> | 1 / 2 |" in body
    assert "No change that was tried breaks 2. Not tried on every one of them: node “A”." in body


def test_cases_that_every_change_breaks_are_blamed_on_none_until_the_base_was_tried():
    """Either each change does it, or something outside the DSL."""
    found = Attribution(("1", "2"), (one("A", "12", "12"), one("B", "12", "1")))
    undecided = section(found)
    outside = section(replace(found, unchanged=one("base", "1", "1")))
    each = section(replace(found, unchanged=one("base", "1")))

    assert "Every change alone breaks 1: either each of them does" in undecided
    assert "The node “A” alone breaks 2." in undecided
    assert "1 got worse without any change of the DSL, too" in outside
    assert "The node “A” alone breaks 2." in outside
    assert "The node “A” alone breaks 1, 2." in each
    assert "The node “B” alone breaks 1." in each


@pytest.mark.parametrize(("language", "says"), [("en", "Not tried: why"), ("ja", "調べていません: why")])
def test_why_nothing_was_tried_is_one_sentence(language, says):
    """No table without rows."""
    body = section(Attribution(("1",), why_not=Text("why", "why")), language)

    assert says in body
    assert "|" not in body


def test_no_attribution_has_no_section():
    """Nothing is said where nothing was asked for."""
    assert TITLES["en"] not in markdown.file(shown("en", None))


def test_every_form_of_the_report_has_the_section_beside_the_changes():
    """Comment, file, page and terminal; what it took is said, too."""
    found = Attribution(("1",), (one("A", "1", "1"), one("B", "1")), questions=1200, judge_tokens=34000)
    view = shown("ja", found)

    for body in (markdown.comment(view), markdown.file(view), html.render(view), console.render(view)):
        assert "ノード「A」だけで、ケース 1 の品質が下がりました" in body
    assert "質問 1,200 件と評価LLMの 34,000 トークン" in markdown.file(view)


def test_long_lists_and_names_are_cut():
    """Twelve changes with many lines stay readable."""
    many = tuple(one("N" * 400, ("1",), (), lines=9) for _ in range(12))
    body = section(Attribution(("1",), many))

    assert len(max(body.splitlines(), key=len)) < 2500
    assert body.count("7 more changes") == 12
