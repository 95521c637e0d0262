"""Agreement between people and judge."""

import pytest

from ragjudge.assist.agreement import Pair, Trust, agree, levels_of, weighted_kappa
from ragjudge.metric_specs import CORRECTNESS, FAITHFULNESS, MetricSpec


def pairs(*scores):
    """`pairs((5, 4))`: a person said 5, the judge 4."""
    return [Pair(f"{n:02}", human, judge) for n, (human, judge) in enumerate(scores, start=1)]


def test_weighted_kappa_on_a_worked_example():
    """By hand: the mean squared distance is 4/4, by chance it would be 26/16."""
    placed = [(0, 0), (1, 1), (2, 2), (2, 0)]
    assert weighted_kappa(placed) == pytest.approx(1 - (4 / 4) / (26 / 16))


def test_perfect_agreement_is_one_and_opposite_scores_are_below_zero():
    """The ends of the scale."""
    assert weighted_kappa([(0, 0), (4, 4)]) == 1.0
    assert weighted_kappa([(0, 4), (4, 0)]) == -1.0


def test_a_judge_that_always_says_the_same_has_a_kappa_of_zero():
    """Being right by chance is no agreement, however many 5s people gave."""
    assert weighted_kappa([(4, 4)] * 9 + [(0, 4)]) == pytest.approx(0.0)


def test_kappa_is_not_defined_where_both_always_say_the_same():
    """All 5s tell nothing about a judge."""
    agreement = agree(CORRECTNESS, pairs(*[(5, 5)] * 30))
    assert agreement.kappa is None
    assert agreement.trust is Trust.TOO_FEW


def test_shares_bias_and_confusion_are_counted():
    """One level too kind on half of the cases."""
    agreement = agree(CORRECTNESS, pairs((5, 5), (4, 5), (1, 1), (2, 4)))
    assert (agreement.exact, agreement.near, agreement.bias) == (0.5, 0.75, 0.75)
    assert agreement.confusion == {(5, 5): 1, (4, 5): 1, (1, 1): 1, (2, 4): 1}


def test_the_worst_disagreements_come_first():
    """By distance, then by case."""
    agreement = agree(CORRECTNESS, pairs((5, 5), (4, 5), (1, 5), (5, 1)))
    assert [pair.case_id for pair in agreement.worst()] == ["03", "04", "02"]


@pytest.mark.parametrize(
    ("scores", "trust"),
    [
        ([(1, 1), (3, 3), (5, 5)] * 10, Trust.MAY_GATE),
        ([(1, 1), (3, 3), (5, 5)], Trust.TOO_FEW),
        ([(1, 5), (3, 1), (5, 3)] * 10, Trust.MUST_NOT_GATE),
        ([(1, 1), (5, 5), (1, 4), (5, 4), (2, 1)] * 5, Trust.WITH_CARE),
    ],
)
def test_a_plain_word_says_whether_the_judge_may_gate(scores, trust):
    """Substantial agreement, moderate agreement, none, or too little to say."""
    assert agree(CORRECTNESS, pairs(*scores)).trust is trust


def test_the_same_labels_always_give_the_same_interval():
    """Seeded resampling; the interval holds the estimate."""
    scores = pairs(*[(1, 1), (3, 3), (5, 5), (4, 2)] * 8)
    one, two = agree(CORRECTNESS, scores), agree(CORRECTNESS, scores)
    assert one.interval == two.interval
    assert one.interval[0] <= one.kappa <= one.interval[1]


@pytest.mark.parametrize(
    ("spec", "levels"),
    [
        (CORRECTNESS, (1, 2, 3, 4, 5)),
        (FAITHFULNESS, (0, 0.25, 0.5, 0.75, 1)),
        (MetricSpec("long", 0, 100, False, False, tolerance=1), (0, 25, 50, 75, 100)),
    ],
)
def test_levels_are_a_rubrics_integers_or_five_even_steps(spec, levels):
    """Kappa needs levels; a share has none of its own."""
    assert levels_of(spec) == levels
