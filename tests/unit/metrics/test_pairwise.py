"""Yesterday's answer against today's, in both orders."""

import asyncio

import pytest

from ragjudge.metrics.base import Gradable
from ragjudge.metrics.pairwise import compare
from ragjudge.metrics.prompting import Prompts
from tests import builders
from tests.fakes import FakeJudge


def judged(prefer, before="10日です。", now="20日です。"):
    """`prefer(first, second)` is the judge's taste."""
    judge = FakeJudge(
        lambda task: {"reason": "理由", "better": prefer(task.fields["first"], task.fields["second"])}
    )
    item = Gradable(builders.case(), builders.answer(now), "ja")
    return asyncio.run(compare(item, before, judge, Prompts("ja"))), judge


@pytest.mark.parametrize(
    ("prefer", "result", "consistent"),
    [
        (lambda first, second: "first" if "20" in first else "second", "win", True),
        (lambda first, second: "first" if "10" in first else "second", "loss", True),
        (lambda first, second: "tie", "tie", True),
        (lambda first, second: "first", "tie", False),
        (lambda first, second: "second", "tie", False),
        (lambda first, second: "tie" if "20" in first else "second", "tie", False),
    ],
)
def test_a_preference_counts_only_where_both_orders_agree(prefer, result, consistent):
    """A judge that prefers a place gives a tie that is marked as inconsistent."""
    comparison, judge = judged(prefer)
    assert (comparison.result, comparison.consistent) == (result, consistent)
    assert sorted(task.fields["first"] for task in judge.asked) == ["10日です。", "20日です。"]


def test_the_same_text_is_a_tie_without_a_call():
    """Nothing is bought to learn that equal is equal."""
    comparison, judge = judged(lambda first, second: "first", before="同じ", now="同じ")
    assert (comparison.result, judge.asked) == ("tie", [])
