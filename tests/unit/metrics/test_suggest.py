"""Proposals out of weak cases."""

import asyncio

from ragjudge.compare.decision import CaseComparison, CaseStatus, Decision, Verdict
from ragjudge.metric_specs import BUILT_IN, MetricSpec
from ragjudge.metrics.prompting import Prompts
from ragjudge.metrics.suggest import Suggested, WeakCase, shown, suggest, weak_cases
from ragjudge.metrics.tasks import Proposal
from ragjudge.results.outcome import Scored
from ragjudge.results.run import CaseResult
from tests import builders
from tests.fakes import FakeJudge

PASSED = Decision(verdict=Verdict.PASSED, reasons=())
TONE = MetricSpec("tone", 1.0, 5.0, False, False, tolerance=0.2)


def weak(n):
    return [WeakCase(str(i), "質問" * 300, "理想", "答え", "期限が違う") for i in range(n)]


def ask(cases, change="", proposals=()):
    judge = FakeJudge(lambda task: {"proposals": list(proposals)})
    return asyncio.run(suggest(cases, change, judge, Prompts("ja"))), judge


def test_one_call_gives_proposals_that_name_only_cases_that_were_shown():
    """An id that the model made up is left out."""
    said = [{"problem": "p", "proposal": "検索件数を戻す", "cases": ["0", "99"]}]
    suggested, judge = ask(weak(2), "top_k 5 → 1", said)
    assert len(judge.asked) == 1
    assert [(p.proposal, p.cases) for p in suggested.proposals] == [("検索件数を戻す", ["0"])]
    assert "top_k 5 → 1" in judge.asked[0].user


def test_the_worst_twenty_are_shown_shortened():
    """A bad run does not make a prompt of any size."""
    suggested, judge = ask(weak(500))
    assert suggested.of_cases == 20
    assert len(judge.asked[0].user) < 20 * 1000


def test_a_run_without_weak_cases_asks_nothing():
    """Nothing to mend, nothing to pay."""
    suggested, judge = ask([])
    assert (suggested.proposals, judge.asked) == ((), [])


def result(name, *grades):
    samples = tuple(
        builders.sample(
            str(n),
            text=f"{name}の答え{n}",
            correctness=Scored(value=grade, reason=f"要約{n}"),
            faithfulness=1.0,
        )
        for n, grade in enumerate(grades, start=1)
    )
    return CaseResult(case=builders.case(name), samples=samples)


def test_regressed_cases_come_before_weak_ones_each_worst_first():
    """Good cases are not shown to the model."""
    run = builders.run([result("good", 5), result("weak", 3), result("bad", 1), result("fell", 4)])
    fell = CaseComparison(case_id="fell", status=CaseStatus.REGRESSED)
    decision = Decision(verdict=Verdict.FAILED, reasons=(), cases=(fell,))
    assert [case.id for case in weak_cases(run, decision, BUILT_IN)] == ["fell", "bad", "weak"]


def test_a_case_is_shown_by_its_worst_sample_and_what_the_metrics_say():
    """The problem is the judge's own reason, of metrics that are not perfect."""
    run = builders.run([result("a", 3, 1)])
    (case,) = weak_cases(run, PASSED, BUILT_IN)
    assert (case.answer, case.problem) == ("aの答え2", "correctness 1: 要約2")


def test_without_a_correctness_the_worst_score_tells_and_a_teams_own_metric_is_heard():
    """Each score by its own scale: 2 of 5 is weak, and its reason reaches the model."""
    blunt = builders.sample("1", text="了解", tone=Scored(value=2.0, reason="敬語がない"), faithfulness=1.0)
    polite = builders.sample(
        "1", text="承知しました", tone=Scored(value=5.0, reason="丁寧"), faithfulness=1.0
    )
    run = builders.run(
        [CaseResult(case=builders.case(name), samples=(one,)) for name, one in (("a", blunt), ("b", polite))]
    )
    specs = {**BUILT_IN, "tone": TONE}
    assert [("a", "tone 2: 敬語がない")] == [(w.id, w.problem) for w in weak_cases(run, PASSED, specs)]


def test_lines_for_the_report_say_first_whose_words_they_are():
    """A model's proposal is not the tool's."""
    suggested = Suggested((Proposal(problem="件数が少ない", proposal="5件に戻す", cases=["1", "2"]),), 2)
    assert shown(suggested, "ja") == (
        "評価用モデルが書いた提案です。人による確認はされていません。",
        "件数が少ない → 5件に戻す (1, 2)",
    )
    assert shown(Suggested((), 0), "ja") == ()
