from datetime import date

import pytest

from ragjudge.compare.policy import GatePolicy, policy_from
from ragjudge.settings import Accept, CustomMetric, GateSettings, MetricsSettings, Settings


def test_tolerances_come_from_the_config_and_else_from_the_metric():
    policy = policy_from(
        Settings(gate=GateSettings(tolerance={"correctness": 0.3}, case_tolerance={"faithfulness": 0.5}))
    )

    assert (0.3, 1.5) == (policy.spec("correctness").tolerance, policy.spec("correctness").case_tolerance)
    assert (0.05, 0.5) == (policy.spec("faithfulness").tolerance, policy.spec("faithfulness").case_tolerance)


def test_a_teams_own_metric_is_gated_on_its_own_scale():
    custom = CustomMetric(name="politeness", rubric="丁寧か", scale=(0, 10), minimum=6.0)
    policy = policy_from(Settings(metrics=MetricsSettings(custom=(custom,))))

    assert 0.25 == pytest.approx(policy.spec("politeness").tolerance)
    assert {"politeness": 6.0} == policy.minimum
    assert policy.spec("politeness").case_tolerance is None


def test_a_thin_baseline_raises_the_threshold_to_half_the_scale():
    policy = GatePolicy()

    assert [2.0, 2.0, 1.5] == [policy.case_threshold("correctness", n) for n in (1, 2, 3)]
    assert [3, 3, 2] == [policy.confirmations(n) for n in (1, 2, 3)]


@pytest.mark.parametrize(
    ("extra", "cases", "looks", "budget"),
    [(0.3, 50, 0, 15), (0.3, 5, 0, 9), (2.3, 50, 2, 15), (2.0, 50, 2, 15), (0.0, 50, 0, 0)],
)
def test_the_extra_budget_is_cut_into_looks_and_confirmations(extra, cases, looks, budget):
    """Its whole part repeats the suite, the rest confirms suspects."""
    policy = GatePolicy(extra_budget=extra)

    assert (looks, budget) == (policy.more_looks, policy.confirm_budget(cases))


def test_an_entry_is_in_force_up_to_its_last_day():
    policy = GatePolicy(accept=(Accept(case="17", reason="改定", until=date(2026, 3, 31)),))

    assert policy.accepted("17", "correctness", today=date(2026, 3, 31))
    assert policy.accepted("17", "correctness", today=date(2026, 4, 1)) is None
    assert policy.accepted("18", "correctness", today=date(2026, 3, 31)) is None
    assert policy.accepted("17", "correctness", today=None) is None


@pytest.mark.parametrize("written", ["１７", "17\u200b", " 17"])
def test_an_entry_names_a_case_however_its_id_is_written(written):
    """As the suite's ids are read."""
    accept = (Accept(case=written, reason="改定", until=date(2026, 3, 31)),)

    assert policy_from(Settings(accept=accept)).accepted("17", None, today=date(2026, 3, 31)) is not None
