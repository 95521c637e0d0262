"""Faults of verdict sets, in words a judge can act on."""

import pytest

from ragjudge.metrics import tasks, verdicts


def support(*indices):
    return tasks.Support(
        verdicts=[tasks.SupportVerdict(index=i, reason="r", supported=True) for i in indices]
    )


@pytest.mark.parametrize(
    ("indices", "fault"),
    [
        ((1, 2, 3), None),
        ((3, 1, 2), None),
        ((1, 2), "no verdict for statement 3; give exactly one verdict for each index from 1 to 3"),
        ((), "no verdict for statement 1, 2, 3; give exactly one verdict for each index from 1 to 3"),
        (
            (1, 2, 3, 3),
            "more than one verdict for statement 3; give exactly one verdict for each index from 1 to 3",
        ),
        (
            (1, 2, 3, 4),
            "a verdict for statement 4, but there are only 3; give exactly one verdict for each index from 1 to 3",
        ),
    ],
)
def test_each_index_needs_exactly_one_verdict(indices, fault):
    """Missing, double and invented verdicts are named; order does not matter."""
    found = verdicts.support(3)(support(*indices))

    assert (found and found.en) == fault


def test_a_fault_is_told_in_japanese_too():
    """A Japanese judge is asked again in Japanese, whatever the report's language."""
    fault = verdicts.support(2)(support(1)).ja
    assert (
        fault == "主張の2に対する判定がありません; 1から2までの各indexに、判定をちょうど1つずつ返してください"
    )


def test_contradicting_verdicts_for_one_statement_are_a_fault():
    """Neither the first nor the last of two opposite verdicts is taken."""
    reply = tasks.Support(
        verdicts=[
            tasks.SupportVerdict(index=1, reason="a", supported=True),
            tasks.SupportVerdict(index=1, reason="b", supported=False),
        ]
    )
    assert "more than one verdict for statement 1" in verdicts.support(1)(reply).en


def test_a_context_review_is_checked_on_both_lists():
    """One sentence names the faults of the contexts and of the sentences."""
    reply = tasks.ContextReview(
        usefulness=[tasks.UsefulnessVerdict(index=1, reason="", useful=True)], attribution=[]
    )
    fault = verdicts.context_review(2, 1)(reply).en
    assert "no verdict for context 2" in fault
    assert "no verdict for sentence 1" in fault


@pytest.mark.parametrize(("score", "refused"), [(1, False), (3, False), (0, True), (4, True), (30, True)])
def test_a_rubric_score_off_the_scale_is_refused_not_clamped(score, refused):
    """The range is restated in the fault."""
    fault = verdicts.rubric(1, 3)(tasks.RubricGrade(reason="r", score=score))
    assert (fault is not None) == refused
    assert fault is None or "from 1 to 3" in fault.en


def test_a_blank_statement_is_a_fault():
    """Nothing can support or refute an empty text."""
    assert "position 2" in verdicts.statements(tasks.Statements(statements=["a", "  "])).en
    assert verdicts.statements(tasks.Statements(statements=[])) is None


def test_fewer_questions_than_asked_for_are_a_fault():
    """A silent change of the number of questions would change the metric."""
    one = tasks.GeneratedQuestion(question="q", non_committal=False)
    assert verdicts.questions(3)(tasks.GeneratedQuestions(questions=[one])).en == "1 questions instead of 3"
    assert verdicts.questions(1)(tasks.GeneratedQuestions(questions=[one])) is None
