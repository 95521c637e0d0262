"""The rule for single cases, seen through the decision."""

import pytest

from bench.gate.procedure import TODAY
from ragjudge.compare.decision import CaseStatus
from ragjudge.compare.gate import decide
from ragjudge.compare.policy import GatePolicy
from ragjudge.metric_specs import BUILT_IN
from ragjudge.results.outcome import Cause, Inapplicable, NotApplicable, Unscored
from ragjudge.results.run import CaseResult
from tests.builders import case, run, sample

GONE = NotApplicable(reason=Inapplicable.NO_CLAIMS)
LOST = Unscored(cause=Cause.JUDGE_TIMEOUT)


def status(before, after, fresh=(), *, metric="correctness", policy=None):
    """Status of one case with these outcomes per sample."""

    def samples(values, prefix=""):
        return tuple(sample(f"{prefix}{n}", **{metric: v}) for n, v in enumerate(values, start=1))

    then = run([CaseResult(case=case("a"), samples=samples(before))], metrics=[metric])
    now = run(
        [CaseResult(case=case("a"), samples=samples(after), confirmations=samples(fresh, "confirm-"))],
        metrics=[metric],
    )
    found = decide(then, now, policy or GatePolicy(), today=TODAY)
    return found.cases[0].metrics[metric].status


@pytest.mark.parametrize(
    ("before", "after", "fresh", "expected"),
    [
        ([5, 5, 5], [5], [], CaseStatus.SAME),
        ([4, 4, 4], [5], [], CaseStatus.BETTER),
        ([5, 5, 5], [4], [], CaseStatus.WORSE),
        ([5, 5, 4], [3], [], CaseStatus.SUSPECT),
        ([5, 5, 5], [3], [2], CaseStatus.SUSPECT),
        ([5, 5, 5], [3], [2, 3], CaseStatus.REGRESSED),
        ([5, 5, 5], [3], [5], CaseStatus.NOISE),
        ([5, 5, 5], [1], [1, 4], CaseStatus.NOISE),
        ([5, 5, 5], [1], [1, LOST], CaseStatus.SUSPECT),
        ([5, 5, 5], [1], [5, LOST], CaseStatus.NOISE),
        ([5, 5, 5], [1], [GONE, 1], CaseStatus.REGRESSED),
        ([5, 5, 5], [LOST], [], CaseStatus.UNSCORED),
        ([LOST, LOST, LOST], [5], [], CaseStatus.UNSCORED),
        ([5, 4, 5], [4, 3, 2], [], CaseStatus.SUSPECT),
        ([5, 5, 5], [4, 4, 3], [], CaseStatus.WORSE),
    ],
)
def test_correctness_of_one_case(before, after, fresh, expected):
    """A drop of 1.5 or more makes a suspect; only if every fresh sample lies below too it is regressed."""
    assert expected is status(before, after, fresh)


@pytest.mark.parametrize(
    ("before", "after", "fresh", "expected"),
    [
        ([5], [4], [], CaseStatus.WORSE),
        ([5], [3], [], CaseStatus.SUSPECT),
        ([5], [3], [3, 3], CaseStatus.SUSPECT),
        ([5], [3], [3, 3, 3], CaseStatus.REGRESSED),
        ([5, 5], [3.5], [], CaseStatus.WORSE),
    ],
)
def test_a_thin_baseline_asks_for_more_proof(before, after, fresh, expected):
    """With fewer than three baseline samples the threshold is 2 and three fresh samples must agree."""
    assert expected is status(before, after, fresh)


@pytest.mark.parametrize(
    ("before", "after", "fresh", "expected"),
    [
        ([0.9, 0.9, 0.9], [GONE], [], CaseStatus.SUSPECT),
        ([0.9, 0.9, 0.9], [GONE], [GONE, GONE], CaseStatus.REGRESSED),
        ([0.9, 0.9, 0.9], [GONE], [0.2], CaseStatus.NOISE),
        ([0.9, GONE, 0.9], [GONE], [], CaseStatus.SUSPECT),
        ([0.9, GONE, GONE], [GONE], [], CaseStatus.SAME),
        ([GONE, GONE, GONE], [GONE], [], CaseStatus.SAME),
        ([GONE, GONE, GONE], [0.9], [], CaseStatus.SAME),
        ([1.0, 1.0, 1.0], [0.0], [], CaseStatus.WORSE),
    ],
)
def test_a_metric_that_stops_to_apply_makes_a_suspect(before, after, fresh, expected):
    """Ragas' metrics are not gated case by case, but an answer that turns into a refusal is."""
    assert expected is status(before, after, fresh, metric="faithfulness")


def test_a_metric_that_the_suite_took_away_is_regressed_without_asking():
    """Asking the app again cannot change what the suite says."""
    found = status([5, 5, 5], [NotApplicable(reason=Inapplicable.NOT_SELECTED)])

    assert CaseStatus.REGRESSED is found


def test_without_confirming_a_suspect_counts_at_once():
    """`confirm: 0` is the team's choice."""
    assert CaseStatus.REGRESSED is status([5, 5, 5], [3], policy=GatePolicy(confirm=0))


def test_a_case_tolerance_of_ones_own_gates_any_metric():
    """`case_tolerance: {faithfulness: 0.5}`."""
    from dataclasses import replace

    spec = replace(BUILT_IN["faithfulness"], case_tolerance=0.5)
    policy = GatePolicy(specs={"faithfulness": spec})

    assert CaseStatus.SUSPECT is status([1.0, 1.0, 0.9], [0.4], metric="faithfulness", policy=policy)
