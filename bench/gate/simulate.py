"""How often is the gate wrong, and what does it cost? The shipped comparison code on a simulated app and judge.

python -m bench.gate.simulate                    # the table of docs/gate.md (some minutes)
python -m bench.gate.simulate --runs 100         # a quick look
python -m bench.gate.simulate --cases 200 --baseline-repeats 1
python -m bench.gate.simulate --cases 200 --confirm 3
python -m bench.gate.simulate --repeats 3 --only unchanged    # an update of the baseline
python -m bench.gate.simulate --thorough
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from math import sqrt

import numpy as np

from bench.gate.model import Damage, Noise, World
from bench.gate.plain_rules import PLAIN_RULES
from bench.gate.procedure import settle
from ragjudge.compare.decision import CaseStatus, Verdict
from ragjudge.compare.policy import GatePolicy

THOROUGH = GatePolicy(extra_budget=7.3)
"""Up to seven whole-suite repeats more, asked only while a mean is low and not proven."""
THOROUGH_BASELINE_REPEATS = 10


@dataclass(frozen=True)
class Scenario:
    name: str
    damage: Damage = field(default_factory=Damage)
    noise: Noise = field(default_factory=Noise)
    weight: float = 0.25
    """Share of `--runs`: the claims about rare things need more of them."""


SCENARIOS = (
    Scenario("unchanged", weight=1.0),
    Scenario("unchanged, 1 % of replies unusable", noise=Noise(unusable=0.01**2)),
    Scenario("1 answer broken", Damage(broken=1)),
    Scenario("2 answers broken", Damage(broken=2), weight=0.5),
    Scenario("5 answers broken", Damage(broken=5)),
    Scenario("1 broken in half of the asks", Damage(broken=1, share=0.5)),
    Scenario("2 broken in half of the asks", Damage(broken=2, share=0.5)),
    Scenario("5 broken in half of the asks", Damage(broken=5, share=0.5)),
    Scenario("one point lost on 20 % of cases", Damage(lost_point=0.2)),
    Scenario("faithfulness drifts by 0.1", Damage(unsupported=0.1)),
    Scenario("judge outage half-way", Damage(outage_after=0.5), weight=0.1),
    Scenario("judge outage half-way, 2 broken", Damage(broken=2, outage_after=0.5), weight=0.1),
)


@dataclass(frozen=True)
class Setting:
    cases: int
    baseline_repeats: int
    policy: GatePolicy = field(default_factory=GatePolicy)
    repeats: int = 1


@dataclass(frozen=True)
class Outcome:
    """One simulated check."""

    verdict: Verdict
    extra: float
    """Questions asked again, as a share of the suite."""
    named: int
    """Broken cases that the report calls regressed."""
    plain: tuple[bool, ...]


def once(scenario: Scenario, setting: Setting, seed: int) -> Outcome:
    random = np.random.default_rng([seed, setting.cases, setting.baseline_repeats])
    world = World(random, setting.cases, scenario.noise)
    before = world.baseline(setting.baseline_repeats)
    spread = world.damaged(scenario.damage)
    after = world.today(spread, setting.repeats)
    found = settle(before, after, setting.policy, lambda c, attempt: world.ask(c, attempt, spread))
    broken = {world.ids[n] for n in spread.broken}
    regressed = {c.case_id for c in found.decision.with_status(CaseStatus.REGRESSED)}
    return Outcome(
        verdict=found.decision.verdict,
        extra=found.asked / setting.cases,
        named=len(broken & regressed),
        plain=tuple(rule(before, after) for rule in PLAIN_RULES.values()),
    )


@dataclass(frozen=True)
class Row:
    scenario: Scenario
    outcomes: Sequence[Outcome]

    def share(self, *verdicts: Verdict) -> str:
        counts = Counter(o.verdict for o in self.outcomes)
        return interval(sum(counts[v] for v in verdicts), len(self.outcomes))

    def cells(self) -> Iterator[str]:
        yield self.scenario.name
        yield str(len(self.outcomes))
        yield self.share(Verdict.FAILED)
        yield self.share(Verdict.FAILED, Verdict.INCONCLUSIVE)
        broken = self.scenario.damage.broken
        yield f"{100 * np.mean([o.named for o in self.outcomes]) / broken:.0f} %" if broken else "–"
        yield f"{100 * np.mean([o.extra for o in self.outcomes]):.1f} %"
        for n in range(len(PLAIN_RULES)):
            yield f"{100 * np.mean([o.plain[n] for o in self.outcomes]):.0f} %"


def interval(hits: int, total: int) -> str:
    """Share with its 95 % Wilson interval."""
    z, p = 1.96, hits / total
    middle = (p + z * z / (2 * total)) / (1 + z * z / total)
    half = z * sqrt(p * (1 - p) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return f"{100 * p:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def simulate(scenario: Scenario, setting: Setting, *, runs: int, seed: int, jobs: int) -> Row:
    work = partial(once, scenario, setting)
    seeds = range(seed, seed + max(1, round(runs * scenario.weight)))
    if jobs == 1:
        return Row(scenario, [work(s) for s in seeds])
    with ProcessPoolExecutor(jobs) as pool:
        return Row(scenario, list(pool.map(work, seeds, chunksize=20)))


HEADER = ("scenario", "runs", "red", "red or inconclusive", "named", "extra asks", *PLAIN_RULES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=2000, help="of the unchanged app; the others get a share")
    parser.add_argument("--cases", type=int, default=50)
    parser.add_argument("--baseline-repeats", type=int, default=3)
    parser.add_argument(
        "--repeats", type=int, default=1, help="of today's run; an update of the baseline has three"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="", help="part of a scenario's name")
    parser.add_argument("--confirm", type=int, default=GatePolicy().confirm, help="gate.confirm")
    parser.add_argument("--thorough", action="store_true", help="the preset for slow, wide losses")
    given = parser.parse_args()
    repeats = THOROUGH_BASELINE_REPEATS if given.thorough else given.baseline_repeats
    policy = replace(THOROUGH if given.thorough else GatePolicy(), confirm=given.confirm)
    setting = Setting(given.cases, repeats, policy, given.repeats)
    preset = f"{'thorough' if given.thorough else 'default'} gate, confirm {given.confirm}"
    print(
        f"{given.cases} cases, {repeats} baseline repeats, {given.repeats} today, {preset}, seed {given.seed}\n"
    )
    print("| " + " | ".join(HEADER) + " |\n|" + "---|" * len(HEADER))
    for scenario in SCENARIOS:
        if given.only in scenario.name:
            row = simulate(scenario, setting, runs=given.runs, seed=given.seed, jobs=given.jobs)
            print("| " + " | ".join(row.cells()) + " |", flush=True)


if __name__ == "__main__":
    main()
