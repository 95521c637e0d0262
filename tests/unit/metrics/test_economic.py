"""Economic mode: the same formulas in at most four calls."""

import asyncio
from dataclasses import replace

import pytest

from ragjudge.errors import JudgeCouldNotScore
from ragjudge.language import Text
from ragjudge.metrics.base import Gradable
from ragjudge.metrics.plan import plan
from ragjudge.metrics.registry import build, describe
from ragjudge.ports import JudgeReply
from ragjudge.results.outcome import Cause, Inapplicable, NotApplicable
from ragjudge.results.usage import Usage
from ragjudge.settings import MetricsSettings
from tests import builders
from tests.fakes import FakeEmbedder, FakeJudge

SAID = {
    "questions": {"questions": [{"question": f"q{i}", "non_committal": False} for i in range(3)]},
    "claims": {
        "claims": [
            {"index": 2, "statement": "B", "reason": "ない", "supported": False},
            {"index": 1, "statement": "A", "reason": "ある", "supported": True},
        ]
    },
    "context_review": {
        "usefulness": [{"index": i, "reason": "", "useful": i in (1, 3)} for i in (5, 4, 3, 2, 1)],
        "attribution": [{"index": 1, "reason": "", "attributed": True}],
    },
    "grade": {
        "accuracy": "",
        "coverage": "",
        "clarity": "",
        "appropriateness": "",
        "summary": "良い",
        "score": 4,
    },
}


def economic(*use):
    settings = MetricsSettings(mode="economic", use=use) if use else MetricsSettings(mode="economic")
    return build(settings, "ja")


def score_all(metrics, judge, passages=5, **case):
    """Every metric side by side, as the engine does it; failures as values."""
    item = Gradable(builders.case(**case), builders.answer("答え", *map(str, range(passages))), "ja")

    async def story():
        scores = (metric.score(item, judge, FakeEmbedder()) for metric in metrics)
        return await asyncio.gather(*scores, return_exceptions=True)

    found = asyncio.run(story())
    return {metric.spec.name: outcome for metric, outcome in zip(metrics, found, strict=True)}


def test_a_case_with_five_contexts_takes_four_calls():
    """Instead of twelve: questions, claims, context review, grade."""
    judge = FakeJudge(lambda task: SAID[task.name])
    outcomes = score_all(economic(), judge)
    assert sorted(task.name for task in judge.asked) == ["claims", "context_review", "grade", "questions"]
    assert {name: outcome.value for name, outcome in outcomes.items()} == {
        "answer_relevancy": pytest.approx(1.0),
        "faithfulness": 0.5,
        "context_recall": 1.0,
        "context_precision": (1 + 2 / 3) / 2,
        "correctness": 4.0,
    }


def test_the_plan_knows_that_two_metrics_share_a_call():
    """`validate --plan` promises four calls."""
    assert plan([builders.case()], economic(), contexts_per_case=5).calls == 4
    assert plan([builders.case()], build(MetricsSettings(), "ja"), contexts_per_case=5).calls == 12


class Paid(FakeJudge):
    """A judge whose replies cost and were repaired."""

    async def ask(self, task):
        reply = await super().ask(task)
        return JudgeReply(reply.value, Usage(calls=1, prompt_tokens=10), ("repaired:fence", "coerced"))


def test_the_shared_call_is_paid_and_its_repair_counted_once():
    """The second metric gets the verdicts for nothing."""
    outcomes = score_all(economic("context_recall", "context_precision"), Paid(lambda task: SAID[task.name]))
    assert sum(outcome.usage.prompt_tokens for outcome in outcomes.values()) == 10
    notes = [note for outcome in outcomes.values() for note in outcome.notes]
    assert sorted(notes) == ["coerced", "coerced", "repaired:fence"]


def test_a_failed_shared_call_is_made_once_and_leaves_both_metrics_unscored():
    """And the next pass over the case asks anew."""
    failing = [True]
    failure = JudgeCouldNotScore(Text("no", "不可"), cause=Cause.JUDGE_ERROR)
    judge = FakeJudge(lambda task: failure if failing else SAID[task.name])
    metrics = economic("context_recall", "context_precision")
    outcomes = score_all(metrics, judge)
    assert list(outcomes.values()) == [failure, failure]
    assert len(judge.asked) == 1
    failing.clear()
    assert score_all(metrics, judge)["context_recall"].value == 1.0
    assert len(judge.asked) == 2


def test_another_sample_is_another_call():
    """Repeats are really judged anew."""
    judge = FakeJudge(lambda task: SAID[task.name])
    metrics = economic("context_recall")
    item = Gradable(builders.case(), builders.answer("答え", *"12345"), "ja")

    async def story():
        for one in (item, replace(item, sample="2")):
            await metrics[0].score(one, judge, FakeEmbedder())

    asyncio.run(story())
    assert [task.sample for task in judge.asked] == ["1", "2"]


def test_a_review_with_a_missing_verdict_leaves_both_metrics_unscored():
    """No verdict is guessed in this mode either."""
    missing = {**SAID["context_review"], "usefulness": SAID["context_review"]["usefulness"][:4]}
    outcomes = score_all(economic("context_recall", "context_precision"), FakeJudge(lambda task: missing))
    assert {outcome.cause for outcome in outcomes.values()} == {Cause.JUDGE_REPLY_UNUSABLE}


def test_a_refusal_has_no_claims_in_one_call():
    """The same honest gap as in standard mode."""
    outcomes = score_all(economic("faithfulness"), FakeJudge(lambda task: {"claims": []}))
    assert outcomes["faithfulness"] == NotApplicable(reason=Inapplicable.NO_CLAIMS)


def test_the_modes_have_different_versions_but_for_the_grade():
    """Joined verdicts are not compared with single ones; the grade is the same call in both."""
    standard, joined = describe(build(MetricsSettings(), "ja")), describe(economic())
    assert {name for name in standard if standard[name] == joined[name]} == {"correctness"}
