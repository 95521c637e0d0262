import pytest

from ragjudge.suite.identity import Move, moves
from tests import builders


def cases(**questions: str):
    """`cases(a="…")`: id → question."""
    return [builders.case(case_id, question) for case_id, question in questions.items()]


def test_an_inserted_row_in_a_numbered_list_moves_all_behind_it():
    """Old 2 is new 3, old 3 is new 4: not two changed questions and a new one."""
    before = cases(r1="有休は?", r2="経費は?", r3="出張は?")
    after = cases(r1="有休は?", r2="通勤は?", r3="経費は?", r4="出張は?")

    assert moves(before, after) == (Move("r2", "r3", 1.0), Move("r3", "r4", 1.0))


def test_a_renamed_id_is_a_move():
    """The question is the same to the letter."""
    assert moves(cases(a="有休は?"), cases(b="有休は?")) == (Move("a", "b", 1.0),)


def test_a_renamed_id_with_a_mended_question_is_found_by_likeness():
    """Punctuation, width and a word or two."""
    (move,) = moves(
        cases(a="有給休暇の申請期限はいつまでですか?"),
        cases(b="有給休暇の申請期限は、いつまででしょうか？", c="出張の日当はいくらですか?"),
    )

    assert (move.old_id, move.new_id) == ("a", "b")
    assert 0.8 <= move.similarity < 1


def test_an_edited_question_under_its_id_is_no_move():
    """An edit is an edit."""
    assert moves(cases(a="経費の締め日はいつですか"), cases(a="経費の締め日はいつ頃ですか")) == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {}),
        ({"a": "x"}, {}),
        ({}, {"a": "x"}),
        ({"a": "有休は何日?"}, {"b": "出張の日当は?"}),
        ({"a": "?"}, {"b": "!"}),
    ],
)
def test_different_questions_are_no_move(before, after):
    """Gone is gone, new is new."""
    assert moves(cases(**before), cases(**after)) == ()


def test_equal_questions_are_told_apart_by_reference_and_category():
    """Head office and branch ask the same."""
    before = [builders.case("a", "q", "x", category="1"), builders.case("b", "q", "y", category="2")]
    after = [builders.case("c", "q", "y", category="2"), builders.case("d", "q", "x", category="1")]

    assert moves(before, after) == (Move("a", "d", 1.0), Move("b", "c", 1.0))


def test_other_inputs_are_another_question():
    """The same words to another department."""
    before = [builders.case("a", "q", inputs={"Entity": "本社"})]
    after = [builders.case("b", "q", inputs={"Entity": "支店"})]

    assert moves(before, after) == ()


def test_a_long_list_renumbered_as_a_whole_is_quick():
    """Ten thousand equal questions need no comparison of all with all."""
    before = [builders.case(f"a{n}", f"質問{n}") for n in range(10_000)]
    after = [builders.case(f"b{n}", f"質問{n}") for n in range(10_000)]

    assert [(m.old_id, m.new_id) for m in moves(before, after)] == [(f"a{n}", f"b{n}") for n in range(10_000)]
