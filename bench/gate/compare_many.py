"""How long do 10,000 stored cases take to load and compare?

python -m bench.gate.compare_many
"""

import time
from datetime import date

import numpy as np

from bench.gate.model import HEALTHY, World
from ragjudge.baseline import codec as baseline_codec
from ragjudge.baseline.update import renewed
from ragjudge.compare.gate import decide
from ragjudge.compare.policy import GatePolicy
from ragjudge.process import collect_rarely
from ragjudge.results import codec

CASES = 10_000


def timed(name, work):
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    print(f"{name:28} {time.perf_counter() - wall:5.2f} s wall {time.process_time() - cpu:5.2f} s CPU")
    return result


def main():
    collect_rarely()  # as the command itself does
    world = World(np.random.default_rng(1), CASES)
    before, after = world.baseline(3), world.today(HEALTHY)
    stored = renewed(None, before, stored_at=before.finished_at, store_answers=True)
    kept = timed("write baseline (3 repeats)", lambda: baseline_codec.dumps(stored))
    results = timed("write results", lambda: codec.dumps(after))
    print(f"{len(kept) / 1e6:.0f} MB baseline, {len(results) / 1e6:.0f} MB results")
    loaded = timed("load baseline", lambda: baseline_codec.loads(kept, place="baseline.json"))
    run = timed("load results", lambda: codec.loads(results))
    decision = timed("compare", lambda: decide(loaded.run, run, GatePolicy(), today=date(2026, 1, 2)))
    print(decision.verdict, len(decision.cases), "cases")


if __name__ == "__main__":
    main()
