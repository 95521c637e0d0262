from ragjudge.compare.align import align
from ragjudge.results.baseline import Baseline, without_cases
from ragjudge.results.run import CaseResult
from tests.builders import NOON, case, run, sample, scored_run


def of(*cases):
    return run([CaseResult(case=c, samples=(sample(correctness=5),)) for c in cases])


def test_cases_are_paired_by_id_whatever_their_order():
    """The order of a suite's file changes nothing."""
    one, two = case("a", "甲"), case("b", "乙")

    found = align(of(one, two), of(two, one))

    assert ["a", "b"] == [p.case_id for p in found.pairs]


def test_new_and_removed_cases_are_named():
    """A case that only one run has is listed, never dropped."""
    found = align(of(case("a"), case("b")), of(case("b"), case("c")))

    assert (("c",), ("a",)) == (found.new, found.removed)
    assert ["b"] == [p.case_id for p in found.pairs]


def test_cases_that_are_listed_stand_as_people_count():
    """2 before 10."""
    numbered = [case(str(n)) for n in range(1, 12)]

    found = align(of(*numbered), of(case("1")))

    assert tuple(str(n) for n in range(2, 12)) == found.removed


def test_a_newly_skipped_case_is_not_a_removed_one():
    """`skip:` in the suite is told apart from a deleted line."""
    skipped = CaseResult(case=case("a", skip="後で"), samples=())

    found = align(of(case("a")), run([skipped]))

    assert (("a",), ()) == (found.newly_skipped, found.removed)


def test_a_case_that_was_skipped_then_is_new_now():
    """It was never scored, so nothing can be compared with it."""
    before = run([CaseResult(case=case("a", skip="後で"), samples=())])

    assert ("a",) == align(before, of(case("a"))).new


def test_another_question_under_the_same_id_is_not_paired():
    """Scores of two different questions are not compared."""
    found = align(of(case("a", "甲")), of(case("a", "乙")))

    assert (("a",), ()) == (found.question_changed, found.pairs)


def test_a_question_that_was_only_typed_otherwise_is_compared():
    """A tidied question mark must not hide a regression."""
    found = align(of(case("a", "日当は？")), of(case("a", "日当は?")))

    assert ((), ["a"]) == (found.question_changed, [p.case_id for p in found.pairs])


def test_an_edited_reference_is_paired_and_named():
    """Metrics that need no reference can still be compared."""
    found = align(of(case("a", reference="10日")), of(case("a", reference="20日")))

    assert ("a",) == found.reference_changed
    assert [False] == [p.same_reference for p in found.pairs]


def test_a_check_of_a_chosen_few_compares_only_those():
    """`--case` must not make all other cases look removed."""
    stored = Baseline(run=scored_run({"a": [5], "b": [5]}), stored_at=NOON)

    assert ["a"] == [c.case.id for c in without_cases(stored, {"b"}).run.cases]
