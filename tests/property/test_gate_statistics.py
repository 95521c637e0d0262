"""Why the gate's test is a permutation test: it is monotone, and it does not know which run came first."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ragjudge.compare.stats import Paired, holm, interval_of_mean, p_of_drop

SCORES = st.sampled_from((1.0, 2.0, 3.0, 4.0, 5.0))
SAMPLES = st.lists(SCORES, min_size=1, max_size=3).map(tuple)
PAIRS = st.lists(st.builds(Paired, SAMPLES, SAMPLES), min_size=1, max_size=12)
P_VALUES = st.dictionaries(st.sampled_from("abcde"), st.floats(0.0001, 1.0), min_size=1)


@settings(max_examples=60, deadline=None)
@given(PAIRS, st.data())
def test_a_lower_score_never_raises_the_p_value(pairs, data):
    """A t test fails this: one score made much worse widens the spread."""
    number = data.draw(st.integers(0, len(pairs) - 1))
    place = data.draw(st.integers(0, len(pairs[number].after) - 1))
    after = list(pairs[number].after)
    after[place] -= data.draw(st.sampled_from((0.5, 1.0, 4.0)))
    worse = [*pairs[:number], Paired(pairs[number].before, tuple(after)), *pairs[number + 1 :]]

    assert p_of_drop(worse) <= p_of_drop(pairs)


@settings(max_examples=40, deadline=None)
@given(PAIRS)
def test_adding_a_constant_to_every_sample_changes_nothing(pairs):
    """Hard and easy questions weigh the same: each case is compared with itself."""
    moved = [
        Paired(tuple(b + n for b in pair.before), tuple(a + n for a in pair.after))
        for n, pair in enumerate(pairs)
    ]

    assert p_of_drop(pairs) == p_of_drop(moved)


@given(P_VALUES, st.data())
def test_holm_is_monotone_and_never_below_the_raw_value(p_values, data):
    """A metric that gets worse never rescues another one."""
    name = data.draw(st.sampled_from(sorted(p_values)))
    lower = {**p_values, name: p_values[name] / 2}
    one, other = holm(p_values), holm(lower)

    assert all(other[key] <= one[key] for key in p_values)
    assert all(one[key] >= p for key, p in p_values.items())


@settings(max_examples=40, deadline=None)
@given(st.lists(SCORES, min_size=2, max_size=30))
def test_an_interval_holds_the_mean_and_stays_on_the_scale(values):
    found = interval_of_mean(values)

    assert min(values) <= found.low <= sum(values) / len(values) + 1e-9
    assert sum(values) / len(values) - 1e-9 <= found.high <= max(values)
