"""The sticky comment on a loopback GitHub."""

import pytest

from ragjudge.github.comment import CommentMode, Fate, StickyComment
from ragjudge.github.marker import Marker
from tests.github_server import BOT, Pull
from tests.integration.github.conftest import HEAD


def marker(run=100, attempt=1, suite="rag.json", head=HEAD):
    return Marker(suite=suite, head=head, run=run, attempt=attempt, number=run - 90)


@pytest.fixture
def sticky(api, github):
    def of(**more):
        return StickyComment(api, "octo/app", 7, marker(**more), f"{github.url}/graphql")

    return of


def post(comment, text="report", mode=CommentMode.UPDATE):
    return comment.post(text, mode)


def test_the_first_run_creates_and_the_second_updates_the_same(github, sticky):
    """One comment, the newest text, one address."""
    first = post(sticky(run=100), "one")
    second = post(sticky(run=101), "two")

    assert (first.fate, second.fate) == (Fate.CREATED, Fate.UPDATED)
    assert first.url == second.url != ""
    assert [f"{marker(run=101)}\ntwo"] == github.bodies(7)


def test_ours_is_found_among_150(github, sticky):
    """The 120th of 150 comments lies on the second page."""
    for n in range(119):
        github.add_comment(7, f"talk {n}")
    ours = github.add_comment(7, f"{marker()}\nold", BOT)
    for n in range(30):
        github.add_comment(7, f"more {n}")

    posted = post(sticky(run=101), "new")

    assert posted.fate is Fate.UPDATED
    assert ours["body"].endswith("\nnew")
    assert len(github.bodies(7)) == 150


def test_a_strangers_copy_of_our_marker_is_left_alone(github, sticky):
    """Marker AND author: nobody can make us write into, or hide behind, their comment."""
    theirs = github.add_comment(7, f"{marker(run=10**9)}\nfake", "mallory")

    assert post(sticky()).fate is Fate.CREATED
    assert theirs["body"].endswith("fake")
    assert len(github.bodies(7, BOT)) == 1


def test_our_own_comment_that_quotes_the_marker_is_not_taken(github, sticky):
    """A marker counts at the very start only."""
    github.add_comment(7, f"someone said:\n{marker()}", BOT)

    assert post(sticky()).fate is Fate.CREATED


def test_an_older_run_does_not_overwrite_a_newer(github, sticky):
    """The slow run of an old commit ends last, and stays silent."""
    post(sticky(run=200), "new")

    late = post(sticky(run=150), "old")

    assert late.fate is Fate.LEFT_TO_NEWER
    assert late.url
    assert github.bodies(7) == [f"{marker(run=200)}\nnew"]


def test_a_run_whose_commit_is_no_longer_the_head_says_nothing(github, sticky):
    """Even before the newer run has written anything."""
    github.pulls[7] = Pull(head_sha="f" * 40)

    assert post(sticky()).fate is Fate.LEFT_TO_NEWER
    assert github.bodies(7) == []


def test_two_suites_keep_two_comments(github, sticky):
    """A monorepo with two apps."""
    post(sticky(suite="a.json"), "A1")
    post(sticky(suite="b.json"), "B1")
    post(sticky(suite="a.json", run=101), "A2")

    assert [f"{marker(suite='a.json', run=101)}\nA2", f"{marker(suite='b.json')}\nB1"] == github.bodies(7)


def test_new_makes_one_each_and_off_none(github, sticky):
    """The three values of the `comment` input."""
    post(sticky(run=100), mode=CommentMode.NEW)
    post(sticky(run=101), mode=CommentMode.NEW)
    assert post(sticky(run=102), mode=CommentMode.OFF).fate is Fate.OFF

    assert len(github.bodies(7)) == 2


@pytest.mark.parametrize("status", [403, 404])
def test_without_the_right_to_write_there_is_a_hint(github, sticky, status):
    """No exception: the verdict is not the comment's business."""
    github.fail_next(
        "POST", "comments", status, body={"message": "Resource not accessible by integration"}, times=9
    )

    posted = post(sticky())

    assert posted.fate is Fate.NOT_POSTED
    assert posted.note is not None
    assert "pull-requests: write" in posted.note.en
    assert "pull-requests: write" in posted.note.ja


def test_an_outage_of_github_is_a_note_too(github, sticky):
    """5xx for ever."""
    github.fail_next("GET", "comments", 503, times=99)

    assert post(sticky()).fate is Fate.NOT_POSTED


def test_a_gateway_error_after_the_work_makes_no_second_comment(github, sticky):
    """The comment was made though GitHub said 502."""
    github.fail_next("POST", "issues/7/comments", 502, done_first=True)

    assert post(sticky()).fate is Fate.CREATED
    assert len(github.bodies(7)) == 1


def test_a_gateway_error_before_the_work_is_tried_again(github, sticky):
    """The comment was not made, so that one more try makes it."""
    github.fail_next("POST", "issues/7/comments", 502)

    assert post(sticky()).fate is Fate.CREATED
    assert len(github.bodies(7)) == 1


def test_a_personal_tokens_login_is_asked_for(github, sticky):
    """With a token of its own the comment's author is not the Actions bot."""
    github.login = "qa-robot"
    post(sticky(run=100))

    assert post(sticky(run=101)).fate is Fate.UPDATED


def test_where_graphql_is_closed_the_actions_bot_is_meant(github, sticky):
    """Old or locked servers still find the comment."""
    github.fail_next("POST", "graphql", 404, times=9)
    post(sticky(run=100))

    assert post(sticky(run=101)).fate is Fate.UPDATED
