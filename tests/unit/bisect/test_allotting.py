"""How many cases the budget reaches for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragjudge.bisect.allotting import MOST_CASES, allot, asked, cost, worst_first
from ragjudge.compare.decision import CaseComparison, CaseStatus, Decision, MetricOnCase, Verdict
from ragjudge.compare.policy import GatePolicy
from ragjudge.results.outcome import Cause
from ragjudge.results.run import AppFailure, CaseResult, Sample
from ragjudge.suite.case import Case, Turn
from tests.builders import run


def result(case_id, turns=0, samples=1, confirmations=0):
    case = Case(id=case_id, question="q", turns=tuple(Turn(question="more") for _ in range(turns)))
    made = [Sample(attempt=str(n)) for n in range(1, samples + 1)]
    again = [Sample(attempt=f"confirm-{n}") for n in range(1, confirmations + 1)]
    return CaseResult(case=case, samples=tuple(made), confirmations=tuple(again))


def test_without_a_limit_the_worst_ten_are_asked():
    """More would only say the same again."""
    cases = [result(str(n)) for n in range(30)]

    assert allot(cases, 3, confirm=2, left=None) == tuple(str(n) for n in range(MOST_CASES))


@pytest.mark.parametrize(("left", "expected"), [(18, 3), (17, 2), (12, 2), (11, 1), (6, 1), (0, 1)])
def test_a_budget_takes_cases_away_until_every_change_fits(left, expected):
    """Two changes; a case costs one question and up to two to confirm. One case stays whatever is left."""
    assert len(allot([result(str(n)) for n in range(5)], 2, confirm=2, left=left)) == expected


@given(
    turns=st.lists(st.integers(0, 4), max_size=12),
    changes=st.integers(1, 12),
    confirm=st.integers(0, 3),
    left=st.integers(0, 400),
)
def test_what_is_allotted_fits_or_is_one_case(turns, changes, confirm, left):
    """Never more than the budget holds, and always the worst ones."""
    cases = [result(str(n), count) for n, count in enumerate(turns)]
    got = allot(cases, changes, confirm=confirm, left=left)

    assert got == tuple(str(n) for n in range(len(got)))
    assert len(got) <= 1 or changes * cost(cases[: len(got)], confirm) <= left


def test_questions_that_were_put_are_counted_with_their_turns():
    """Confirmations count, what was never asked does not."""
    never = CaseResult(
        case=Case(id="3", question="q"),
        samples=(Sample(attempt="1", failure=AppFailure(cause=Cause.NOT_ASKED)),),
    )
    put = run([result("1", turns=2, samples=1, confirmations=1), result("2"), never])

    assert asked(put) == 3 * 2 + 1


def test_the_worst_case_comes_first():
    """By the share of the scale, suspects last; a metric that is lost is the worst; equal ones as in the suite."""

    def case(case_id, before, after, metric="correctness", status=CaseStatus.REGRESSED):
        on = MetricOnCase(status=status, before=before, after=after)
        return CaseComparison(case_id=case_id, status=status, metrics={metric: on})

    decision = Decision(
        verdict=Verdict.FAILED,
        reasons=(),
        cases=(
            case("small", 5, 3),
            case("big", 5, 1.5),
            case("same", 5, 3),
            case("lost", 5, None),
            case("suspect", 5, 2, status=CaseStatus.SUSPECT),
            case("worse suspect", 5, 1, status=CaseStatus.SUSPECT),
            case("noise", 5, 1, status=CaseStatus.NOISE),
        ),
    )

    assert worst_first(decision, GatePolicy()) == ("lost", "big", "small", "same", "worse suspect", "suspect")
