import pytest

from ragjudge.errors import SuiteFault
from ragjudge.metrics.base import expected
from ragjudge.suite import every_turn
from ragjudge.suite.case import Checks, Turn
from tests import builders

TALK = builders.case(
    "A",
    question="国内出張の日当は？",
    reference="2,500円です。",
    reference_contexts=("海外は5,000円",),
    turns=(
        Turn(question="ありがとう"),
        Turn(question="申請先は？", checks=Checks(contains=("経理",))),
        Turn(question="では海外は？", reference="5,000円です。"),
    ),
)


def test_each_turn_with_something_to_judge_by_becomes_a_case():
    """The conversation up to that turn, with that turn's own reference; small talk is only asked."""
    cases = every_turn(builders.suite(TALK)).cases

    assert ["A#turn1", "A#turn3", "A"] == [case.id for case in cases]
    assert ["2,500円です。", None, "5,000円です。"] == [expected(case) for case in cases]
    assert [0, 2, 3] == [len(case.turns) for case in cases]
    assert [(), (), ("海外は5,000円",)] == [case.reference_contexts for case in cases]
    assert {"A"} == {case.conversation for case in cases}
    assert [True, True, False] == [case.is_earlier_turn for case in cases]


def test_the_last_turn_stays_comparable_with_a_baseline_made_without():
    """Same id, same digests: switching over adds cases and changes none."""
    last = every_turn(builders.suite(TALK)).cases[-1]

    assert (TALK.id, TALK.question_digest, TALK.reference_digest) == (
        last.id,
        last.question_digest,
        last.reference_digest,
    )


def test_cases_of_one_turn_or_without_earlier_references_stay_as_they_are():
    """Nothing is added where there is nothing to judge by."""
    silent = builders.case("B", reference=None, turns=(Turn(question="続けて", reference="x"),))
    suite = builders.suite(builders.case("C"), silent)

    assert suite == every_turn(suite)


def test_an_id_that_is_taken_is_a_fault_of_the_suite():
    """Two cases of one id could not be told apart in a report."""
    with pytest.raises(SuiteFault, match="A#turn1"):
        every_turn(builders.suite(TALK, builders.case("A#turn1")))
