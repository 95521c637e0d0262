"""Yesterday's answer against today's, in both orders."""

import asyncio

import pytest

from ragjudge.errors import JudgeCouldNotScore
from ragjudge.language import Text
from ragjudge.metrics.base import Gradable
from ragjudge.metrics.pairwise import compare, pairs
from ragjudge.metrics.prompting import Prompts
from ragjudge.results.run import CaseResult, PairOutcome
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


def run_of(**answers):
    return builders.run(
        [
            CaseResult(
                case=builders.case(name, question=f"質問{name}"), samples=(builders.sample(text=text),)
            )
            for name, text in answers.items()
        ]
    )


def paired(before, now, reply=None):
    judge = FakeJudge(
        reply
        or (lambda task: {"reason": "理由", "better": "first" if "良" in task.fields["first"] else "second"})
    )
    return asyncio.run(pairs(before, now, judge, Prompts("ja"))), judge


def test_every_case_that_both_runs_answered_is_compared():
    """New and gone cases have no pair; today's order is kept."""
    found, _ = paired(run_of(gone="x", a="悪い", b="良い"), run_of(b="悪い", a="良い", new="y"))
    assert [(pair.case_id, pair.result) for pair in found] == [("b", "loss"), ("a", "win")]


def test_a_changed_question_is_not_compared():
    """Answers to different questions have no better and worse."""
    before = run_of(a="良い")
    changed = CaseResult(
        case=builders.case("a", question="別の質問"), samples=(builders.sample(text="悪い"),)
    )
    assert paired(before, builders.run([changed]))[0] == ()


def test_what_could_not_be_judged_is_said_and_the_others_stand():
    """Neither a loss nor left out."""
    failure = JudgeCouldNotScore(Text("cut", "切れました"), cause="judge_timeout")
    found, _ = paired(
        run_of(a="1", b="悪い"),
        run_of(a="2", b="良い"),
        lambda task: (
            failure
            if task.fields["first"] in "12"
            else {"reason": "", "better": "first" if "良" in task.fields["first"] else "second"}
        ),
    )
    assert found[0] == PairOutcome(case_id="a", result="unscored", reason="cut")
    assert found[1].result == "win"
