"""The published formulas, written out a second time in the plainest way, on generated verdicts."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragjudge.metrics.formulas import average_precision, cosine, relevancy, share

verdicts = st.lists(st.booleans(), min_size=1, max_size=40)
numbers = st.floats(min_value=-1e150, max_value=1e150).filter(lambda x: x == 0 or abs(x) > 1e-150)
vectors = st.lists(numbers, min_size=3, max_size=3).filter(any)


@given(verdicts)
def test_share_is_the_exact_fraction(given_verdicts):
    """Supported ÷ all, for every pattern of verdicts."""
    exact = Fraction(len([v for v in given_verdicts if v]), len(given_verdicts))
    assert share(given_verdicts) == pytest.approx(float(exact), abs=1e-15)


@given(verdicts.flatmap(lambda v: st.tuples(st.just(v), st.permutations(v))))
def test_share_does_not_change_by_the_order_of_verdicts(pair):
    """Faithfulness and context recall count; only context precision goes by rank."""
    first, second = pair
    assert share(first) == share(second)


@given(verdicts)
def test_average_precision_is_the_sum_over_k_of_precision_at_k_times_v_k_over_the_useful_ones(
    given_verdicts,
):
    """Ragas' published formula in exact fractions; 0 where its denominator is 0."""
    v = [int(verdict) for verdict in given_verdicts]
    numerator = sum(Fraction(sum(v[: k + 1]), k + 1) * v[k] for k in range(len(v)))
    expected = numerator / sum(v) if sum(v) else Fraction(0)
    assert average_precision(given_verdicts) == pytest.approx(float(expected), abs=1e-12)


@given(verdicts)
def test_average_precision_differs_from_ragas_by_its_small_constant_alone(given_verdicts):
    """Ragas divides by the number of useful contexts + 1e-10: at most 1e-10 apart."""
    v = [int(verdict) for verdict in given_verdicts]
    ragas = sum(sum(v[: k + 1]) / (k + 1) * v[k] for k in range(len(v))) / (sum(v) + 1e-10)
    assert abs(average_precision(given_verdicts) - ragas) < 1e-9


@given(verdicts.filter(lambda v: False in v and True in v))
def test_moving_a_useful_context_up_never_lowers_average_precision(given_verdicts):
    """Order is what context precision measures."""
    at = next(
        (i for i in range(1, len(given_verdicts)) if given_verdicts[i] and not given_verdicts[i - 1]), None
    )
    if at is None:
        return
    better = list(given_verdicts)
    better[at - 1], better[at] = better[at], better[at - 1]
    assert average_precision(better) > average_precision(given_verdicts)


@given(st.integers(1, 50))
def test_all_useful_is_exactly_one(count):
    """Not 0.9999999999, whatever the number of contexts."""
    assert average_precision([True] * count) == 1.0
    assert share([True] * count) == 1.0


@given(vectors, vectors)
def test_cosine_is_symmetric_and_bounded(a, b):
    """Between −1 and 1, the same both ways, finite for any finite vectors."""
    value = cosine(a, b)
    assert -1.0 <= value <= 1.0
    assert value == pytest.approx(cosine(b, a), abs=1e-12)


@given(vectors, st.floats(min_value=1e-3, max_value=1e3))
def test_cosine_ignores_length(a, factor):
    """Only the direction of a vector counts."""
    assert cosine(a, [x * factor for x in a]) == pytest.approx(1.0, abs=1e-9)


@given(st.lists(st.tuples(st.floats(-1, 1), st.booleans()), min_size=1, max_size=10))
def test_relevancy_is_the_mean_times_not_all_non_committal(pairs):
    """Ragas' published formula."""
    similarities = [similarity for similarity, _ in pairs]
    flags = [flag for _, flag in pairs]
    expected = sum(similarities) / len(similarities) * int(not all(flags))
    assert relevancy(similarities, flags) == pytest.approx(expected, abs=1e-12)
    assert math.isfinite(relevancy(similarities, flags))
