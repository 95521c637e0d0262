"""The rule for metrics: has the mean over the suite dropped by more than allowed, and is that no accident?"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from ragjudge.compare.cases import ROUNDING, JudgedCase, Rules
from ragjudge.compare.decision import MetricComparison
from ragjudge.compare.samples import Readings, looks_taken, read, up_to_look
from ragjudge.compare.stats import Paired, holm, interval_of_mean, p_of_drop
from ragjudge.results.run import CaseResult, RunResult

FEWEST_PAIRS = 10
"""Under ten pairs a mean says nothing that the cases do not say themselves."""


@dataclass(frozen=True, slots=True)
class JudgedMeans:
    """All metrics after the last look taken, and whether another look could find something."""

    metrics: tuple[MetricComparison, ...]
    undecided: bool
    """A mean lies below by enough to go on looking, and looks are left."""
    looks_taken: int


@dataclass(frozen=True, slots=True)
class _Look:
    pairs: dict[str, list[Paired]]
    p: dict[str, float]

    def dropped(self, metric: str, tolerance: float) -> bool:
        pairs = self.pairs[metric]
        return bool(pairs) and -_mean([x.change for x in pairs]) > tolerance + ROUNDING

    def regressed(self, metric: str, rules: Rules) -> bool:
        """Both: more than allowed, and no accident."""
        if metric not in self.p:
            return False
        policy = rules.policy
        return self.p[metric] <= policy.alpha and self.dropped(metric, policy.spec(metric).tolerance)


def judge_means(cases: Sequence[JudgedCase], after: RunResult, rules: Rules) -> JudgedMeans:
    """Test at each look that was taken, up to the first that finds something.

    Whether to look again depends on the means only in one direction (lower means: look), which keeps the whole
    procedure monotone.
    """
    last = min(looks_taken(after), rules.policy.more_looks)
    number, look = 0, _look(cases, rules, 0)
    while number < last and _undecided(look, rules):
        number += 1
        look = _look(cases, rules, number)
    regressed = {m for m in rules.metrics if look.regressed(m, rules)}
    undecided = number < rules.policy.more_looks and _undecided(look, rules)
    known = {case.pair.case_id: case.after for case in cases} if number == 0 else {}
    metrics = tuple(
        _metric(
            name,
            look,
            [
                known[c.case.id][name]
                if c.case.id in known
                else read(up_to_look(c, rules.repeats, number), name)
                for c in _asked(after)
            ],
            rules,
            regressed=name in regressed,
            looks=number + 1,
        )
        for name in rules.metrics
    )
    return JudgedMeans(metrics, undecided=undecided, looks_taken=number)


def means_alone(after: RunResult, rules: Rules) -> tuple[MetricComparison, ...]:
    """Without a baseline: means and floors only."""
    empty = _Look({m: [] for m in rules.metrics}, {})
    return tuple(
        _metric(
            name,
            empty,
            [read(up_to_look(c, rules.repeats, 0), name) for c in _asked(after)],
            rules,
            regressed=False,
            looks=1,
        )
        for name in rules.metrics
    )


def _undecided(look: _Look, rules: Rules) -> bool:
    """Nothing found yet, but some mean lies low enough to look again."""
    found = any(look.regressed(m, rules) for m in rules.metrics)
    return not found and any(_worth_another(look, m, rules) for m in rules.metrics)


def _worth_another(look: _Look, metric: str, rules: Rules) -> bool:
    """Half the tolerance is enough: a real drop may show less than itself at first."""
    return metric in look.p and look.dropped(metric, rules.policy.spec(metric).tolerance / 2)


def _look(cases: Sequence[JudgedCase], rules: Rules, number: int) -> _Look:
    """Correct over metrics (Holm) and over looks: the n-th of k looks gets n shares of the error that is allowed.

    Later looks know more, so they get more; what each gets was fixed before the first.
    """
    paired = {metric: _paired(cases, metric, rules, number) for metric in rules.metrics}
    tested = {m: p_of_drop(found) for m, found in paired.items() if len(found) >= FEWEST_PAIRS}
    looks = rules.policy.more_looks + 1
    share = (number + 1) / (looks * (looks + 1) / 2)
    return _Look(paired, {m: min(1.0, p / share) for m, p in holm(tested).items()})


def _paired(cases: Sequence[JudgedCase], metric: str, rules: Rules, look: int) -> list[Paired]:
    """Samples of the cases whose scores may be compared; an accepted change is not counted against the mean."""
    if metric not in rules.baseline_metrics:
        return []
    found = []
    for case in cases:
        pair = case.pair
        if not rules.comparable(metric, same_reference=pair.same_reference):
            continue
        if rules.policy.accepted(pair.case_id, metric, today=rules.today):
            continue
        before = case.before[metric].values
        after = case.after[metric].values
        if look:
            after = read(up_to_look(pair.after, rules.repeats, look), metric).values
        if before and after:
            found.append(Paired(before, after))
    return found


def _metric(
    name: str,
    look: _Look,
    readings: Sequence[Readings],
    rules: Rules,
    *,
    regressed: bool,
    looks: int,
) -> MetricComparison:
    """`readings` are those of every case that was asked."""
    pairs = look.pairs[name]
    means = [mean for r in readings if (mean := r.mean) is not None]
    not_applicable = sum(1 for r in readings if not r.values and r.inapplicable and not r.unscored)
    change = interval_of_mean([x.change for x in pairs])
    own = interval_of_mean(means)
    minimum = rules.policy.minimum.get(name)
    mean_all = _mean(means) if means else None
    return MetricComparison(
        name=name,
        before=_mean([_mean(x.before) for x in pairs]) if pairs else None,
        after=_mean([_mean(x.after) for x in pairs]) if pairs else None,
        mean_all=mean_all,
        low=change.low if change else None,
        high=change.high if change else None,
        p=look.p.get(name),
        tolerance=rules.policy.spec(name).tolerance,
        minimum=minimum,
        pairs=len(pairs),
        scored=len(means),
        total=len(readings) - not_applicable,
        not_applicable=not_applicable,
        regressed=regressed,
        below_minimum=minimum is not None and mean_all is not None and mean_all < minimum - ROUNDING,
        mean_low=own.low if own else None,
        mean_high=own.high if own else None,
        looks=looks,
        not_comparable=rules.differing.get(name, ()),
    )


def _asked(run: RunResult) -> list[CaseResult]:
    return [c for c in run.cases if c.case.skip is None]


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)
