from bench.gate.procedure import TODAY, settle
from ragjudge.compare.decision import CaseStatus, ReasonCode, Verdict
from ragjudge.compare.next_step import next_step
from ragjudge.compare.policy import GatePolicy
from ragjudge.results.outcome import Cause, Unscored
from ragjudge.results.run import CaseResult
from ragjudge.settings import Accept
from tests.builders import case, sample, scored_run

GOOD = GatePolicy()
CASES_ONLY = GatePolicy(alpha=0.0)


def suite(changed=None, *, samples=1, cases=50):
    return scored_run({f"c{n:02}": [(changed or {}).get(f"c{n:02}", 5)] * samples for n in range(cases)})


BEFORE = suite(samples=3)


def answers(values):
    """A responder: `{"c03": [1, 5]}` gives 1 to confirm-1 and 5 to confirm-2; 5 to everything else."""

    def respond(case_id, attempt):
        number = int(attempt.removeprefix("confirm-"))
        given = values.get(case_id, [])
        value = given[number - 1] if number <= len(given) else 5
        return sample(attempt, correctness=value)

    return respond


def asks(after, policy=GOOD, **more):
    return next_step(BEFORE, after, policy, asked_extra=more.pop("asked_extra", 0), today=TODAY, **more).asks


def test_nothing_is_asked_where_nothing_dropped():
    assert () == asks(suite())


def test_nothing_is_asked_without_a_baseline():
    assert not next_step(None, suite(), GOOD, asked_extra=0)


def test_suspects_are_asked_worst_first_under_names_of_their_own():
    """No cached and no baseline sample can have the name of a fresh one."""
    after = suite({"c07": 3, "c03": 1, "c05": 2})

    assert (("c03", "confirm-1"), ("c05", "confirm-1"), ("c07", "confirm-1")) == asks(after)


def test_a_suspect_that_recovers_is_not_asked_again():
    """One fresh sample that is fine settles it."""
    found = settle(BEFORE, suite({"c03": 2}), GOOD, answers({}))

    assert (1, Verdict.PASSED) == (found.asked, found.decision.verdict)
    assert [CaseStatus.NOISE] == [c.status for c in found.decision.cases if c.case_id == "c03"]


def test_a_broken_case_is_confirmed_by_every_fresh_sample():
    found = settle(BEFORE, suite({"c03": 2}), GOOD, answers({"c03": [2, 1]}))

    assert (2, Verdict.FAILED) == (found.asked, found.decision.verdict)


def test_a_thin_baseline_needs_three_fresh_samples():
    found = settle(suite(), suite({"c03": 2}), GOOD, answers({"c03": [2, 1, 2]}))

    assert (3, Verdict.FAILED) == (found.asked, found.decision.verdict)


def test_confirming_stops_once_the_verdict_is_red():
    """Thirty broken cases: five are confirmed side by side, and no more money is spent."""
    broken = {f"c{n:02}": 1 for n in range(30)}
    found = settle(BEFORE, suite(broken), CASES_ONLY, answers({c: [1, 1] for c in broken}))

    assert (Verdict.FAILED, 10) == (found.decision.verdict, found.asked)
    assert 5 == len(found.decision.with_status(CaseStatus.REGRESSED))


def test_a_red_mean_still_names_its_worst_cases():
    """The means are red at once; five cases are confirmed so that a person knows where to look, and no more."""
    broken = {f"c{n:02}": 2 for n in range(30)}
    found = settle(BEFORE, suite(broken), GOOD, answers({c: [1, 5] for c in broken}))

    assert (Verdict.FAILED, 10) == (found.decision.verdict, found.asked)
    assert 25 == len(found.decision.with_status(CaseStatus.SUSPECT))


def test_confirming_stops_when_the_suspects_cannot_exceed_the_limit():
    """Two suspects under `max_regressed_cases: 2` cannot make it red."""
    policy = GatePolicy(max_regressed_cases=2)
    found = settle(BEFORE, suite({"c03": 1, "c04": 1}), policy, answers({}))

    assert (0, Verdict.PASSED) == (found.asked, found.decision.verdict)
    assert {CaseStatus.SUSPECT} == {c.status for c in found.decision.cases if c.case_id in ("c03", "c04")}


def test_the_budget_is_never_exceeded_and_its_end_is_inconclusive():
    """Ten questions for fifty cases; a suspect left open is neither red nor green."""
    policy = GatePolicy(extra_budget=0.2, alpha=0.0)
    some = {f"c{n:02}": 3 for n in range(12)}
    found = settle(BEFORE, suite(some), policy, answers({c: [2, 5] for c in some}))

    assert 10 == found.asked
    assert (Verdict.INCONCLUSIVE, ReasonCode.SUSPECTS_NOT_CONFIRMED) == (
        found.decision.verdict,
        found.decision.reasons[0].code,
    )


def test_questions_that_left_no_sample_are_paid_for_too():
    """A step that failed on the way must not be asked for ever."""
    assert () == asks(suite({"c03": 1}), asked_extra=15)


def test_no_more_than_ten_open_suspects_beyond_the_limit_are_tried():
    """Those that can't be settled: more of them would cost and decide nothing."""
    policy = GatePolicy(extra_budget=0.9, alpha=0.0)
    some = {f"c{n:02}": 3 for n in range(14)}
    lost = Unscored(cause=Cause.JUDGE_TIMEOUT)
    found = settle(BEFORE, suite(some), policy, answers({c: [lost, lost] for c in some}))

    assert 20 == found.asked
    assert Verdict.INCONCLUSIVE is found.decision.verdict


def test_every_suspect_that_recovers_makes_room_for_the_next():
    """A large suite has dozens of unlucky answers on an ordinary day: all are cleared, one question each."""
    before, after = suite(samples=3, cases=400), suite({f"c{n:02}": 3 for n in range(40)}, cases=400)
    found = settle(before, after, CASES_ONLY, answers({}))

    assert (40, Verdict.PASSED) == (found.asked, found.decision.verdict)


def test_a_broken_case_behind_many_unlucky_ones_is_still_found():
    """It dropped less than they did, so that it is looked at last."""
    some = {f"c{n:02}": 1 for n in range(40)} | {"c99": 3}
    before, after = suite(samples=3, cases=400), suite(some, cases=400)
    found = settle(before, after, CASES_ONLY, answers({"c99": [3, 3]}))

    assert Verdict.FAILED is found.decision.verdict
    assert ["c99"] == [c.case_id for c in found.decision.with_status(CaseStatus.REGRESSED)]


def test_a_small_suite_may_always_confirm_a_few():
    """Thirty per cent of five cases would confirm nothing."""
    before, after = suite(samples=3, cases=5), suite({"c01": 1}, cases=5)
    found = settle(before, after, GOOD, answers({"c01": [1, 1]}))

    assert Verdict.FAILED is found.decision.verdict


def test_a_fresh_sample_that_cannot_be_scored_is_not_asked_for_ever():
    """It is tried as often as planned, then it stays a suspect."""
    lost = Unscored(cause=Cause.JUDGE_TIMEOUT)
    found = settle(BEFORE, suite({"c03": 2}), GOOD, answers({"c03": [lost, lost]}))

    assert (2, Verdict.INCONCLUSIVE) == (found.asked, found.decision.verdict)


def test_an_accepted_drop_is_not_asked_again():
    entry = Accept(case="c03", reason="規程改定", until=TODAY)

    assert () == asks(suite({"c03": 1}), GatePolicy(accept=(entry,)))


def test_nothing_is_asked_after_an_outage():
    """The server that went away would be asked again for nothing."""
    assert () == asks(suite({"c03": 1}).model_copy(update={"stopped": "outage"}))


def test_a_skipped_case_is_never_asked():
    after = suite({"c03": 1})
    after = after.model_copy(
        update={"cases": (*after.cases, CaseResult(case=case("later", skip="後で"), samples=()))}
    )
    policy = GatePolicy(extra_budget=1.3)

    assert "later" not in {case_id for case_id, _ in asks(after, policy)}


def test_a_mean_that_is_low_but_not_proven_asks_the_whole_suite_again():
    """Chosen without looking at scores: every case, not the weak ones."""
    after = suite({f"c{n:02}": 4 for n in range(6)})
    policy = GatePolicy(extra_budget=2.3)
    step = next_step(suite(samples=1), after, policy, asked_extra=0, today=TODAY)

    assert (False, 50) == (step.decides_cases, len(step.asks))
    assert {"2"} == {attempt for _, attempt in step.asks}


def test_whole_suite_repeats_settle_a_slow_wide_loss():
    """Ten cases lost a point for good: one look may be an accident, three are not."""
    low = {f"c{n:02}": 4 for n in range(10)}
    policy = GatePolicy(extra_budget=2.3)

    def respond(case_id, attempt):
        return sample(attempt, correctness=low.get(case_id, 5))

    found = settle(BEFORE, suite(low), policy, respond)
    assert Verdict.FAILED is found.decision.verdict
    assert ReasonCode.METRIC_REGRESSED is found.decision.reasons[0].code
    assert found.asked <= 100


def test_whole_suite_repeats_never_lift_a_single_case():
    """A repeat that was added for the means does not average a broken case away."""
    after = suite({"c00": 3, **{f"c{n:02}": 4 for n in range(1, 5)}})
    repeated = after.model_copy(
        update={
            "cases": tuple(
                c.model_copy(update={"samples": (*c.samples, sample("2", correctness=5))})
                for c in after.cases
            )
        }
    )
    found = settle(BEFORE, repeated, GatePolicy(extra_budget=1.3), answers({"c00": [1, 1]}))

    assert Verdict.FAILED is found.decision.verdict


def test_the_looks_are_fixed_in_advance():
    """Never more whole-suite repeats than the budget says, however undecided."""
    low = {f"c{n:02}": 4 for n in range(4)}
    policy = GatePolicy(extra_budget=2.3)
    found = settle(
        BEFORE, suite(low), policy, lambda c, a: sample(a, correctness=low.get(c, 5) if a < "3" else 5)
    )

    assert 100 >= found.asked
    assert 3 >= found.decision.metrics[0].looks
