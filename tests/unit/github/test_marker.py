"""The hidden first line of the comment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragjudge.github.marker import Marker

MARKER = Marker(suite="tests/rag/*.json", head="a" * 40, run=123, attempt=2, number=45)


@given(
    st.builds(
        Marker,
        suite=st.text(),
        head=st.text("0123456789abcdef", max_size=40),
        run=st.integers(0, 10**17),
        attempt=st.integers(0, 999_999),
        number=st.integers(0, 999_999_999),
    )
)
def test_any_marker_is_read_back_and_stays_one_html_comment(marker):
    """Whatever the suite is called, the line closes where it should."""
    line = str(marker)

    assert marker == Marker.of(f"{line}\nbody")
    assert line.count("-->") == 1
    assert "\n" not in line


@pytest.mark.parametrize(
    "body", ["", "text", f"> {MARKER}", f"\n{MARKER}", f"x{MARKER}", "<!-- ragjudge -->"]
)
def test_a_quoted_or_broken_marker_is_none(body):
    """Only the very start of a body counts."""
    assert Marker.of(body) is None


@pytest.mark.parametrize(
    ("run", "attempt", "newer"), [(124, 1, True), (123, 3, True), (123, 2, False), (122, 9, False)]
)
def test_order_is_by_run_then_attempt(run, attempt, newer):
    """A re-run of an old run stays old."""
    other = Marker(suite=MARKER.suite, head="b" * 40, run=run, attempt=attempt, number=1)

    assert other.is_newer_than(MARKER) is newer
