from bench.gate.procedure import TODAY
from ragjudge.baseline.update import entry_of, renewed
from ragjudge.compare.decision import ReasonCode, Verdict
from ragjudge.compare.drift import drifted, pin
from ragjudge.compare.gate import decide
from ragjudge.compare.policy import GatePolicy
from tests.builders import NOON, scored_run


def level(value):
    return scored_run({f"c{n:02}": [value] * 3 for n in range(20)})


def test_small_allowed_drops_that_add_up_are_said():
    """Each step is within its tolerance; since the pinned point it is not."""
    policy = GatePolicy()
    baseline = pin(
        renewed(None, level(4.5), stored_at=NOON, store_answers=True), entry_of(level(4.5), at=NOON)
    )
    for value in (4.42, 4.34):
        found = decide(baseline.run, level(value), policy, today=TODAY)
        assert Verdict.PASSED is found.verdict
        baseline = renewed(baseline, level(value), stored_at=NOON, store_answers=True)

    said = drifted(baseline.pinned, found.metrics, policy)
    assert [(ReasonCode.DRIFTED, "correctness", "2026-01-02")] == [(r.code, r.metric, r.detail) for r in said]


def test_nothing_is_said_without_a_pin_or_without_a_drop():
    policy = GatePolicy()
    metrics = decide(level(4.5), level(4.5), policy, today=TODAY).metrics

    assert () == drifted(None, metrics, policy)
    assert () == drifted(entry_of(level(4.5), at=NOON), metrics, policy)


def test_a_pin_can_be_taken_away():
    baseline = renewed(None, level(4.5), stored_at=NOON, store_answers=True)
    pinned = pin(baseline, entry_of(level(4.5), at=NOON))

    assert pinned.pinned is not None
    assert pin(pinned, None).pinned is None
