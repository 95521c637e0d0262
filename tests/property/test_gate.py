"""What holds for every pair of runs, over the whole sequential procedure with frozen replies.

A `World` holds the outcome of every question that could ever be asked, so that two runs of the procedure differ in
nothing but the one outcome that a test changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from bench.gate.procedure import TODAY, Settled, settle
from ragjudge.compare import rejudge
from ragjudge.compare.decision import Verdict
from ragjudge.compare.gate import decide
from ragjudge.compare.policy import GatePolicy
from ragjudge.results.outcome import Cause, Inapplicable, NotApplicable, Outcome, Scored, Unscored
from ragjudge.results.run import CaseResult, RunResult, Sample
from tests.builders import answer, case, run

METRICS = ("correctness", "faithfulness")
SCALE = {"correctness": (1.0, 2.0, 3.0, 4.0, 5.0), "faithfulness": (0.0, 0.25, 0.5, 0.75, 1.0)}
LOST = Unscored(cause=Cause.JUDGE_TIMEOUT)
ATTEMPTS = ("1", "2", "3", "4", "5", "confirm-1", "confirm-2", "confirm-3")
Key = tuple[str, str, str]


@dataclass(frozen=True)
class World:
    """`now[case, attempt, metric]` is what asking gives today; `then` is the stored baseline."""

    then: RunResult
    now: Mapping[Key, Outcome]
    repeats: int
    policy: GatePolicy

    @property
    def ids(self):
        return [c.case.id for c in self.then.cases]

    def sample(self, case_id: str, attempt: str) -> Sample:
        scores = {m: self.now[case_id, attempt, m] for m in METRICS}
        return Sample(attempt=attempt, answer=answer(), scores=scores)

    def after(self) -> RunResult:
        return _run(
            [
                CaseResult(
                    case=c.case,
                    samples=tuple(self.sample(c.case.id, str(n)) for n in range(1, self.repeats + 1)),
                )
                for c in self.then.cases
            ],
            self.repeats,
        )

    def settled(self) -> Settled:
        return settle(self.then, self.after(), self.policy, self.sample)

    def verdict(self) -> Verdict:
        return self.settled().decision.verdict

    def with_outcome(self, key: Key, outcome: Outcome) -> "World":
        return replace(self, now={**self.now, key: outcome})


def _run(results, repeats):
    return run(results, metrics=METRICS, repeats=repeats)


def _outcome(random, metric, low_share):
    """Low with this chance, else high; both with some noise, and now and then a refusal."""
    scale = SCALE[metric]
    if metric == "faithfulness" and random.random() < 0.05:
        return NotApplicable(reason=Inapplicable.NO_CLAIMS)
    middle = 1 if random.random() < low_share else 4
    moved = middle + random.choice((0, 0, 0, 0, -1, 1))
    return Scored(value=scale[min(4, max(0, moved))])


@st.composite
def worlds(draw):
    """Cases that are fine, broken, or broken now and then; enough of them for both rules to come into play.

    Drawn from one seed, since a world holds hundreds of outcomes.
    """
    random = Random(draw(st.integers(0, 2**32)))
    ids = [f"c{n:02}" for n in range(draw(st.sampled_from((1, 4, 10, 12))))]
    samples, repeats = draw(st.sampled_from((1, 3))), draw(st.sampled_from((1, 1, 2)))
    broken = draw(st.sampled_from((0.0, 0.1, 0.4)))
    then, now = [], {}
    for case_id in ids:
        low_share = random.choice((0.5, 1.0)) if random.random() < broken else 0.05
        kept = tuple(
            Sample(attempt=str(n + 1), answer=answer(), scores={m: _outcome(random, m, 0.0) for m in METRICS})
            for n in range(samples)
        )
        then.append(CaseResult(case=case(case_id, f"質問 {case_id}"), samples=kept))
        now |= {(case_id, a, m): _outcome(random, m, low_share) for a in ATTEMPTS for m in METRICS}
    policy = GatePolicy(
        minimum=draw(st.sampled_from(({}, {}, {"correctness": 3.0}))),
        max_regressed_cases=draw(st.sampled_from((0, 0, 1))),
        confirm=draw(st.sampled_from((0, 2, 2, 3))),
        extra_budget=draw(st.sampled_from((0.0, 0.3, 1.3, 2.3))),
        alpha=draw(st.sampled_from((0.005, 0.3))),
    )
    return World(_run(then, samples), now, repeats, policy)


def red_worlds():
    """Worlds that fail, and only just: `alpha` is put at the p-value that fails them."""
    return worlds().map(_just_red).filter(lambda world: world.verdict() is Verdict.FAILED)


def _just_red(world):
    found = decide(world.then, world.after(), replace(world.policy, alpha=1.0), today=TODAY)
    low = [m.p for m in found.metrics if m.regressed]
    return replace(world, policy=replace(world.policy, alpha=min(low))) if low else world


def _asked(world):
    """Keys of outcomes that the procedure really saw: changing another one changes nothing."""
    return sorted(
        (c.case.id, s.attempt, m)
        for c in world.settled().run.cases
        for s in (*c.samples, *c.confirmations)
        for m in METRICS
    )


@settings(max_examples=15, deadline=None)
@given(red_worlds(), st.data())
def test_a_worse_score_never_turns_failed_into_passed(world, data):
    """Neither a first sample nor a fresh one, nor one of a later whole-suite repeat."""
    for key in data.draw(st.lists(st.sampled_from(_asked(world)), min_size=1, max_size=3)):
        outcome = world.now[key]
        lower = [v for v in SCALE[key[2]] if isinstance(outcome, Scored) and v < outcome.value]
        if lower:
            worse = world.with_outcome(key, Scored(value=data.draw(st.sampled_from(lower))))
            assert worse.verdict() is not Verdict.PASSED


@settings(max_examples=15, deadline=None)
@given(red_worlds(), st.randoms(use_true_random=False))
def test_many_worse_scores_never_turn_failed_into_passed(world, random):
    """The order of asking, the budget and the looks all change; red still never becomes green."""
    share = random.choice((0.1, 0.5))
    now = {
        key: Scored(value=SCALE[key[2]][0])
        if isinstance(outcome, Scored) and random.random() < share
        else outcome
        for key, outcome in world.now.items()
    }

    assert replace(world, now=now).verdict() is not Verdict.PASSED


@settings(max_examples=15, deadline=None)
@given(red_worlds(), st.data())
def test_a_score_that_could_not_be_had_never_turns_failed_into_passed(world, data):
    """Losing the judge on the bad cases must not help (at `max_unscored: 0`)."""
    keys = _asked(world)
    for key in data.draw(st.lists(st.sampled_from(keys), min_size=1, max_size=3)):
        assert world.with_outcome(key, LOST).verdict() is not Verdict.PASSED
    fresh = {key for key in keys if key[1].startswith("confirm")}
    nothing_fresh = replace(world, now={**world.now, **dict.fromkeys(fresh, LOST)})
    assert nothing_fresh.verdict() is not Verdict.PASSED


@settings(max_examples=15, deadline=None)
@given(red_worlds(), st.data())
def test_a_baselines_score_that_was_lost_in_judging_it_again_never_turns_failed_into_passed(world, data):
    """A pair without its "before" says nothing, just as one without its "after"."""
    gone = data.draw(st.sets(st.sampled_from(world.ids), min_size=1))
    every_sample = data.draw(st.booleans())
    then = tuple(_without_scores(c, every_sample) if c.case.id in gone else c for c in world.then.cases)
    before = world.then.model_copy(update={"cases": then})
    settled = replace(world, then=before).settled()
    lost = rejudge.lost(world.then, before)

    found = decide(before, settled.run, world.policy, today=TODAY, lost=lost)
    assert found.verdict is not Verdict.PASSED


def _without_scores(result, every_sample):
    kept = () if every_sample else result.samples[1:]
    lost = [
        s.model_copy(update={"scores": dict.fromkeys(METRICS, LOST)})
        for s in (result.samples if every_sample else result.samples[:1])
    ]
    return result.model_copy(update={"samples": (*lost, *kept)})


@settings(max_examples=20, deadline=None)
@given(worlds())
def test_equal_runs_pass(world):
    """A run compared with itself is never worse, whatever the policy (floors apart)."""
    found = decide(world.then, world.then, replace(world.policy, minimum={}), today=TODAY)

    assert Verdict.PASSED is found.verdict


@settings(max_examples=20, deadline=None)
@given(worlds())
def test_swapping_the_runs_negates_every_change(world):
    """Up and down are one thing seen from two sides."""
    there = decide(world.then, world.after(), world.policy, today=TODAY)
    back = decide(world.after(), world.then, world.policy, today=TODAY)

    for one, other in zip(there.metrics, back.metrics, strict=True):
        assert (one.change is None) == (other.change is None)
        assert one.change is None or one.change == -other.change
    for one, other in zip(there.cases, back.cases, strict=True):
        for metric in METRICS:
            a, b = one.metrics[metric].change, other.metrics[metric].change
            assert (a is None and b is None) or a == -b


@settings(max_examples=20, deadline=None)
@given(worlds(), st.randoms(use_true_random=False))
def test_the_order_of_cases_changes_nothing(world, random):
    """Neither in the suite nor in the baseline."""
    shuffled = list(world.then.cases)
    random.shuffle(shuffled)
    other = replace(world, then=world.then.model_copy(update={"cases": tuple(shuffled)}))
    one, two = world.settled(), other.settled()

    assert one.decision.verdict is two.decision.verdict
    assert {c.case_id: c for c in one.decision.cases} == {c.case_id: c for c in two.decision.cases}
    assert [(m.p, m.regressed, m.low, m.high) for m in one.decision.metrics] == [
        (m.p, m.regressed, m.low, m.high) for m in two.decision.metrics
    ]
    assert one.asked == two.asked


@settings(max_examples=20, deadline=None)
@given(worlds())
def test_no_comparable_case_is_never_passed(world):
    """A gate over nothing fails closed."""
    renamed = tuple(
        c.model_copy(update={"case": c.case.model_copy(update={"id": f"other-{c.case.id}"})})
        for c in world.then.cases
    )
    found = decide(world.then.model_copy(update={"cases": renamed}), world.after(), world.policy, today=TODAY)

    assert found.verdict is not Verdict.PASSED


@settings(max_examples=20, deadline=None)
@given(worlds())
def test_the_same_results_give_the_same_decision_and_never_exceed_the_budget(world):
    """Seeded: the report can be made again from results.json on any machine."""
    one, two = world.settled(), world.settled()

    assert one == two
    looks = world.policy.more_looks * len(world.ids)
    assert one.asked <= world.policy.confirm_budget(len(world.ids)) + looks
