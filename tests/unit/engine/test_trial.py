import pytest

from ragjudge.engine.trial import CASES, JUDGEMENTS, Trial
from ragjudge.errors import JudgeCouldNotScore, JudgeMisconfigured
from ragjudge.language import Text


def failed(cause: str = "judge_reply_unusable") -> JudgeCouldNotScore:
    return JudgeCouldNotScore(Text("no JSON", "JSONなし"), cause=cause)


def fail(trial: Trial, judgements: int, cases: int, cause: str = "judge_reply_unusable") -> None:
    for number in range(judgements):
        trial.failure(failed(cause), number % cases)


@pytest.mark.parametrize("cause", ["judge_reply_unusable", "judge_reply_truncated"])
def test_a_judge_whose_first_judgements_are_all_of_no_use_ends_the_run(cause):
    """With the count and the last fault, in both languages."""
    trial = Trial()
    fail(trial, JUDGEMENTS - 1, CASES, cause)

    with pytest.raises(JudgeMisconfigured) as stop:
        trial.failure(failed(cause), 0)

    assert "Not one of the judge's first 20 judgements could be used. no JSON" == stop.value.what.en
    assert "評価者の最初の20件の判定は、1件も使えませんでした。JSONなし" == stop.value.what.ja


def test_a_few_hopeless_cases_do_not_condemn_a_judge():
    """Many judgements of few cases may be the cases' fault."""
    fail(Trial(), 200, CASES - 1)


def test_one_judgement_of_use_ends_the_trial():
    """From then on a failure costs one score."""
    trial = Trial()
    fail(trial, JUDGEMENTS - 1, CASES)

    trial.usable()

    fail(trial, 500, 50)


def test_what_is_not_about_the_judges_words_is_not_held_against_it():
    """An outage, a filter or material that is too long have their own ends."""
    for cause in ("judge_unreachable", "judge_content_filter", "judge_context_too_long", "judge_timeout"):
        fail(Trial(), 200, 50, cause)
