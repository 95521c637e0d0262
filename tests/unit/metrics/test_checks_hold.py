"""A suite's checks as a metric of the run."""

import asyncio

from ragjudge.compare.policy import policy_from
from ragjudge.metrics.base import Gradable
from ragjudge.metrics.checks_hold import wanted
from ragjudge.metrics.registry import build
from ragjudge.results.outcome import Inapplicable
from ragjudge.settings import MetricsSettings, Settings
from ragjudge.suite.case import Checks, Turn
from tests import builders
from tests.fakes import FakeEmbedder, FakeJudge

NUMBER = Checks(contains=("20日",), regex=(r"\d+",))


def score(answer, *, latency_s=0.5, **case):
    (metric,) = build(MetricsSettings(use=()), "ja", checks=True)
    item = Gradable(builders.case(**case), builders.answer(answer, latency_s=latency_s), "ja")
    judge = FakeJudge()
    outcome = asyncio.run(metric.score(item, judge, FakeEmbedder()))
    assert judge.asked == []
    return outcome


def test_a_case_whose_checks_all_hold_scores_one():
    """And says nothing more."""
    outcome = score("20日です。", checks=NUMBER)
    assert (outcome.value, outcome.reason) == (1.0, "")


def test_one_broken_check_makes_it_zero_and_is_named():
    """The tester reads which text is missing."""
    outcome = score("10日です。", checks=NUMBER)
    assert outcome.value == 0.0
    assert outcome.reason == "contains “20日”: 回答にこの文字列が含まれていません。"


def test_a_time_limit_never_holds_for_an_answer_that_nobody_timed():
    """Fetched after a kill: what else is broken still counts, what holds is not the whole of it."""
    limited = Checks(contains=("20日",), max_latency_s=2)

    assert score("20日です。", latency_s=None, checks=limited).reason == Inapplicable.NO_LATENCY
    assert score("10日です。", latency_s=None, checks=limited).value == 0.0
    assert score("20日です。", latency_s=None, checks=NUMBER).value == 1.0


def test_a_case_without_checks_is_left_out():
    """Neither passed nor failed."""
    assert score("x").reason == Inapplicable.NOT_SELECTED


def test_a_conversation_is_checked_by_its_last_turn():
    """The answer that is kept is the last one."""
    turn = Turn(question="それから?", checks=Checks(contains=("1年",)))
    assert score("1年です。", checks=NUMBER, turns=(turn,)).value == 1.0


def test_checks_are_in_a_run_only_where_a_case_has_some():
    """A suite without checks has no empty column."""
    assert not wanted(builders.suite(builders.case()))
    assert wanted(builders.suite(builders.case(), builders.case("2", checks=NUMBER)))
    assert "checks" not in [metric.spec.name for metric in build(MetricsSettings(), "ja")]


def test_the_gate_makes_a_suspect_of_a_case_whose_check_broke():
    """From 1 to 0 is a drop of the whole scale."""
    assert policy_from(Settings()).specs["checks"].case_tolerance == 1.0
