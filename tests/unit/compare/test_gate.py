from datetime import date

import pytest

from bench.gate.procedure import TODAY
from ragjudge.compare.decision import CaseStatus, ReasonCode, Verdict
from ragjudge.compare.gate import decide
from ragjudge.compare.policy import GatePolicy, for_renewal
from ragjudge.results.outcome import Cause, Unscored
from ragjudge.results.run import AppFailure, CaseResult, Sample
from ragjudge.settings import Accept
from ragjudge.suite.case import Checks
from tests.builders import case, fingerprint, run, sample, scored_run


def verdict(before, after, **policy):
    return decide(before, after, GatePolicy(**policy), today=TODAY)


def codes(reasons):
    return [reason.code for reason in reasons]


def twenty(value=5.0, samples=3, **others):
    return scored_run({**{f"c{n:02}": [value] * samples for n in range(20)}, **others})


def confirmed(run_, case_id, *values):
    cases = tuple(
        c.model_copy(
            update={
                "confirmations": tuple(
                    sample(f"confirm-{n}", correctness=v) for n, v in enumerate(values, start=1)
                )
            }
        )
        if c.case.id == case_id
        else c
        for c in run_.cases
    )
    return run_.model_copy(update={"cases": cases})


def accept(case_id, metric=None, until=date(2026, 12, 31)):
    return Accept(case=case_id, metric=metric, reason="規程改定", until=until)


def test_the_same_run_passes():
    """Comparing a run with itself finds nothing."""
    found = verdict(twenty(), twenty())

    assert (Verdict.PASSED, [ReasonCode.ALL_WITHIN_TOLERANCE]) == (found.verdict, codes(found.reasons))


def test_a_confirmed_drop_fails_and_names_the_case():
    """The whole point."""
    after = confirmed(twenty(samples=1, c03=[1]), "c03", 1, 2)
    found = verdict(twenty(), after)

    assert Verdict.FAILED is found.verdict
    assert (ReasonCode.CASES_REGRESSED, ("c03",)) == (found.reasons[0].code, found.reasons[0].cases)
    assert ["c03"] == [c.case_id for c in found.with_status(CaseStatus.REGRESSED)]


def test_a_drop_that_recovered_passes_and_is_listed_as_noise():
    """Noise is said, not hidden."""
    found = verdict(twenty(), confirmed(twenty(samples=1, c03=[1]), "c03", 5))

    assert Verdict.PASSED is found.verdict
    assert ["c03"] == [c.case_id for c in found.with_status(CaseStatus.NOISE)]


def test_a_suspect_that_nobody_confirmed_is_inconclusive():
    """Neither red nor green: it could be either."""
    found = verdict(twenty(), twenty(samples=1, c03=[1]))

    assert (Verdict.INCONCLUSIVE, [ReasonCode.SUSPECTS_NOT_CONFIRMED]) == (
        found.verdict,
        codes(found.reasons),
    )


def test_as_many_regressed_cases_as_allowed_pass():
    """`max_regressed_cases: 1`; the case is still named."""
    found = verdict(twenty(), confirmed(twenty(samples=1, c03=[1]), "c03", 1, 1), max_regressed_cases=1)

    assert (Verdict.PASSED, ReasonCode.CASES_REGRESSED) == (found.verdict, found.warnings[0].code)


def test_a_wide_small_loss_fails_by_its_mean():
    """No single case is a suspect, but one point lost everywhere is no accident."""
    found = verdict(twenty(), twenty(4, samples=1))

    assert (Verdict.FAILED, [ReasonCode.METRIC_REGRESSED]) == (found.verdict, codes(found.reasons))
    assert -1.0 == found.metrics[0].change
    assert found.metrics[0].p < 0.005


def test_a_mean_that_dropped_by_less_than_its_tolerance_is_never_red():
    """Whatever its p: 20 of 20 cases lower by 0.08."""
    found = verdict(twenty(), twenty(4.92, samples=1))

    assert Verdict.PASSED is found.verdict
    assert found.metrics[0].p < 0.005


def test_a_drop_that_may_be_an_accident_is_only_said():
    """Three of twenty cases lost a point: more than 0.1 on average, yet by chance often enough."""
    found = verdict(twenty(), twenty(samples=1, c01=[4], c02=[4], c03=[4]))

    assert (Verdict.PASSED, [ReasonCode.METRIC_DROPPED]) == (found.verdict, codes(found.warnings))


def test_under_ten_pairs_no_mean_is_tested():
    """Nine cases cannot tell a mean's drop from chance; their cases are still judged one by one."""
    before = scored_run({str(n): [5, 5, 5] for n in range(9)})
    after = scored_run({str(n): [4] for n in range(9)})
    found = verdict(before, after)

    assert (None, Verdict.PASSED) == (found.metrics[0].p, found.verdict)
    assert [ReasonCode.METRIC_DROPPED, ReasonCode.FEW_PAIRS] == codes(found.warnings)


def test_without_a_baseline_the_floor_still_holds():
    """A team's first pull request is not red, unless it is below the floor."""
    assert Verdict.NO_BASELINE is verdict(None, twenty()).verdict
    found = verdict(None, twenty(2), minimum={"correctness": 3.5})
    assert (Verdict.FAILED, [ReasonCode.BELOW_MINIMUM]) == (found.verdict, codes(found.reasons))


def test_a_floor_holds_with_a_baseline_too():
    found = verdict(twenty(2), twenty(2), minimum={"correctness": 3.5})

    assert Verdict.FAILED is found.verdict


@pytest.mark.parametrize("before", [None, twenty()])
def test_a_missing_score_is_inconclusive(before):
    """At `max_unscored: 0` a score that could not be had is never green."""
    after = twenty(samples=1, c03=[5])
    lost = CaseResult(
        case=after.cases[3].case, samples=(sample(correctness=Unscored(cause=Cause.JUDGE_TIMEOUT)),)
    )
    after = after.model_copy(update={"cases": (*after.cases[:3], lost, *after.cases[4:])})
    found = verdict(before, after)

    assert (Verdict.INCONCLUSIVE, ReasonCode.UNSCORED, ("c03",)) == (
        found.verdict,
        found.reasons[0].code,
        found.reasons[0].cases,
    )
    waived = verdict(before, after, max_unscored=1)
    assert waived.verdict in (Verdict.PASSED, Verdict.NO_BASELINE)
    assert ReasonCode.UNSCORED in codes(waived.warnings)


def test_an_app_that_failed_on_a_case_counts_as_unscored():
    after = twenty(samples=1)
    failed = CaseResult(
        case=after.cases[0].case, samples=(Sample(attempt="1", failure=AppFailure(cause=Cause.APP_ERROR)),)
    )
    found = verdict(twenty(), after.model_copy(update={"cases": (failed, *after.cases[1:])}))

    assert (Verdict.INCONCLUSIVE, [ReasonCode.UNSCORED]) == (found.verdict, codes(found.reasons))


def test_failed_wins_over_inconclusive():
    """A regression that was seen stays one, whatever else went wrong."""
    after = confirmed(twenty(samples=1, c03=[1]), "c03", 1, 1).model_copy(update={"stopped": "outage"})
    found = verdict(twenty(), after)

    assert Verdict.FAILED is found.verdict
    assert [ReasonCode.CASES_REGRESSED, ReasonCode.RUN_STOPPED] == codes(found.reasons)


def test_a_run_that_ended_early_is_inconclusive():
    found = verdict(twenty(), twenty(samples=1).model_copy(update={"stopped": "outage"}))

    assert (Verdict.INCONCLUSIVE, "outage") == (found.verdict, found.reasons[0].detail)


def published_anew(run):
    """Every second case was answered by another version."""
    return run.model_copy(
        update={
            "cases": tuple(
                c.model_copy(update={"samples": tuple(by_version(s, f"w{n % 2}") for s in c.samples)})
                for n, c in enumerate(run.cases)
            )
        }
    )


def by_version(sample_, workflow_id):
    return sample_.model_copy(
        update={"answer": sample_.answer.model_copy(update={"workflow_id": workflow_id})}
    )


def test_two_workflow_versions_in_one_run_are_inconclusive():
    """Somebody published in the middle: half of the scores belong to another app."""
    found = verdict(twenty(), published_anew(twenty(samples=1)))

    assert (Verdict.INCONCLUSIVE, [ReasonCode.WORKFLOW_CHANGED_DURING_RUN]) == (
        found.verdict,
        codes(found.reasons),
    )


def test_a_version_that_answered_only_the_confirming_questions_counts_too():
    """Published between the suite and the second look at a suspect: what confirmed it was another app."""
    after = confirmed(twenty(samples=1, old=[1]), "old", 1, 1)
    cases = tuple(
        c.model_copy(
            update={
                "samples": tuple(by_version(s, "w1") for s in c.samples),
                "confirmations": tuple(by_version(s, "w2") for s in c.confirmations),
            }
        )
        for c in after.cases
    )

    found = verdict(twenty(old=[5, 5, 5]), after.model_copy(update={"cases": cases}))

    assert (Verdict.FAILED, Verdict.INCONCLUSIVE) == (
        verdict(twenty(old=[5, 5, 5]), after).verdict,
        found.verdict,
    )
    assert ReasonCode.WORKFLOW_CHANGED_DURING_RUN == found.reasons[0].code


def test_regressions_prove_nothing_where_two_versions_answered():
    """The change under test may not be the one that answered: said, but inconclusive."""
    worse = published_anew(twenty(samples=1, old=[1]))

    found = verdict(twenty(old=[5, 5, 5]), worse)

    assert Verdict.INCONCLUSIVE == found.verdict
    assert ReasonCode.WORKFLOW_CHANGED_DURING_RUN == found.reasons[0].code
    assert len(found.reasons) > 1


def test_a_suite_that_shrank_fails_whatever_version_answered():
    """A case that is gone is gone in either."""
    found = verdict(twenty(old=[5, 5, 5]), published_anew(twenty(samples=1)))

    assert (Verdict.FAILED, ReasonCode.CASES_REMOVED) == (found.verdict, found.reasons[0].code)


def test_a_removed_case_fails_until_it_is_accepted():
    """Deleting the question that fails must not turn the check green."""
    before = twenty(old=[5, 5, 5])
    found = verdict(before, twenty(samples=1))

    assert (Verdict.FAILED, ReasonCode.CASES_REMOVED, ("old",)) == (
        found.verdict,
        found.reasons[0].code,
        found.reasons[0].cases,
    )
    accepted = verdict(before, twenty(samples=1), accept=(accept("old"),))
    assert (Verdict.PASSED, ()) == (accepted.verdict, accepted.warnings)
    assert "規程改定" == accepted.cases[-1].accepted_reason


def test_a_newly_skipped_case_fails_until_it_is_accepted():
    after = twenty(samples=1)
    skipped = CaseResult(case=after.cases[0].case.model_copy(update={"skip": "後で"}), samples=())
    after = after.model_copy(update={"cases": (skipped, *after.cases[1:])})

    assert ReasonCode.CASES_NEWLY_SKIPPED is verdict(twenty(), after).reasons[0].code
    assert Verdict.PASSED is verdict(twenty(), after, accept=(accept("c00"),)).verdict


def test_new_cases_are_listed_and_never_compared():
    """B3: the aggregate is over the intersection."""
    found = verdict(twenty(), twenty(samples=1, extra=[1]))

    assert Verdict.PASSED is found.verdict
    assert ["extra"] == [c.case_id for c in found.with_status(CaseStatus.NEW)]
    assert 20 == found.metrics[0].pairs


def test_a_metric_that_is_no_longer_measured_fails():
    """B2: taking a metric out of the config hides what it would have said."""
    both = run(
        [CaseResult(case=case("a"), samples=(sample(correctness=5, faithfulness=1),))],
        metrics=["correctness", "faithfulness"],
    )
    one = run([CaseResult(case=case("a"), samples=(sample(correctness=5),))])

    found = verdict(both, one)
    assert (Verdict.FAILED, ReasonCode.METRIC_REMOVED, "faithfulness") == (
        found.verdict,
        found.reasons[0].code,
        found.reasons[0].metric,
    )
    assert Verdict.PASSED is verdict(both, one, accept=(accept("*", "faithfulness"),)).verdict


def test_an_accepted_regression_passes_with_its_reason():
    """An intended change, reviewed in the pull request; its drop does not count in the mean either."""
    found = verdict(twenty(), twenty(samples=1, c03=[1]), accept=(accept("c03"),))

    assert Verdict.PASSED is found.verdict
    assert [("c03", "規程改定")] == [
        (c.case_id, c.accepted_reason) for c in found.with_status(CaseStatus.ACCEPTED)
    ]
    assert 19 == found.metrics[0].pairs


def test_an_entry_that_ended_accepts_nothing_and_says_so():
    """Intended changes have an end."""
    ended = accept("c03", until=date(2026, 1, 1))
    found = verdict(twenty(), confirmed(twenty(samples=1, c03=[1]), "c03", 1, 1), accept=(ended,))

    assert Verdict.FAILED is found.verdict
    assert ReasonCode.ACCEPT_EXPIRED in codes(found.warnings)


def test_an_entry_that_nothing_needed_is_said():
    found = verdict(twenty(), twenty(samples=1), accept=(accept("c03"), accept("unknown")))

    assert [ReasonCode.ACCEPT_UNUSED] * 2 == codes(found.warnings)


def test_entries_are_named_without_a_baseline_too():
    """Nothing to compare with yet, so that nothing needed them; one is over as well."""
    ended = accept("c04", until=date(2026, 1, 1))
    found = verdict(None, twenty(samples=1), accept=(accept("c03"), ended))

    assert Verdict.NO_BASELINE is found.verdict
    assert [
        (ReasonCode.ACCEPT_UNUSED, ("c03",)),
        (ReasonCode.ACCEPT_EXPIRED, ("c04",)),
    ] == [(w.code, w.cases) for w in found.warnings]


def test_an_entry_for_another_metric_accepts_nothing():
    found = verdict(
        twenty(),
        confirmed(twenty(samples=1, c03=[1]), "c03", 1, 1),
        accept=(accept("c03", "faithfulness"),),
    )

    assert Verdict.FAILED is found.verdict


def test_another_judge_is_not_a_regression():
    """B11: the verdict says "not comparable", and no case is called worse."""
    other = twenty(1, samples=1).model_copy(update={"fingerprint": fingerprint("judge-2")})
    found = verdict(twenty(), other)

    assert (Verdict.FAILED, [ReasonCode.NOT_COMPARABLE]) == (found.verdict, codes(found.reasons))
    assert ("judge", ("judge",)) == (found.reasons[0].detail, found.metrics[0].not_comparable)
    assert {CaseStatus.NOT_COMPARABLE} == {c.status for c in found.cases}


def test_another_judge_under_warn_is_like_having_no_baseline():
    """Not green by comparison: the banner says that nothing was compared, and floors hold."""
    other = twenty(1, samples=1).model_copy(update={"fingerprint": fingerprint("judge-2")})
    found = verdict(twenty(), other, on_incomparable="warn")

    assert (Verdict.NO_BASELINE, [ReasonCode.NOT_COMPARABLE]) == (found.verdict, codes(found.warnings))
    assert (
        Verdict.FAILED
        is verdict(twenty(), other, on_incomparable="warn", minimum={"correctness": 3.5}).verdict
    )


def with_references(found, *ids):
    """The run with another reference in these cases."""
    edited = tuple(
        c.model_copy(update={"case": c.case.model_copy(update={"reference": "30日です。"})})
        if c.case.id in ids
        else c
        for c in found.cases
    )
    return found.model_copy(update={"cases": edited})


def test_a_case_with_an_edited_reference_is_not_compared_until_judged_again():
    """Two references, two scales: it is listed, and the other cases gate."""
    after = with_references(twenty(1, samples=1, c03=[5]), "c03")
    same = with_references(twenty(samples=1, c03=[1]), "c03")
    found = verdict(twenty(), same)

    assert (Verdict.PASSED, [ReasonCode.REFERENCES_CHANGED]) == (found.verdict, codes(found.warnings))
    assert ("c03",) == found.warnings[0].cases
    assert CaseStatus.REFERENCE_CHANGED is found.cases[3].status
    assert [] == codes(verdict(twenty(), same, accept=(accept("c03"),)).warnings)
    assert Verdict.FAILED is verdict(twenty(), after).verdict


@pytest.mark.parametrize(("edited", "expected"), [(10, Verdict.PASSED), (11, Verdict.FAILED)])
def test_a_suite_whose_references_were_mostly_edited_is_another_suite(edited, expected):
    """By `on_incomparable`, like another judge: too little is left to call the rest compared."""
    ids = [f"c{n:02}" for n in range(edited)]
    found = verdict(twenty(), with_references(twenty(samples=1), *ids))

    assert expected is found.verdict
    said = verdict(twenty(), with_references(twenty(samples=1), *ids), on_incomparable="warn")
    assert Verdict.PASSED is said.verdict
    if expected is Verdict.FAILED:
        assert [(ReasonCode.NOT_COMPARABLE, "correctness", "reference")] == [
            (r.code, r.metric, r.detail) for r in found.reasons
        ]
        assert ReasonCode.NOT_COMPARABLE in codes(said.warnings)


def test_an_edited_question_is_listed_and_not_compared():
    before = scored_run({str(n): [5, 5, 5] for n in range(11)})
    after = scored_run({str(n): [1 if n == 0 else 5] for n in range(11)})
    edited = after.cases[0].model_copy(
        update={"case": after.cases[0].case.model_copy(update={"question": "別の質問"})}
    )
    found = verdict(before, after.model_copy(update={"cases": (edited, *after.cases[1:])}))

    assert (Verdict.PASSED, CaseStatus.QUESTION_CHANGED) == (found.verdict, found.cases[0].status)
    assert [ReasonCode.QUESTIONS_CHANGED] == codes(found.warnings)


def test_edited_checks_are_listed():
    """A check that was weakened (1,800 → 円) holds as well as before: nobody would look at it."""
    after = twenty(samples=1)
    edited = after.cases[3].case.model_copy(update={"checks": Checks(contains=("円",))})
    cases = (*after.cases[:3], after.cases[3].model_copy(update={"case": edited}), *after.cases[4:])
    found = verdict(twenty(), after.model_copy(update={"cases": cases}))

    assert Verdict.PASSED is found.verdict
    assert [(ReasonCode.CHECKS_CHANGED, ("c03",))] == [(r.code, r.cases) for r in found.warnings]


@pytest.mark.parametrize("before", [None, twenty()])
def test_an_empty_run_is_never_green(before):
    """B6: a gate over an empty list fails closed."""
    found = verdict(before, run([]))

    assert found.verdict in (Verdict.INCONCLUSIVE, Verdict.FAILED)
    assert ReasonCode.NOTHING_EVALUATED in codes(found.reasons)


def test_no_comparable_case_is_never_green():
    """All cases are new and the old ones' removal was accepted: nothing was compared."""
    found = verdict(scored_run({"a": [5]}), scored_run({"b": [5]}), accept=(accept("a"),))

    assert (Verdict.INCONCLUSIVE, [ReasonCode.NOTHING_COMPARED]) == (found.verdict, codes(found.reasons))
    assert ["new_case"] == [reason.detail for reason in found.reasons]


def test_edited_questions_leave_nothing_to_compare_and_no_obstacle_to_a_new_baseline():
    """Scores there are: connections have nothing to do with it, and an update is the cure."""
    before, after = scored_run({"a": [5], "b": [4]}), scored_run({"a": [5], "b": [4]})
    cases = tuple(
        c.model_copy(update={"case": c.case.model_copy(update={"question": f"変更後 {c.case.id}"})})
        for c in after.cases
    )
    after = after.model_copy(update={"cases": cases})

    found = verdict(before, after)
    renewal = decide(before, after, for_renewal(GatePolicy()), today=TODAY)

    assert [(ReasonCode.NOTHING_COMPARED, "question")] == [(r.code, r.detail) for r in found.reasons]
    assert Verdict.INCONCLUSIVE is found.verdict
    assert Verdict.NO_BASELINE is renewal.verdict
    assert ReasonCode.NOTHING_COMPARED in codes(renewal.warnings)


def test_a_baseline_case_without_a_score_is_no_comparison():
    """B1: an error then and 0.4 now is neither an improvement nor a regression."""
    lost = CaseResult(
        case=case("x", "質問 x"), samples=(sample(correctness=Unscored(cause=Cause.JUDGE_TIMEOUT)),)
    )
    before = twenty()
    before = before.model_copy(update={"cases": (*before.cases, lost)})
    found = verdict(before, twenty(samples=1, x=[2]))

    assert (Verdict.PASSED, CaseStatus.UNSCORED) == (found.verdict, found.cases[-1].status)


def test_fresh_samples_never_enter_a_mean():
    """They were chosen by looking."""
    plain = verdict(twenty(), twenty(samples=1, c03=[3]))
    fresh = verdict(twenty(), confirmed(twenty(samples=1, c03=[3]), "c03", 1, 1))

    assert plain.metrics == fresh.metrics
