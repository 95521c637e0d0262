"""When a GitHub call is tried again."""

import pytest

from ragjudge.github.waiting import Reply, pause_after_no_answer, pause_before_retry

NOW = 1_800_000_000.0
SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."


def pause(status, headers=None, message="", *, tries=1, repeatable=True):
    return pause_before_retry(
        Reply(status, headers or {}, message), tries=tries, now=NOW, repeatable=repeatable
    )


@pytest.mark.parametrize(
    ("status", "headers", "message", "expected"),
    [
        (500, {}, "", 1.0),
        (503, {"retry-after": "5"}, "", 5.0),
        (429, {"retry-after": "0.503"}, "", 0.503),
        (429, {"retry-after": "Fri, 15 Jan 2027 08:00:20 GMT"}, "", 20.0),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1800000030"}, "", 31.0),
        (403, {"x-ratelimit-remaining": "0"}, "", 60.0),
        (403, {}, SECONDARY, 60.0),
        (429, {}, "", 60.0),
        (403, {"retry-after": "soon"}, SECONDARY, 60.0),
    ],
)
def test_waits_as_long_as_github_says(status, headers, message, expected):
    """A named time is kept, an unnamed secondary limit waits the minute that GitHub asks for."""
    assert expected == pytest.approx(pause(status, headers, message))


@pytest.mark.parametrize(
    ("status", "headers", "message"),
    [
        (403, {}, "Resource not accessible by integration"),
        (401, {}, "Bad credentials"),
        (404, {}, "Not Found"),
        (422, {}, "Validation Failed"),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1800003600"}, ""),
        (429, {"retry-after": "3600"}, ""),
        (503, {"retry-after": "inf"}, ""),
    ],
)
def test_a_final_answer_is_not_waited_for(status, headers, message):
    """Refusals, and limits that reset long after anybody would wait, end at once."""
    assert pause(status, headers, message) is None


def test_a_nan_in_retry_after_is_no_time():
    """`Retry-After: nan` falls back to the rule for an unnamed time."""
    assert pause(503, {"retry-after": "nan"}) == 1.0


def test_an_unnamed_secondary_limit_is_tried_three_times_at_most():
    """Each try counts against the limit itself."""
    assert [pause(403, {}, SECONDARY, tries=n) for n in (1, 2, 3)] == [60.0, 60.0, None]


def test_a_5xx_is_final_where_the_work_may_be_done():
    """A comment must not be posted twice because a gateway timed out."""
    assert pause(502, {}, repeatable=False) is None


def test_pauses_grow_and_end():
    """A dead server is given up after four calls."""
    assert [pause(500, {}, tries=n) for n in (1, 2, 3, 4)] == [1.0, 2.0, 4.0, None]
    assert [pause_after_no_answer(tries=n) for n in (1, 2, 3, 4)] == [1.0, 2.0, 4.0, None]
