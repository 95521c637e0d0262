"""The five metrics on one answer, with a judge that says what the test wants."""

import asyncio
from itertools import permutations

import pytest

from ragjudge.errors import JudgeCouldNotScore, JudgeMisconfigured
from ragjudge.judge.offline import OfflineJudge
from ragjudge.language import Text
from ragjudge.metrics.base import Gradable
from ragjudge.metrics.registry import build
from ragjudge.results.answer import MissingContexts, NotAvailable
from ragjudge.results.outcome import Cause, Inapplicable, NotApplicable, Scored
from ragjudge.settings import MetricsSettings
from ragjudge.suite.case import Turn
from tests import builders
from tests.fakes import FakeEmbedder, FakeJudge

METRICS = {metric.spec.name: metric for metric in build(MetricsSettings(), "ja")}
GRADE = {
    "accuracy": "一致",
    "coverage": "十分",
    "clarity": "明瞭",
    "appropriateness": "適切",
    "summary": "同じ内容です。",
    "score": 5,
}


def item(answer="20日です。", *passages, reference="20日です。", **more):
    return Gradable(builders.case(reference=reference), builders.answer(answer, *passages), "ja", **more)


def score(metric, gradable, judge, embedder=None):
    return asyncio.run(METRICS[metric].score(gradable, judge, embedder or FakeEmbedder()))


def replies(**by_task):
    """`replies(statements=…, support=…)`: one reply per task name; a callable sees the task."""

    def reply(task):
        said = by_task[task.name]
        return said(task) if callable(said) else said

    return FakeJudge(reply)


def support(*flags):
    return {
        "verdicts": [
            {"index": i, "reason": f"理由{i}", "supported": flag} for i, flag in enumerate(flags, start=1)
        ]
    }


# faithfulness


def test_faithfulness_is_the_share_of_supported_statements_and_names_the_others():
    """The reason quotes what is not supported and why."""
    judge = replies(statements={"statements": ["A", "B", "C", "D"]}, support=support(True, True, False, True))
    outcome = score("faithfulness", item("答え", "本文"), judge)
    assert outcome.value == 0.75
    assert (
        outcome.reason == "4件の主張のうち3件がコンテキストに裏づけられています。 該当しないもの: C (理由3)"
    )


def test_verdicts_are_matched_by_index_not_by_order():
    """A judge that lists its verdicts backwards changes neither the score nor who is named."""
    backwards = {"verdicts": support(False, True)["verdicts"][::-1]}
    judge = replies(statements={"statements": ["A", "B"]}, support=backwards)
    assert "A (理由1)" in score("faithfulness", item("答え", "本文"), judge).reason


def test_an_answer_without_claims_has_no_faithfulness():
    """「分かりません」is neither 0 nor 1 nor NaN, and no verdict is bought for it."""
    judge = replies(statements={"statements": []})
    outcome = score("faithfulness", item("分かりません。", "本文"), judge)
    assert outcome == NotApplicable(reason=Inapplicable.NO_CLAIMS)
    assert [task.name for task in judge.asked] == ["statements"]


@pytest.mark.parametrize("flags", [(), (True,), (True, True, True, True)])
def test_missing_or_extra_verdicts_leave_the_case_unscored(flags):
    """Three statements need three verdicts: the denominator is never 0, 1 or 4."""
    judge = replies(statements={"statements": ["A", "B", "C"]}, support=support(*flags))
    with pytest.raises(JudgeCouldNotScore) as caught:
        score("faithfulness", item("答え", "本文"), judge)
    assert caught.value.cause == Cause.JUDGE_REPLY_UNUSABLE


@pytest.mark.parametrize("metric", ["faithfulness", "context_recall", "context_precision"])
def test_without_contexts_a_context_metric_does_not_apply(metric):
    """Never a pass; the detail says why there are none, and the judge is not asked."""
    judge = FakeJudge()
    answer = builders.answer("答え").model_copy(
        update={"contexts": NotAvailable(cause=MissingContexts.CITATION_OFF)}
    )
    outcome = score(metric, Gradable(builders.case(), answer, "ja"), judge)
    assert outcome == NotApplicable(reason=Inapplicable.NO_CONTEXTS, detail="citation_off")
    assert judge.asked == []


@pytest.mark.parametrize("reference", [None, "", " 。 "])
@pytest.mark.parametrize("metric", ["context_recall", "context_precision", "correctness"])
def test_without_a_reference_a_reference_metric_does_not_apply(metric, reference):
    """A blank reference is none."""
    outcome = score(metric, item("答え", "本文", reference=reference), FakeJudge())
    assert outcome == NotApplicable(reason=Inapplicable.NO_REFERENCE)


def test_a_very_long_answer_is_judged_forty_statements_at_a_time():
    """A reply of a hundred verdicts would be cut; the score is over all of them, and the right ones are named."""
    statements = [f"主張{n}" for n in range(1, 101)]
    judge = replies(
        statements={"statements": statements},
        support=lambda task: support(*(text != "主張77" for text in task.fields["statements"])),
    )
    outcome = score("faithfulness", item("長い答え", "本文"), judge)
    assert outcome.value == 0.99
    assert "主張77" in outcome.reason
    assert [len(task.fields["statements"]) for task in judge.asked[1:]] == [40, 40, 20]


# context recall


def test_a_very_long_reference_is_judged_forty_sentences_at_a_time():
    """The denominator is still every sentence."""
    judge = replies(
        attribution=lambda task: {
            "verdicts": [
                {"index": i, "reason": "", "attributed": text != "文45です。"}
                for i, text in enumerate(task.fields["sentences"], start=1)
            ]
        }
    )
    reference = "".join(f"文{n}です。" for n in range(50))
    outcome = score("context_recall", item("答え", "本文", reference=reference), judge)
    assert outcome.value == 0.98
    assert "文45です。" in outcome.reason


def test_context_recall_is_the_share_of_the_references_sentences_found():
    """The reference is split by us: two sentences here, one of them found."""
    judge = replies(
        attribution={
            "verdicts": [
                {"index": 1, "reason": "ある", "attributed": True},
                {"index": 2, "reason": "ない", "attributed": False},
            ]
        }
    )
    outcome = score("context_recall", item("答え", "本文", reference="20日です。繰越は1年です。"), judge)
    assert outcome.value == 0.5
    assert "繰越は1年です。 (ない)" in outcome.reason
    assert judge.asked[0].fields["sentences"] == ["20日です。", "繰越は1年です。"]


PASSAGES = ["日当は2,500円です。", "宿泊費の上限は9,000円です。", "申請は出発の3日前までです。"]
ASKED_FOR = "宿泊費の上限は9,000円です。日当は2,500円です。部長は加算があります。"


@pytest.mark.parametrize("order", [*permutations(range(3))])
@pytest.mark.parametrize("kind", ["verdicts in any order", "the offline judge"])
def test_context_recall_does_not_change_by_the_order_of_contexts_or_verdicts(order, kind):
    """Two of three sentences are found, whichever passage came first and in whichever order the judge speaks."""

    def attribution(task):
        held = "".join(task.fields["contexts"])
        said = [
            {"index": i, "reason": "", "attributed": sentence in held}
            for i, sentence in enumerate(task.fields["sentences"], start=1)
        ]
        return {"verdicts": [said[place] for place in order]}

    judge = OfflineJudge() if kind == "the offline judge" else replies(attribution=attribution)
    here = item("答え", *(PASSAGES[place] for place in order), reference=ASKED_FOR)

    outcome = score("context_recall", here, judge)

    assert outcome.value == 2 / 3
    assert "部長は加算があります。" in outcome.reason
    assert outcome == score("context_recall", item("答え", *PASSAGES, reference=ASKED_FOR), judge)


# context precision


def test_context_precision_asks_once_per_context_and_keeps_the_retrievers_order():
    """Useful, useless, useful: (1 + 2/3) ÷ 2."""
    judge = replies(usefulness=lambda task: {"reason": "", "useful": "○" in task.fields["context"]})
    outcome = score("context_precision", item("答え", "○1", "×2", "○3"), judge)
    assert outcome.value == (1 + 2 / 3) / 2
    assert outcome.reason == "3件のコンテキストのうち、役立ったもの（順位）: 1, 3"
    assert len(judge.asked) == 3


def test_one_failed_verdict_leaves_context_precision_unscored_but_the_others_finish():
    """What was paid for reaches the judge's memory; the score is not made of the rest."""
    failure = JudgeCouldNotScore(Text("no", "不可"), cause=Cause.JUDGE_TIMEOUT)
    judge = replies(
        usefulness=lambda task: failure if task.fields["context"] == "b" else {"reason": "", "useful": True}
    )
    with pytest.raises(JudgeCouldNotScore) as caught:
        score("context_precision", item("答え", "a", "b", "c"), judge)
    assert caught.value is failure
    assert len(judge.asked) == 3


def test_a_wrong_key_comes_out_as_itself_not_as_a_group():
    """The engine sees one error, however many calls were under way."""
    judge = replies(usefulness=lambda task: JudgeMisconfigured(Text("key", "キー")))
    with pytest.raises(JudgeMisconfigured):
        score("context_precision", item("答え", "a", "b"), judge)


# answer relevancy


def question(text="有休は何日ですか。", non_committal=False):
    return {"question": text, "non_committal": non_committal}


def test_answer_relevancy_is_the_mean_cosine_of_separately_generated_questions():
    """Three calls with their own variant; the vectors are compared with the real question's."""
    judge = replies(question=lambda task: question(f"q{task.fields['variant']}"))
    vectors = {"q1": (1.0, 0.0), "q2": (0.0, 1.0), "q3": (1.0, 0.0)}
    embedder = FakeEmbedder(lambda text: vectors.get(text, (1.0, 0.0)))
    outcome = score("answer_relevancy", item(), judge, embedder)
    assert outcome.value == pytest.approx(2 / 3)
    assert sorted(task.fields["variant"] for task in judge.asked) == [1, 2, 3]


def test_a_refusal_scores_zero_and_says_so():
    """All readings are non-committal: 0 with a note, and no vectors are bought."""
    embedder = FakeEmbedder(lambda text: pytest.fail("no vector is needed"))
    outcome = score("answer_relevancy", item(), replies(question=question(non_committal=True)), embedder)
    assert outcome.value == 0.0
    assert "non_committal" in outcome.notes


def test_identical_questions_are_scored_with_a_note():
    """A judge at temperature 0 repeats itself; the score stays defined."""
    outcome = score("answer_relevancy", item(), replies(question=question()))
    assert outcome.value == pytest.approx(1.0)
    assert outcome.notes == ("identical_questions",)


@pytest.mark.parametrize("vector", [(0.0, 0.0), (float("nan"), 1.0)])
def test_a_vector_without_a_direction_leaves_the_case_unscored(vector):
    """A zero vector or a NaN of the embedding server never becomes a score."""
    embedder = FakeEmbedder(lambda text: vector)
    with pytest.raises(JudgeCouldNotScore) as caught:
        score("answer_relevancy", item(), replies(question=question()), embedder)
    assert caught.value.cause == Cause.EMBEDDING_UNUSABLE


def test_vectors_of_different_lengths_leave_the_case_unscored():
    """Two embedding models in one comparison are refused."""
    embedder = FakeEmbedder(lambda text: (1.0,) if text == "q" else (1.0, 0.0))
    with pytest.raises(JudgeCouldNotScore):
        score("answer_relevancy", item(), replies(question=question("q")), embedder)


# correctness


def test_correctness_keeps_the_score_the_comments_and_the_summary():
    """The report shows a comment per viewpoint."""
    outcome = score("correctness", item(), replies(grade=GRADE))
    assert outcome == Scored(
        value=5.0,
        reason="同じ内容です。",
        comments={
            "accuracy": "一致",
            "coverage": "十分",
            "clarity": "明瞭",
            "appropriateness": "適切",
            "summary": "同じ内容です。",
        },
    )


def test_a_long_summary_is_cut_to_fifty_characters_with_a_note():
    """The users' limit holds whatever the judge writes; the score is not lost over it."""
    outcome = score("correctness", item(), replies(grade={**GRADE, "summary": "長" * 80}))
    assert outcome.comments["summary"] == "長" * 49 + "…"
    assert outcome.notes == ("summary_cut",)


def test_only_the_text_of_the_answer_goes_to_the_judge():
    """JSON around the answer lowered the judge's quality for the users."""
    judge = replies(grade=GRADE)
    answer = builders.answer("答え", raw="<think>内緒</think>答え", conversation_id="conv-77")
    score("correctness", Gradable(builders.case(), answer, "ja"), judge)
    assert "内緒" not in judge.asked[0].user
    assert "conv-77" not in judge.asked[0].user


def test_allowed_differences_reach_the_judge_and_the_version():
    """Scores under other rules are not compared."""
    (plain,) = build(MetricsSettings(use=("correctness",)), "ja")
    (lenient,) = build(MetricsSettings(use=("correctness",)), "ja", allow=["連絡先は変わりうる"])
    judge = replies(grade=GRADE)
    asyncio.run(lenient.score(item(), judge, FakeEmbedder()))
    assert judge.asked[0].fields["allow"] == ["連絡先は変わりうる"]
    assert "[1] 連絡先は変わりうる" in judge.asked[0].user
    assert plain.version != lenient.version


def test_a_conversation_is_judged_by_its_last_turn():
    """Question and reference of the last turn; the earlier question is shown for context."""
    case = builders.case(turns=(Turn(question="繰り越せますか。", reference="1年だけです。"),))
    judge = replies(grade=GRADE)
    asyncio.run(
        METRICS["correctness"].score(
            Gradable(case, builders.answer("1年です。"), "ja"), judge, FakeEmbedder()
        )
    )
    assert judge.asked[0].fields["reference"] == "1年だけです。"
    assert judge.asked[0].fields["question"] == "有休は何日ですか。\n繰り越せますか。"


def test_a_repeat_is_a_task_of_its_own():
    """The sample's name is in every task, so that no cache takes a repeat for the first."""
    judge = replies(grade=GRADE)
    score("correctness", item(sample="confirm-2"), judge)
    assert judge.asked[0].sample == "confirm-2"
