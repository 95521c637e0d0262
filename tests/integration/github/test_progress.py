"""The comment of a run that takes longer than a minute."""

import pytest

from ragjudge.action.progress import CommentProgress, LogProgress
from ragjudge.github.comment import CommentMode, StickyComment
from tests.integration.github.test_comment import marker


class Watch:
    def __init__(self):
        self.at = 0.0

    def __call__(self):
        return self.at


@pytest.fixture
def watch():
    return Watch()


@pytest.fixture
def sticky(api, github):
    return StickyComment(api, "octo/app", 7, marker(), f"{github.url}/graphql")


@pytest.fixture
def progress(sticky, watch):
    return CommentProgress(sticky, lambda: "en", run_url="https://github.example/run", now=watch)


def test_a_short_run_leaves_the_comment_to_its_report(progress, github, watch):
    """Nothing within the first minute."""
    watch.at = 59.0
    progress(10, 50)
    progress.settle()

    assert github.bodies(7) == []


def test_a_longer_run_says_how_far_it_is_and_the_report_replaces_that(progress, sticky, github, watch):
    """One comment all the while; the report is the last to write."""
    watch.at = 61.0
    progress(10, 50)
    progress.settle()
    running = github.bodies(7)
    sticky.post("### report", CommentMode.UPDATE)

    assert ["10 of 50 questions done" in body for body in running] == [True]
    assert [body.endswith("### report") for body in github.bodies(7)] == [True]


def test_the_last_case_writes_nothing(progress, github, watch):
    """The report comes at once."""
    watch.at = 100.0
    progress(50, 50)
    progress.settle()

    assert github.bodies(7) == []


def test_the_log_gets_a_line_per_tenth_and_no_case_id():
    """Ids are other people's text."""
    said = []
    log = LogProgress(lambda text: said.append(text.en))

    log.started(40)
    for _ in range(40):
        log.case_done("::error::id")

    assert said == ["Asking 40 questions", *(f"{n} of 40 done" for n in range(4, 41, 4))]
