"""The section on what the pull request changes in the app."""

from dataclasses import replace

import pytest

from ragjudge.dsl.change import Change
from ragjudge.dsl.word_diff import Piece
from ragjudge.errors import Place
from ragjudge.language import Text
from ragjudge.report import console, html, markdown
from tests.unit.report.stories import failed, passed, skipped


def told(story, *changes, unproven=False):
    """The story's comment with these changes of the app."""
    return markdown.comment(shown(story, *changes, unproven=unproven))


def shown(story, *changes, unproven=False):
    return replace(story, extras=replace(story.extras, app_changes=changes, unproven=unproven)).view()


def change(text, file="dify/a.yml", **more):
    return Change(Text(text, text), Place(file, line=3), **more)


def test_words_that_went_and_came_are_marked_in_every_form():
    """Struck and inserted on GitHub and in the HTML file, quoted in a terminal."""
    view = shown(
        passed("en"),
        change("Prompt", pieces=(Piece("same", "Be "), Piece("gone", "kind"), Piece("new", "brief"))),
    )

    assert "- Prompt: Be <del>kind</del><ins>brief</ins>" in markdown.comment(view)
    assert "Prompt: Be <del>kind</del><ins>brief</ins>" in html.render(view)
    assert "Be −「kind」+「brief」" in console.render(view)


def test_many_changes_are_folded_none_is_lost():
    """Eight are open, the others behind a fold that says how many."""
    body = told(passed("en"), *(change(f"Change {n}.") for n in range(20)))

    assert "<summary>12 more changes</summary>" in body
    assert all(f"- Change {n}." in body for n in range(20))
    assert body.index("Change 7.") < body.index("<summary>12 more") < body.index("Change 8.")


def test_several_files_are_told_apart():
    """With one file its name would say nothing."""
    assert "- `dify/b.yml` Two" in told(passed("en"), change("One"), change("Two", "dify/b.yml"))
    assert "dify/a.yml" not in told(passed("en"), change("One"), change("Two"))


@pytest.mark.parametrize(("language", "says"), [("en", "API key alone"), ("ja", "APIキーだけでは")])
def test_what_was_judged_is_said_only_beside_a_change(language, says):
    """No change of the DSL, or an app that is the DSL itself: no remark."""
    assert says in told(passed(language), change("One"), unproven=True)
    assert says not in told(passed(language), change("One"))
    assert says not in told(passed(language), unproven=True)


def test_a_run_that_judged_nothing_claims_nothing():
    """Without a run there is no version to speak of."""
    assert "API key alone" not in told(skipped("en"), change("One"), unproven=True)


def test_nodes_that_changed_stand_beside_the_cases_that_got_worse():
    """A passed check lists the changes only."""
    changes = (change("One", node="Retrieval"), change("Two", node="Retrieval"), change("Three", node="LLM"))

    assert "Nodes that changed: Retrieval, LLM (cases that got worse: 3, 7)" in told(failed("en"), *changes)
    assert "Nodes that changed" not in told(passed("en"), *changes)
