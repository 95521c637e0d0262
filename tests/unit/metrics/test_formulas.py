"""The published formulas on worked examples; tests/property pins them on all inputs."""

import math

import pytest

from ragjudge.metrics.formulas import average_precision, cosine, relevancy, share


def test_share_is_positive_verdicts_over_all_verdicts():
    """Three of four supported statements are a faithfulness of 0.75."""
    assert share([True, True, False, True]) == 0.75


@pytest.mark.parametrize("formula", [share, average_precision])
def test_nothing_out_of_nothing_is_no_score(formula):
    """Without a verdict there is neither 0 nor 1 nor a division by zero."""
    with pytest.raises(ValueError, match="no verdicts"):
        formula([])


@pytest.mark.parametrize(
    ("useful", "expected"),
    [
        ([True], 1.0),
        ([True, True, True], 1.0),
        ([False, False], 0.0),
        ([True, False, True], (1 / 1 + 2 / 3) / 2),
        ([False, True, False, True], (1 / 2 + 2 / 4) / 2),
    ],
)
def test_average_precision_rewards_useful_contexts_at_the_top(useful, expected):
    """The mean of precision@k over the useful ranks, and exactly 1.0 where all are useful."""
    assert average_precision(useful) == expected


def test_relevancy_is_zero_only_where_every_question_is_non_committal():
    """One committal reading of the answer is enough to let the similarity count, as in Ragas."""
    assert relevancy([0.9, 0.9], [True, True]) == 0.0
    assert relevancy([0.9, 0.7], [True, False]) == pytest.approx(0.8)


def test_cosine_of_a_vector_with_itself_is_one_and_never_more():
    """Rounding must not lift a perfect similarity over 1."""
    vector = [0.1, 0.2, 0.3, 1e-3] * 50
    assert cosine(vector, vector) == pytest.approx(1.0)
    assert cosine(vector, vector) <= 1.0


@pytest.mark.parametrize(
    ("vector", "why"),
    [([0.0, 0.0], "zero"), ([math.nan, 1.0], "finite"), ([math.inf, 1.0], "finite"), ([1.0], "2 and 1")],
)
def test_a_cosine_that_is_not_defined_is_refused(vector, why):
    """A zero vector, one that is not finite, or one of another length gives no number at all."""
    with pytest.raises(ValueError, match=why):
        cosine([1.0, 2.0], vector)
