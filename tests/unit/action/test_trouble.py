"""The short report in place of a real one: servers and files put their words into errors."""

import pytest
from markdown_it import MarkdownIt

from ragjudge.action import trouble
from ragjudge.errors import AppUnreachable, ConfigFault, Place, Problem
from ragjudge.exit_codes import ExitCode
from ragjudge.language import Text
from tests import hostile

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def tokens(markdown):
    for token in PARSER.parse(markdown):
        yield token
        yield from token.children or ()


def test_no_hostile_text_acts_in_it():
    """Every string of the collection, as the words of an error: no image, link, HTML, code or table of its own."""
    for text in hostile.STRINGS:
        report = trouble.of_error(AppUnreachable(Text(text, text)), "ja")
        seen = list(tokens(report.comment()))
        acting = [t for t in seen if t.type in {"image", "link_open", "html_block", "fence", "table_open"}]
        html = [t.content for t in seen if t.type == "html_inline" and t.content != "<br>"]
        assert (acting, html) == ([], []), text
        assert [t.tag for t in seen if t.type == "heading_open"] == ["h3"], text


def test_each_problem_is_annotated_on_its_own_line():
    """In the files of the pull request; what has no place stands alone."""
    what = Text("wrong", "誤り")
    fault = ConfigFault([Problem(what, Place("ragjudge.yml", 3)), Problem(what)])

    found = trouble.annotations(fault, "en")

    assert [("ragjudge.yml", 3), ("", None)] == [(a.file, a.line) for a in found]


def test_outputs_say_why_in_one_line_and_name_a_verdict_only_where_there_is_one():
    """Exit 3 is a verdict, exit 2 is none."""
    later = trouble.told(Text("a\n  → b", "あ"), ExitCode.CANNOT_TELL, "en")
    change = trouble.told(Text("a", "あ"), ExitCode.MUST_CHANGE, "ja")

    assert ("inconclusive", "a → b") == (later.outputs["verdict"], later.outputs["exit-reason"])
    assert ("", "あ") == (change.outputs["verdict"], change.outputs["exit-reason"])


def test_every_exit_code_that_ends_in_trouble_has_a_title():
    """In both languages."""
    for code in ExitCode:
        if code is not ExitCode.OK:
            for language in ("ja", "en"):
                assert trouble.told(Text("x", "x"), code, language).comment().startswith("### ⚠️ ragjudge")


@pytest.mark.parametrize(
    "filler", ["<&@octo ::", "$", "|", "\\", "`", "誤", "\u202e", "\U0001f600", "[](", "*_"]
)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_however_much_is_wrong_it_fits_a_comment(filler, language):
    """GitHub refuses a body over 65,536 characters whole; each letter here may take many when it is escaped."""
    what = Text(filler * 5000, filler * 5000)
    report = trouble.of_error(ConfigFault([Problem(what)] * 500), language)

    assert len(report.comment()) < 60_500
    assert len(report.comment().splitlines()) > 5
    assert report.comment().splitlines()[-1].startswith("- … (+")
