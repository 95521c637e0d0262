"""Contexts that are too long for the judge."""

import asyncio

import pytest

from ragjudge.errors import JudgeCouldNotScore
from ragjudge.language import Text
from ragjudge.metrics.base import Gradable
from ragjudge.metrics.cutting import halved
from ragjudge.metrics.registry import build
from ragjudge.results.outcome import Cause
from ragjudge.settings import MetricsSettings
from tests import builders
from tests.fakes import FakeEmbedder, FakeJudge

TOO_LONG = JudgeCouldNotScore(Text("too long", "長すぎます"), cause=Cause.JUDGE_CONTEXT_TOO_LONG)


def narrow(window, reply):
    """A judge that takes at most `window` characters of contexts."""

    def answer(task):
        contexts = task.fields.get("contexts", [task.fields.get("context", "")])
        return TOO_LONG if sum(map(len, contexts)) > window else reply(task)

    return FakeJudge(answer)


def score(metric, judge, *passages):
    (built,) = build(MetricsSettings(use=(metric,)), "ja")
    item = Gradable(builders.case(), builders.answer("答え", *passages), "ja")
    return asyncio.run(built.score(item, judge, FakeEmbedder()))


def attributed(task):
    return {"verdicts": [{"index": 1, "reason": "", "attributed": True}]}


def test_the_longest_contexts_are_cut_until_the_judge_takes_them_and_the_score_says_so():
    """Cut, asked again, noted."""
    judge = narrow(1500, attributed)
    outcome = score("context_recall", judge, "長" * 4000, "短い本文")
    assert outcome.value == 1.0
    assert outcome.notes == ("contexts_cut",)
    assert judge.asked[-1].fields["contexts"][1] == "短い本文"


def test_precision_cuts_only_the_context_that_is_too_long():
    """The others keep their whole text."""
    judge = narrow(1500, lambda task: {"reason": "", "useful": True})
    outcome = score("context_precision", judge, "長" * 2000, "短い本文")
    assert outcome.value == 1.0
    assert "短い本文" in [task.fields["context"] for task in judge.asked]


def test_a_judge_that_takes_nothing_leaves_the_case_unscored():
    """After three cuts the cause comes out; there is no endless loop."""
    judge = narrow(0, attributed)
    with pytest.raises(JudgeCouldNotScore) as caught:
        score("context_recall", judge, "長" * 100_000)
    assert caught.value.cause == Cause.JUDGE_CONTEXT_TOO_LONG
    assert len(judge.asked) == 4


def test_contexts_that_fit_are_never_cut():
    """No note, one call."""
    judge = narrow(10_000, attributed)
    assert score("context_recall", judge, "本文").notes == ()


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [([1000, 1000], [501, 501]), ([2000, 300], [851, 300]), ([100, 150], [100, 150]), ([], [])],
)
def test_half_of_the_text_is_taken_from_the_longest(lengths, expected):
    """One mark of cutting is added; contexts of 200 characters stay."""
    assert [len(text) for text in halved(["x" * n for n in lengths])] == expected
