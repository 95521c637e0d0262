"""Does the judge agree with people? Measured on pairs of a person's score and the judge's (pure).

Sources: Cohen 1968 (weighted kappa); the words for its size after Landis and Koch 1977.
"""

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ragjudge.metric_specs import MetricSpec
from ragjudge.suite.natural import natural

ENOUGH = 20
"""Fewer labels than this say nothing either way."""
_RESAMPLES = 1000
_SUBSTANTIAL = 0.6
_MODERATE = 0.4
_BINS = 5
_MOST_LEVELS = 11


class Trust(StrEnum):
    """Whether the judge may gate on a metric."""

    MAY_GATE = "may_gate"
    """Substantial agreement, its lower bound at least moderate."""
    WITH_CARE = "with_care"
    """Moderate agreement: warn, don't fail."""
    MUST_NOT_GATE = "must_not_gate"
    TOO_FEW = "too_few"


@dataclass(frozen=True, slots=True)
class Pair:
    """One case scored by a person and by the judge, on the metric's own scale."""

    case_id: str
    human: float
    judge: float
    reason: str = ""

    @property
    def gap(self) -> float:
        return self.judge - self.human


@dataclass(frozen=True, slots=True)
class Agreement:
    """`kappa` is None where it is not defined (one side always says the same); `interval` is its 95 % interval.

    `exact` and `near` are shares: on the same level, at most one level apart. `bias` is the mean of judge − human.
    `confusion` counts (human level, judge level).
    """

    metric: str
    pairs: tuple[Pair, ...]
    levels: tuple[float, ...]
    kappa: float | None
    interval: tuple[float, float] | None
    exact: float
    near: float
    bias: float
    confusion: Mapping[tuple[float, float], int]

    @property
    def trust(self) -> Trust:
        if len(self.pairs) < ENOUGH or self.kappa is None or self.interval is None:
            return Trust.TOO_FEW
        if self.kappa >= _SUBSTANTIAL and self.interval[0] >= _MODERATE:
            return Trust.MAY_GATE
        return Trust.WITH_CARE if self.kappa >= _MODERATE else Trust.MUST_NOT_GATE

    def worst(self, most: int = 5) -> tuple[Pair, ...]:
        """The largest disagreements, each at least one level."""
        step = self.levels[1] - self.levels[0]
        apart = [pair for pair in self.pairs if abs(pair.gap) >= step * (1 - 1e-9)]
        return tuple(sorted(apart, key=lambda pair: (-abs(pair.gap), natural(pair.case_id)))[:most])


def agree(spec: MetricSpec, pairs: Sequence[Pair], *, seed: int = 0) -> Agreement:
    """Measure one metric. Raises ValueError without a pair."""
    if not pairs:
        raise ValueError("no pairs")
    levels = levels_of(spec)
    placed = [(_level(pair.human, levels), _level(pair.judge, levels)) for pair in pairs]
    apart = [abs(human - judge) for human, judge in placed]
    counted = Counter((levels[human], levels[judge]) for human, judge in placed)
    return Agreement(
        metric=spec.name,
        pairs=tuple(pairs),
        levels=levels,
        kappa=weighted_kappa(placed),
        interval=_interval(placed, seed),
        exact=sum(distance == 0 for distance in apart) / len(pairs),
        near=sum(distance <= 1 for distance in apart) / len(pairs),
        bias=math.fsum(pair.gap for pair in pairs) / len(pairs),
        confusion=dict(counted),
    )


def levels_of(spec: MetricSpec) -> tuple[float, ...]:
    """The integers of a rubric's scale; five even steps of a share or of a very long scale."""
    if spec.span > 1 and spec.span < _MOST_LEVELS:
        return tuple(spec.low + step for step in range(round(spec.span) + 1))
    return tuple(spec.low + spec.span * step / (_BINS - 1) for step in range(_BINS))


def weighted_kappa(placed: Sequence[tuple[int, int]]) -> float | None:
    """Quadratically weighted kappa of pairs of levels (as whole numbers), −1 to 1.

    1 − (observed squared distance ÷ the distance expected of two raters with these frequencies by chance). None where
    both always say the same, for chance then explains everything.
    """
    count = len(placed)
    humans, judges = Counter(human for human, _ in placed), Counter(judge for _, judge in placed)
    observed = sum((human - judge) ** 2 for human, judge in placed) / count
    by_chance = sum(
        times * other * (human - judge) ** 2
        for human, times in humans.items()
        for judge, other in judges.items()
    ) / (count * count)
    return None if by_chance == 0 else 1 - observed / by_chance


def _interval(placed: Sequence[tuple[int, int]], seed: int) -> tuple[float, float] | None:
    """Percentile bootstrap over cases, seeded: the same labels always give the same interval."""
    chance = random.Random(seed)  # noqa: S311 - resampling
    found = sorted(
        kappa
        for _ in range(_RESAMPLES)
        if (kappa := weighted_kappa(chance.choices(placed, k=len(placed)))) is not None
    )
    if len(found) < _RESAMPLES // 2:
        return None
    return found[int(0.025 * len(found))], found[min(len(found) - 1, int(0.975 * len(found)))]


def _level(value: float, levels: Sequence[float]) -> int:
    return min(range(len(levels)), key=lambda i: abs(levels[i] - value))
