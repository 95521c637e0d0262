"""A team's own criterion, without code."""

import asyncio

import pytest

from ragjudge.compare.policy import policy_from
from ragjudge.errors import JudgeCouldNotScore
from ragjudge.metrics.base import Gradable
from ragjudge.metrics.plan import plan
from ragjudge.metrics.registry import build, describe
from ragjudge.results.outcome import Inapplicable, NotApplicable
from ragjudge.settings import CustomMetric, MetricsSettings, Settings
from tests import builders
from tests.fakes import FakeEmbedder, FakeJudge

POLITE = CustomMetric(name="politeness", rubric="敬語を正しく使っている。", scale=(1, 3))


def settings(*customs):
    return MetricsSettings(use=(), custom=customs)


def score(custom, judge, item=None):
    (metric,) = build(settings(custom), "ja")
    item = item or Gradable(builders.case(), builders.answer("20日です。", "本文"), "ja")
    return asyncio.run(metric.score(item, judge, FakeEmbedder()))


def test_the_judge_grades_by_the_teams_words_on_the_teams_scale():
    """Rubric and scale reach the judge; its reason reaches the report."""
    judge = FakeJudge(lambda task: {"reason": "丁寧です。", "score": 3})
    outcome = score(POLITE, judge)
    assert (outcome.value, outcome.reason) == (3.0, "丁寧です。")
    assert "敬語を正しく使っている。" in judge.asked[0].user
    assert "尺度: 1〜3" in judge.asked[0].user


def test_a_score_off_the_teams_scale_is_refused():
    """A 4 on a scale up to 3 is no score."""
    with pytest.raises(JudgeCouldNotScore):
        score(POLITE, FakeJudge(lambda task: {"reason": "", "score": 4}))


def test_material_that_the_rubric_does_not_need_is_not_shown():
    """Reference and contexts go to the judge only where the team says so."""
    judge = FakeJudge(lambda task: {"reason": "", "score": 2})
    score(POLITE, judge)
    score(POLITE.model_copy(update={"needs_contexts": True, "needs_reference": True}), judge)
    assert ["<<<CONTEXT_1" in task.user for task in judge.asked] == [False, True]
    assert ["<<<REFERENCE" in task.user for task in judge.asked] == [False, True]


def test_examples_of_the_team_are_shown():
    """As they stand in the config."""
    judge = FakeJudge(lambda task: {"reason": "", "score": 2})
    score(POLITE.model_copy(update={"examples": ({"answer": "了解。", "score": 1},)}), judge)
    assert '[1] {"answer": "了解。", "score": 1}' in judge.asked[0].user


@pytest.mark.parametrize(
    ("need", "item", "reason"),
    [
        (
            {"needs_reference": True},
            Gradable(builders.case(reference=None), builders.answer(), "ja"),
            Inapplicable.NO_REFERENCE,
        ),
        (
            {"needs_contexts": True},
            Gradable(builders.case(), builders.answer(), "ja"),
            Inapplicable.NO_CONTEXTS,
        ),
    ],
)
def test_without_what_it_needs_the_rubric_does_not_apply(need, item, reason):
    """The same honest gap as in the built-in metrics."""
    outcome = score(POLITE.model_copy(update=need), FakeJudge(), item)
    assert isinstance(outcome, NotApplicable)
    assert outcome.reason == reason


def test_a_changed_word_in_the_rubric_is_another_version():
    """Scores under another criterion are not compared; a changed minimum alone changes nothing."""
    changed = POLITE.model_copy(update={"rubric": "敬語を使っている。"})
    gated = POLITE.model_copy(update={"minimum": 2.0})
    versions = [describe(build(settings(one), "ja"))["politeness"] for one in (POLITE, changed, gated)]
    assert versions[0] != versions[1]
    assert versions[0] == versions[2]


def test_the_gate_knows_the_scale_of_the_rubric():
    """The same spec as the gate's own."""
    (metric,) = build(settings(POLITE), "ja")
    assert (metric.spec.low, metric.spec.high) == (1.0, 3.0)
    assert metric.spec == policy_from(Settings(metrics=settings(POLITE))).specs["politeness"]


def test_a_rubric_costs_one_call():
    """And is in the plan."""
    assert plan([builders.case()], build(settings(POLITE), "ja")).calls == 1
