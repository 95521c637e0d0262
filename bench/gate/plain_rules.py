"""What other tools do: rules without a word about noise, to put beside the gate."""

from collections.abc import Callable, Mapping

import numpy as np

from ragjudge.results.run import RunResult

PASS_MARK = 3.5


def _means(run: RunResult, metric: str) -> np.ndarray:
    return np.array([c.mean(metric) for c in run.cases], dtype=float)


def _firsts(run: RunResult, metric: str) -> np.ndarray:
    return np.array([c.scored(metric)[0] if c.scored(metric) else np.nan for c in run.cases])


def any_pass_to_fail(before: RunResult, after: RunResult) -> bool:
    """A case that had 4 or 5 points has 3 or less: the rule of test runners."""
    then, now = _firsts(before, "correctness"), _firsts(after, "correctness")
    return bool(np.any((then > PASS_MARK) & (now < PASS_MARK)))


def mean_dropped(before: RunResult, after: RunResult) -> bool:
    """Mean correctness dropped by more than 0.1."""
    return bool(np.nanmean(_means(before, "correctness")) - np.nanmean(_means(after, "correctness")) > 0.1)


def any_mean_dropped(before: RunResult, after: RunResult) -> bool:
    """The mean of any metric dropped by more than its tolerance."""
    limits = {m: 0.1 if m == "correctness" else 0.05 for m in before.metrics}
    drops = {m: np.nanmean(_means(before, m)) - np.nanmean(_means(after, m)) for m in limits}
    return any(drops[m] > limit for m, limit in limits.items())


def t_test(before: RunResult, after: RunResult) -> bool:
    """Paired one-sided t test at 5 % on correctness (normal approximation)."""
    change = _means(after, "correctness") - _means(before, "correctness")
    change = change[~np.isnan(change)]
    spread = change.std(ddof=1) / len(change) ** 0.5 if len(change) > 1 else 0.0
    return bool(spread and change.mean() / spread < -1.645)


PLAIN_RULES: Mapping[str, Callable[[RunResult, RunResult], bool]] = {
    "any pass→fail": any_pass_to_fail,
    "correctness −0.1": mean_dropped,
    "any mean beyond tolerance": any_mean_dropped,
    "t test 5 %": t_test,
}
