import pytest

from bench.gate.procedure import TODAY
from ragjudge.baseline.update import renewed
from ragjudge.compare.decision import ReasonCode, Verdict
from ragjudge.compare.gate import decide
from ragjudge.compare.policy import GatePolicy
from ragjudge.compare.rejudge import lost, plan, rejudged
from ragjudge.metric_specs import BUILT_IN
from ragjudge.results.outcome import Cause, Inapplicable, NotApplicable, Scored, Unscored
from ragjudge.results.run import CaseResult
from tests.builders import NOON, case, fingerprint, run, sample

METRICS = ("correctness", "faithfulness")
VERSIONS = dict.fromkeys(METRICS, "1")
OLD, NEW = fingerprint("judge-1", VERSIONS), fingerprint("judge-2", VERSIONS)


def suite(reference="20日です。", count=10):
    return [case(f"c{n}", f"質問{n}", reference if n == 0 else "20日です。") for n in range(count)]


def made(cases, value, judge, samples=1):
    return run(
        [
            CaseResult(
                case=c,
                samples=tuple(sample(str(n + 1), correctness=value, faithfulness=1) for n in range(samples)),
            )
            for c in cases
        ],
        metrics=METRICS,
        fingerprint=judge,
    )


def stored(answers=True):
    return renewed(None, made(suite(), 5, OLD, 3), stored_at=NOON, store_answers=answers)


def test_another_judge_means_judging_every_stored_answer_again():
    """No question is asked; the cost is known before."""
    found = plan(stored(), NEW, suite(), BUILT_IN)

    assert (30, 60, ()) == (len(found.items), found.scores, found.impossible)
    assert {METRICS} == {item.metrics for item in found.items}


def test_an_edited_reference_means_judging_that_case_by_the_metrics_that_need_it():
    found = plan(stored(), OLD, suite("30日です。"), BUILT_IN)

    assert [("c0", str(n), ("correctness",)) for n in (1, 2, 3)] == [
        (i.case.id, i.attempt, i.metrics) for i in found.items
    ]
    assert {"30日です。"} == {i.case.reference for i in found.items}


def test_nothing_changed_means_nothing_to_do():
    assert not plan(stored(), OLD, suite(), BUILT_IN)


def test_gone_skipped_and_reworded_cases_are_left_alone():
    """They are not compared anyway."""
    cases = [
        case("c0", "別の質問", "30日です。"),
        case("c1", "質問1", "30日です。", skip="後で"),
    ]

    assert not plan(stored(), OLD, cases, BUILT_IN).items


def test_a_case_that_was_only_typed_otherwise_is_judged_again():
    """It is compared, so it needs today's score."""
    typed = [c.model_copy(update={"question": f"{c.question}？"}) for c in suite()]

    assert 30 == len(plan(stored(), NEW, typed, BUILT_IN).items)


@pytest.mark.parametrize("judge", [OLD, NEW], ids=["same judge", "another judge"])
@pytest.mark.parametrize(
    "edit",
    [{"reference": None}, {"reference": "…"}, {"reference": "30日です。", "metrics": ("faithfulness",)}],
    ids=["no reference", "an empty one", "fewer metrics"],
)
def test_what_the_suite_took_away_is_judged_as_it_was_and_missed(judge, edit):
    """The stored answer keeps its score, so that today's lack of one is seen; else a regression could hide there."""
    old, cases = stored(), [suite()[0].model_copy(update=edit), *suite()[1:]]
    todo = plan(old, judge, cases, BUILT_IN)
    scores = {(i.case.id, i.attempt): dict.fromkeys(i.metrics, Scored(value=1)) for i in todo.items}
    before, after = rejudged(old.run, todo, scores, judge), made(cases, 5, judge)
    why = Inapplicable.NOT_SELECTED if "metrics" in edit else Inapplicable.NO_REFERENCE
    missing = sample("1", correctness=NotApplicable(reason=why), faithfulness=1)
    first = after.cases[0].model_copy(update={"samples": (missing,)})
    found = decide(
        before,
        after.model_copy(update={"cases": (first, *after.cases[1:])}),
        GatePolicy(),
        today=TODAY,
    )

    assert {None} == {i.case.metrics for i in todo.items} | {None}
    assert (Verdict.FAILED, [(ReasonCode.CASES_REGRESSED, ("c0",))]) == (
        found.verdict,
        [(r.code, r.cases) for r in found.reasons],
    )


def test_without_stored_answers_it_is_impossible_and_says_which():
    found = plan(stored(answers=False), OLD, suite("30日です。"), BUILT_IN)

    assert ((), ("c0",)) == (found.items, found.impossible)


def test_after_judging_again_the_comparison_goes_on():
    """B11: the same app under a new, stricter judge passes."""
    old, after = stored(), made(suite(), 3, NEW)
    todo = plan(old, NEW, suite(), BUILT_IN)
    scores = {
        (i.case.id, i.attempt): {"correctness": Scored(value=3), "faithfulness": Scored(value=1)}
        for i in todo.items
    }

    assert ReasonCode.NOT_COMPARABLE is decide(old.run, after, GatePolicy(), today=TODAY).reasons[0].code
    before = rejudged(old.run, todo, scores, NEW)
    assert Verdict.PASSED is decide(before, after, GatePolicy(), today=TODAY).verdict


def test_an_edited_reference_is_comparable_once_judged_again():
    old, after = stored(), made(suite("30日です。"), 5, OLD)
    todo = plan(old, OLD, suite("30日です。"), BUILT_IN)
    scores = {(i.case.id, i.attempt): {"correctness": Scored(value=2)} for i in todo.items}
    found = decide(rejudged(old.run, todo, scores, OLD), after, GatePolicy(), today=TODAY)

    assert Verdict.PASSED is found.verdict
    assert (2, 5) == (
        found.cases[0].metrics["correctness"].before,
        found.cases[0].metrics["correctness"].after,
    )


UNUSABLE = Unscored(cause=Cause.JUDGE_REPLY_UNUSABLE)


@pytest.mark.parametrize("attempts", [("1", "2", "3"), ("2",)], ids=["every sample", "one sample"])
@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ({}, Verdict.INCONCLUSIVE),
        ({"max_unscored": 1}, Verdict.PASSED),
        ({"on_incomparable": "warn"}, Verdict.PASSED),
    ],
)
def test_a_regression_never_hides_behind_a_stored_answer_that_could_not_be_judged_again(
    policy, expected, attempts
):
    """The "before" of a broken case is lost: nobody can tell, unless that was waived."""
    old = stored()
    todo = plan(old, NEW, suite(), BUILT_IN)
    scores = {
        (i.case.id, i.attempt): {
            "correctness": UNUSABLE if i.case.id == "c3" and i.attempt in attempts else Scored(value=5),
            "faithfulness": Scored(value=1),
        }
        for i in todo.items
    }
    before, after = rejudged(old.run, todo, scores, NEW), made(suite(), 5, NEW)
    found = decide(before, after, GatePolicy(**policy), today=TODAY, lost=lost(old.run, before))

    assert expected is found.verdict
    said = found.reasons if expected is Verdict.INCONCLUSIVE else found.warnings
    assert [(ReasonCode.BASELINE_UNSCORED, ("c3",))] == [(r.code, r.cases) for r in said]


def test_a_score_that_the_baseline_never_had_is_not_lost():
    """Storing it so was the team's own decision (`--accept`)."""
    old = stored()
    never = old.run.cases[0].model_copy(update={"samples": (sample("1", correctness=UNUSABLE),)})
    old = old.model_copy(update={"run": old.run.model_copy(update={"cases": (never, *old.run.cases[1:])})})

    assert () == lost(old.run, old.run)
