"""What is asked at the end of a run, where it is wanted: proposals and pairs. Neither ever changes a verdict."""

import asyncio
from datetime import UTC, datetime

from ragjudge import pipeline
from ragjudge.compare.decision import Verdict
from ragjudge.compare.policy import policy_from
from ragjudge.errors import JudgeCouldNotScore
from ragjudge.language import Text
from ragjudge.metrics.registry import build, describe
from ragjudge.results.baseline import Baseline
from ragjudge.settings import MetricsSettings, ReportSettings, Settings
from tests import builders
from tests.fakes import FakeApp, FakeEmbedder, FakeJournal, FakeJudge, FakeProgress

GRADE = dict.fromkeys(("accuracy", "coverage", "clarity", "appropriateness", "summary"), "期限が違います")
PROPOSAL = {"proposals": [{"problem": "期限が違う", "proposal": "文書を更新する", "cases": ["1"]}]}


PREFERENCE = {"reason": "期限が正しい", "better": "first"}


def checked(*, suggest=False, pairwise=False, before=None, answers_before=True, proposal=PROPOSAL, score=2):
    said = {"suggest": proposal, "pairwise": PREFERENCE, "grade": {**GRADE, "score": score}}
    judge = FakeJudge(lambda task: said[task.name])
    settings = Settings(
        report=ReportSettings(suggest=suggest),
        metrics=MetricsSettings(use=("correctness",), pairwise=pairwise),
    )
    progress = FakeProgress()
    parts = pipeline.Parts(
        app=FakeApp(),
        judge=judge,
        embedder=FakeEmbedder(),
        metrics=build(settings.metrics, "ja"),
        journal=FakeJournal(),
        progress=progress,
    )
    job = pipeline.Job(
        settings=settings,
        suite=builders.suite(builders.case()),
        run_id="r",
        language="ja",
        repeats=1,
        now=lambda: datetime(2026, 1, 2, tzinfo=UTC),
        answers_before=answers_before,
    )
    stored = None
    if before is not None:
        # Judged by the same judge as today's, so that nothing of it is judged again.
        fingerprint = builders.fingerprint(metrics=describe(parts.metrics)).model_copy(
            update={"embedder": parts.embedder.identity}
        )
        run = before.model_copy(update={"fingerprint": fingerprint})
        stored = Baseline(run=run, stored_at=builders.NOON, answers_stored=answers_before)
    result = asyncio.run(pipeline.check(parts, job, stored, policy_from(settings)))
    return result, [task.name for task in judge.asked], progress


def test_weak_cases_get_proposals_by_one_call_at_the_end():
    """The lines reach the report; the first one says whose words they are."""
    result, asked, _ = checked(suggest=True)
    assert asked == ["grade", "suggest"]
    assert result.suggestions[1] == "期限が違う → 文書を更新する (1)"


def test_nothing_is_asked_where_nobody_wants_proposals_or_nothing_is_weak():
    """Off by default, and silent on a good run."""
    assert checked(suggest=False)[1] == ["grade"]
    assert checked(suggest=True, score=5)[1] == ["grade"]


def test_a_judge_that_can_not_propose_changes_no_verdict():
    """The trouble is told, the run stands."""
    failure = JudgeCouldNotScore(Text("no", "提案できません"), cause="judge_error")
    result, _, progress = checked(suggest=True, proposal=failure)
    assert result.suggestions == ()
    assert result.error is None
    assert result.decision.verdict is Verdict.NO_BASELINE
    assert progress.notes == ["提案できません"]


def test_pairs_are_judged_in_both_orders_and_stored_in_the_run():
    """A judge that always prefers the first place gives a tie that is marked."""
    before = checked()[0].run.model_copy(deep=True)
    old = before.cases[0].samples[0]
    other = old.model_copy(update={"answer": old.answer.model_copy(update={"text": "10日です。"})})
    case = before.cases[0].model_copy(update={"samples": (other,)})
    before = before.model_copy(update={"cases": (case,)})
    result, asked, _ = checked(pairwise=True, before=before)
    assert asked == ["grade", "pairwise", "pairwise"]
    assert [(pair.result, pair.consistent) for pair in result.run.pairs] == [("tie", False)]


def test_pairs_are_off_by_default_and_impossible_without_the_baselines_answers():
    """A baseline that keeps digests only has nothing to show to a judge."""
    before = checked()[0].run
    assert checked(before=before)[1] == ["grade"]
    assert checked(pairwise=True, before=before, answers_before=False)[1] == ["grade"]
    assert checked(pairwise=True, before=None)[1] == ["grade"]
