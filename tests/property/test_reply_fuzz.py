"""A short run of the reply fuzzer; bench/fuzz runs it at length."""

import pytest

from bench.fuzz.replies import fuzz


@pytest.mark.parametrize("seed", [11, 12])
def test_no_exception_and_no_invented_value_in_a_thousand_replies(seed):
    """Kept replies read true or not at all, destroyed ones not at all, scrambled ones only what they state."""
    outcomes = fuzz(1000, seed)

    assert 1000 == sum(outcomes.values())
    assert {"read", "refused"} == {outcome for _, outcome in outcomes}
