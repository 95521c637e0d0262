"""The simulation of bench/gate in small: fixed seeds, the shipped comparison and confirm code."""

from statistics import mean

import pytest

from bench.gate.model import Damage, Noise
from bench.gate.simulate import SCENARIOS, Scenario, Setting, once
from ragjudge.compare.decision import Verdict
from ragjudge.compare.policy import GatePolicy, for_renewal

FIFTY = Setting(cases=50, baseline_repeats=3)
PASS_TO_FAIL = 0


def runs(scenario, count, setting=FIFTY):
    return [once(scenario, setting, seed) for seed in range(count)]


def test_an_unchanged_app_is_not_red_and_costs_little():
    """Where a plain pass→fail rule is red nearly always."""
    found = runs(Scenario("unchanged"), 12)

    assert [Verdict.PASSED] * 12 == [o.verdict for o in found]
    assert mean(o.extra for o in found) <= 0.05
    assert mean(o.plain[PASS_TO_FAIL] for o in found) > 0.8


@pytest.mark.parametrize(("then", "now"), [(3, 3), (1, 1)])
def test_an_update_from_an_unchanged_app_is_not_refused(then, now):
    """A new run of several repeats meets as many unlucky answers: they are asked again as in a check."""
    update = Setting(50, then, for_renewal(GatePolicy()), repeats=now)

    assert [Verdict.PASSED] * 10 == [o.verdict for o in runs(Scenario("unchanged"), 10, update)]


@pytest.mark.parametrize("count", [1, 2, 5])
def test_broken_answers_are_found_and_named(count):
    found = runs(Scenario("broken", Damage(broken=count)), 5)

    assert [Verdict.FAILED] * 5 == [o.verdict for o in found]
    assert mean(o.named for o in found) >= 0.8 * min(count, 5)


def test_an_outage_is_never_green():
    """Neither with a healthy app nor with a broken one."""
    outages = [s for s in SCENARIOS if "outage" in s.name]

    assert 2 == len(outages)
    assert {Verdict.INCONCLUSIVE} == {o.verdict for s in outages for o in runs(s, 3)}


def test_replies_that_stay_unusable_are_inconclusive_and_not_red():
    found = runs(Scenario("unusable", noise=Noise(unusable=0.01)), 6)

    assert Verdict.FAILED not in {o.verdict for o in found}
    assert Verdict.INCONCLUSIVE in {o.verdict for o in found}


def test_a_simulated_run_can_be_made_again():
    """One seed, one outcome: the table can be reproduced."""
    scenario = Scenario("two", Damage(broken=2))

    assert once(scenario, FIFTY, 3) == once(scenario, FIFTY, 3)
