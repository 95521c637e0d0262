import numpy as np
import pytest

from ragjudge.compare.stats import Paired, holm, interval_of_mean, p_of_drop


def flat(pairs):
    return [Paired((b,), (a,)) for b, a in pairs]


def test_equal_samples_give_p_of_one():
    """Nothing changed: every relabeling is as low as what was seen."""
    assert 1.0 == p_of_drop(flat([(5, 5)] * 20))


def test_p_of_a_sign_flip_matches_the_binomial_by_hand():
    """Ten drops of the same size, one sample each side: only the identity is as low, 1 in 1024."""
    p = p_of_drop(flat([(5, 4)] * 10))

    assert 1 / 1024 == pytest.approx(p, rel=0.5)


def test_p_with_three_to_one_samples_matches_the_count_by_hand():
    """Per case the low sample is "after" in 1 of 4 arrangements; three cases: 1 in 64."""
    p = p_of_drop([Paired((5, 5, 5), (1,))] * 3)

    assert 1 / 64 == pytest.approx(p, rel=0.2)


def test_p_is_the_same_on_every_call():
    """Nothing random but the fixed seed."""
    pairs = flat([(5, 4), (4, 5), (3, 3), (5, 2)] * 5)

    assert p_of_drop(pairs) == p_of_drop(pairs)


def test_false_alarms_of_the_test_keep_its_level():
    """Skewed noise, three samples before and one after: p <= 0.05 in about 5 % of runs, not more."""
    random = np.random.default_rng(7)
    runs, hits = 400, 0
    for _ in range(runs):
        noise = random.choice([0, -1, 1, -2], p=[0.8, 0.09, 0.09, 0.02], size=(30, 4))
        pairs = [Paired(tuple(map(float, row[:3])), (float(row[3]),)) for row in noise]
        hits += p_of_drop(pairs) <= 0.05

    assert hits / runs <= 0.05 + 3 * (0.05 * 0.95 / runs) ** 0.5


def test_more_cases_than_clusters_give_a_small_p_for_a_real_drop():
    """Ten thousand cases are relabeled in groups and the drop is still seen."""
    pairs = [Paired((5.0, 4.0, 5.0), (4.0,)), Paired((3.0, 3.0, 4.0), (3.0,))] * 2000

    assert p_of_drop(pairs) < 0.001


def test_holm_by_hand():
    """Holm 1979: smallest times m, next times m-1, never falling."""
    found = holm({"a": 0.01, "b": 0.04, "c": 0.03})

    assert {"a": pytest.approx(0.03), "c": pytest.approx(0.06), "b": pytest.approx(0.06)} == found


def test_holm_never_exceeds_one():
    assert {"a": 1.0, "b": 1.0} == holm({"a": 0.8, "b": 0.9})


def test_the_interval_of_a_mean_holds_it():
    """And is as wide as the textbook's 1.96 standard errors, roughly."""
    values = [1.0, 2.0, 3.0, 4.0, 5.0] * 20
    found = interval_of_mean(values)

    assert found is not None
    half = 1.96 * 2**0.5 / 10
    assert 3 - half == pytest.approx(found.low, abs=0.05)
    assert 3 + half == pytest.approx(found.high, abs=0.05)


def test_one_value_has_no_interval():
    assert interval_of_mean([4.0]) is None


def test_many_values_are_resampled_in_groups():
    """10,000 values give the interval of 10,000 values, not of 500."""
    random = np.random.default_rng(3)
    found = interval_of_mean(list(random.normal(size=10_000)))

    assert found is not None
    assert 2 * 1.96 / 100 == pytest.approx(found.high - found.low, rel=0.15)
