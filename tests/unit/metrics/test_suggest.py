"""Proposals out of weak cases."""

import asyncio

from ragjudge.metrics.prompting import Prompts
from ragjudge.metrics.suggest import WeakCase, suggest
from tests.fakes import FakeJudge


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
