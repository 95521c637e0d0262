"""Proposals at the end of a run: one call where they are wanted, and never a verdict changed by their trouble."""

import asyncio
from datetime import UTC, datetime

from ragjudge import pipeline
from ragjudge.compare.decision import Verdict
from ragjudge.compare.policy import policy_from
from ragjudge.errors import JudgeCouldNotScore
from ragjudge.language import Text
from ragjudge.metrics.registry import build
from ragjudge.settings import MetricsSettings, ReportSettings, Settings
from tests import builders
from tests.fakes import FakeApp, FakeEmbedder, FakeJournal, FakeJudge, FakeProgress

GRADE = dict.fromkeys(("accuracy", "coverage", "clarity", "appropriateness", "summary"), "期限が違います")
PROPOSAL = {"proposals": [{"problem": "期限が違う", "proposal": "文書を更新する", "cases": ["1"]}]}


def checked(*, suggest, proposal=PROPOSAL, score=2):
    judge = FakeJudge(lambda task: proposal if task.name == "suggest" else {**GRADE, "score": score})
    settings = Settings(report=ReportSettings(suggest=suggest), metrics=MetricsSettings(use=("correctness",)))
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
    )
    result = asyncio.run(pipeline.check(parts, job, None, policy_from(settings)))
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
