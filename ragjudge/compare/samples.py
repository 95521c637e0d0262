"""What the samples of a case say about one metric: values, and how often there was none."""

from collections.abc import Iterable, Sequence
from math import fsum
from typing import NamedTuple

from ragjudge.results.outcome import Inapplicable, NotApplicable, Outcome, Scored
from ragjudge.results.run import CaseResult, RunResult, Sample

SUITE_SAYS_SO = frozenset({Inapplicable.NOT_SELECTED, Inapplicable.NO_REFERENCE})
"""Reasons that stand in the suite or the config: asking the app again cannot change them."""


class Readings(NamedTuple):
    """One metric over some samples. A sample without a word about the metric counts as unscored, never as nothing."""

    values: tuple[float, ...]
    inapplicable: int
    unscored: int
    by_suite: bool
    """Every NotApplicable among them comes from the suite or the config."""

    @property
    def mean(self) -> float | None:
        return fsum(self.values) / len(self.values) if self.values else None

    @property
    def inapplicable_share(self) -> float:
        known = len(self.values) + self.inapplicable
        return self.inapplicable / known if known else 0.0


def read(samples: Sequence[Sample], metric: str) -> Readings:
    if len(samples) == 1 and isinstance(only := outcome_of(samples[0], metric), Scored):
        return Readings((only.value,), 0, 0, True)  # nearly all of a large run's
    values: list[float] = []
    inapplicable = unscored = 0
    by_suite = True
    for sample in samples:
        outcome = outcome_of(sample, metric)
        if isinstance(outcome, Scored):
            values.append(outcome.value)
        elif isinstance(outcome, NotApplicable):
            inapplicable += 1
            by_suite = by_suite and outcome.reason in SUITE_SAYS_SO
        else:
            unscored += 1
    return Readings(tuple(values), inapplicable, unscored, by_suite)


def read_all(samples: tuple[Sample, ...], metrics: Iterable[str]) -> dict[str, Readings]:
    return {metric: read(samples, metric) for metric in metrics}


def outcome_of(sample: Sample, metric: str) -> Outcome | None:
    """None where the app failed: then no metric has a word to say."""
    return None if sample.failure is not None else sample.scores.get(metric)


def planned(result: CaseResult, repeats: int) -> tuple[Sample, ...]:
    """The samples of the run as planned, without whole-suite repeats that were added to decide about means.

    Single cases are decided on these: a repeat that is added because means look low must not lift a broken case.
    """
    return up_to_look(result, repeats, 0)


def up_to_look(result: CaseResult, repeats: int, look: int) -> tuple[Sample, ...]:
    if len(result.samples) <= repeats:
        return result.samples
    return tuple(s for s in result.samples if look_of(s, repeats) <= look)


def look_of(sample: Sample, repeats: int) -> int:
    """0 for a planned sample; k for the k-th whole-suite repeat that was added later."""
    return max(0, int(sample.attempt) - repeats) if sample.attempt.isdecimal() else 0


def looks_taken(run: RunResult) -> int:
    """How many whole-suite repeats were added to decide."""
    return max((look_of(s, run.repeats) for c in run.cases for s in c.samples), default=0)


def is_unscored(result: CaseResult, metrics: Iterable[str]) -> bool:
    """Is any score of any sample missing that should be there?"""
    names = tuple(metrics)
    if not result.samples:
        return True
    return any(
        not isinstance(outcome_of(sample, metric), Scored | NotApplicable)
        for sample in result.samples
        for metric in names
    )
