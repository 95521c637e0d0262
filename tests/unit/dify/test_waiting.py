"""How long to wait."""

from datetime import UTC, datetime

import pytest

from ragjudge.dify.waiting import backoff, retry_after

NOW = datetime(2026, 11, 30, 13, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("5", 5.0),
        ("0.503", 0.503),
        (" 7 ", 7.0),
        ("Mon, 30 Nov 2026 13:00:20 GMT", 20.0),
        ("Mon, 30 Nov 2026 22:00:20 +0900", 20.0),
        ("Mon, 30 Nov 2026 12:00:00 GMT", 0.0),
        ("-3", 0.0),
        (None, None),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("Mon, 99 Nov 2026 13:00:20 GMT", None),
    ],
)
def test_reads_retry_after_in_every_form(value, seconds):
    """Whole and fractional seconds, dates in any zone, the past, and nonsense."""
    assert seconds == retry_after(value, now=NOW)


def test_backs_off_longer_each_time_up_to_half_a_minute():
    """Between half and the whole of a doubling pause."""
    assert [0.5, 1.0, 2.0, 4.0] == [backoff(n, chance=1.0) for n in (1, 2, 3, 4)]
    assert 0.25 == backoff(1, chance=0.0)
    assert 30.0 == backoff(10**6, chance=1.0)
