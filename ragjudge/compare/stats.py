"""Is a drop of a mean an accident? Permutation test, bootstrap intervals and Holm's correction, all seeded.

Everything random (relabelings, resamples) is drawn from a fixed seed and never from the data. So the same results
give the same numbers on every machine, and the test is monotone: making any score worse can only lower the p-value.
A t test is not: a worse score widens the spread and can turn a failed check into a passed one.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, fsum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SEED = 20251201
RELABELINGS = 19_999
RESAMPLES = 2_000
MOST_CLUSTERS = 250
"""Cases beyond this many are relabeled (or resampled) in fixed groups: still exact, and fast for 10,000 cases."""
MOST_ARRANGEMENTS = 1_024
_TIE = 1e-9
_CHUNK = 1_000


class Paired(NamedTuple):
    """The samples of one case before and after, at least one of each."""

    before: tuple[float, ...]
    after: tuple[float, ...]

    @property
    def change(self) -> float:
        return fsum(self.after) / len(self.after) - fsum(self.before) / len(self.before)


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float


def p_of_drop(pairs: Sequence[Paired]) -> float:
    """One-sided p-value of the mean change, by relabeling samples as "before" or "after" within each case.

    Under "nothing changed" the samples of a case are exchangeable, whatever their distribution and however many there
    are on each side, so the test is exact (Ernst 2004, "Permutation Methods: A Basis for Exact Inference"). Which
    questions are hard does not matter: each case is compared with itself. With one sample on each side it is the
    sign-flip test. Range 1/(RELABELINGS + 1) to 1.
    """
    import numpy as np

    observed = fsum(pair.change for pair in pairs)
    totals = np.zeros(RELABELINGS)
    by_shape: dict[tuple[int, int], list[Paired]] = defaultdict(list)
    for pair in pairs:
        by_shape[len(pair.before), len(pair.after)].append(pair)
    for (n_before, n_after), group in sorted(by_shape.items()):
        changes = _clustered(_relabeled_changes(group, n_before, n_after))
        picks = _picks(changes.shape[0], changes.shape[1])
        flat = changes.ravel()
        for start in range(0, RELABELINGS, _CHUNK):
            totals[start : start + _CHUNK] += flat.take(picks[start : start + _CHUNK]).sum(axis=1)
    as_low = int(np.count_nonzero(totals <= observed + _TIE * max(1, len(pairs))))
    return (1 + as_low) / (RELABELINGS + 1)


def interval_of_mean(values: Sequence[float]) -> Interval | None:
    """95 % percentile bootstrap over cases; None under two values."""
    import numpy as np

    if len(values) < 2:
        return None
    data = np.asarray(values, dtype=float)
    groups = min(len(data), MOST_CLUSTERS)
    sums = np.zeros(groups)
    counts = np.zeros(groups)
    owner = np.arange(len(data)) % groups
    np.add.at(sums, owner, data)
    np.add.at(counts, owner, 1.0)
    weights = _resample_weights(groups)
    means = (weights @ sums) / (weights @ counts)
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(float(low), float(high))


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Adjusted p-values that hold for all metrics together (Holm 1979), capped at 1."""
    ordered = sorted(p_values, key=lambda name: (p_values[name], name))
    adjusted: dict[str, float] = {}
    highest = 0.0
    for rank, name in enumerate(ordered):
        highest = max(highest, min(1.0, (len(ordered) - rank) * p_values[name]))
        adjusted[name] = highest
    return adjusted


def _relabeled_changes(group: Sequence[Paired], n_before: int, n_after: int) -> "NDArray[np.float64]":
    """For each case (row) and each way of choosing the "after" samples (column): the change it would show."""
    import numpy as np

    size = n_before + n_after
    samples = np.array([[*pair.before, *pair.after] for pair in group])
    chosen = np.zeros((len(arranged := _arrangements(size, n_after)), size))
    for row, places in enumerate(arranged):
        chosen[row, list(places)] = 1.0
    after = samples @ chosen.T
    before = samples.sum(axis=1, keepdims=True) - after
    changes: NDArray[np.float64] = after / n_after - before / n_before
    return changes


@lru_cache(maxsize=16)
def _arrangements(size: int, n_after: int) -> tuple[tuple[int, ...], ...]:
    """Ways to choose `n_after` of `size` samples: all of them, or a fixed random choice where there are too many."""
    import numpy as np

    if comb(size, n_after) <= MOST_ARRANGEMENTS:
        return tuple(combinations(range(size), n_after))
    random = np.random.default_rng([SEED, size, n_after])
    return tuple(
        tuple(sorted(int(i) for i in random.choice(size, n_after, replace=False)))
        for _ in range(MOST_ARRANGEMENTS)
    )


def _clustered(changes: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """Sums over groups of cases that will share each relabeling, where there are many cases."""
    import numpy as np

    if len(changes) <= MOST_CLUSTERS:
        return changes
    sums = np.zeros((MOST_CLUSTERS, changes.shape[1]))
    np.add.at(sums, np.arange(len(changes)) % MOST_CLUSTERS, changes)
    return sums


@lru_cache(maxsize=8)
def _picks(clusters: int, arrangements: int) -> "NDArray[np.int32]":
    """Which arrangement each cluster gets in each relabeling, as places in the flat table of changes.

    Depends on nothing but the two sizes.
    """
    import numpy as np

    random = np.random.default_rng([SEED, clusters, arrangements])
    chosen = random.integers(arrangements, size=(RELABELINGS, clusters), dtype=np.int32)
    places: NDArray[np.int32] = chosen + np.arange(clusters, dtype=np.int32) * arrangements
    return places


@lru_cache(maxsize=4)
def _resample_weights(groups: int) -> "NDArray[np.float64]":
    """How often each group is drawn in each resample."""
    import numpy as np

    random = np.random.default_rng([SEED, groups])
    return random.multinomial(groups, np.full(groups, 1.0 / groups), size=RESAMPLES).astype(float)
