import pytest

from ragjudge.errors import SuiteFault
from ragjudge.suite import every_turn, judged_turns
from ragjudge.suite.case import Checks, Source, Turn
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
    assert ["2,500円です。", None, "5,000円です。"] == [case.expected for case in cases]
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


def test_what_nobody_judges_is_noted_with_its_place():
    """Else a reference that is never looked at passes for one that holds."""
    source = Source(file="s.json", line=3)
    placed = TALK.model_copy(update={"source": source})

    [note] = judged_turns(builders.suite(placed, builders.case("B")), "last").notes

    assert note.en.startswith("s.json:3: Case A: references and checks of its turn 1, 3 are not used")
    assert note.ja.startswith("s.json:3: ケース A: ")
    assert "app.judge_turns: every" in note.ja


@pytest.mark.parametrize(
    "case",
    [
        TALK.model_copy(update={"skip": "later"}),
        TALK.model_copy(update={"reference": None, "turns": (Turn(question="x", reference="y"),)}),
        builders.case("one"),
    ],
)
def test_nothing_is_noted_where_nothing_is_lost(case):
    """Skipped, or only the last turn has something to be judged by."""
    assert () == judged_turns(builders.suite(case), "last").notes


def test_every_turn_needs_no_note_and_many_are_cut():
    """At most ten by name."""
    many = builders.suite(*(TALK.model_copy(update={"id": f"A{n}"}) for n in range(30)))

    assert () == judged_turns(many, "every").notes
    assert 11 == len(judged_turns(many, "last").notes)
    assert "20 more" in judged_turns(many, "last").notes[-1].en
