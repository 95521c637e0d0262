"""What the answer of a case with several turns stands for."""

import asyncio

import pytest

from ragjudge.engine.ask import Ask, ask_case
from ragjudge.engine.conversations import Conversations
from ragjudge.metrics.checks import run_checks
from ragjudge.suite import every_turn
from ragjudge.suite.case import Checks, Turn
from tests import builders
from tests.fakes import FakeApp

TOOK = {"一": 2.0, "二": 2.5, "三": 1.5}
CASE = builders.case(
    "A",
    question="一",
    checks=Checks(max_latency_s=2.0),
    turns=(
        Turn(question="二", reference="x", checks=Checks(max_latency_s=2.0)),
        Turn(question="三", reference="x", checks=Checks(max_latency_s=2.0)),
    ),
)


def app() -> FakeApp:
    return FakeApp(
        lambda question: builders.answer(latency_s=TOOK[question.query], conversation_id="c1", asks=1)
    )


def in_time(case, answer) -> list[bool]:
    return [check.passed for check in run_checks(case.checks, answer)]


def test_a_turns_time_limit_holds_for_its_own_answer():
    """The last of three turns took 1.5 of its 2 seconds; all three together took 6."""
    answer = asyncio.run(ask_case(app(), Ask(case=CASE, attempt="1", inputs={}, user="u")))

    assert ([True], 1.5, 3) == (in_time(CASE, answer), answer.latency_s, answer.asks)


@pytest.mark.parametrize(("number", "expected"), [(0, [True]), (1, [False]), (2, [True])])
def test_each_judged_turns_time_limit_holds_for_its_own_answer(number, expected):
    """`judge_turns: every`."""
    case = every_turn(builders.suite(CASE)).cases[number]

    answer = asyncio.run(Conversations(app()).answer(Ask(case=case, attempt="1", inputs={}, user="u")))

    assert expected == in_time(case, answer)
