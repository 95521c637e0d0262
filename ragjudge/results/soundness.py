"""What no run could have written: a record with it was edited or damaged, though each field has its right form."""

from collections import Counter
from collections.abc import Iterable

from ragjudge.metric_specs import ANSWER_RELEVANCY, BUILT_IN, CHECKS
from ragjudge.results.outcome import Scored
from ragjudge.results.run import CaseResult, RunResult

ROUNDING = 1e-9
_RANGES = {spec.name: (spec.low, spec.high) for spec in (*BUILT_IN.values(), CHECKS)} | {
    ANSWER_RELEVANCY.name: (-1.0, 1.0)  # a mean of cosines: 0 to 1 for all but odd vectors
}


def fault_in(run: RunResult) -> str | None:
    """The first impossible thing, as a short word for whoever mends the file; None for a sound record."""
    twice = _twice(result.case.id for result in run.cases)
    if twice is not None:
        return f"case {twice!r} is there twice"
    return next((fault for result in run.cases if (fault := _fault_in_case(result))), None)


def _fault_in_case(result: CaseResult) -> str | None:
    samples = (*result.samples, *result.confirmations)
    twice = _twice(sample.attempt for sample in samples)
    if twice is not None:
        return f"case {result.case.id!r} has attempt {twice!r} twice"
    for sample in samples:
        for metric, outcome in sample.scores.items():
            low, high = _RANGES.get(metric, (float("-inf"), float("inf")))
            if isinstance(outcome, Scored) and not low - ROUNDING <= outcome.value <= high + ROUNDING:
                return f"case {result.case.id!r}: {metric} is {outcome.value:g}, not {low:g} to {high:g}"
    return None


def _twice(names: Iterable[str]) -> str | None:
    return next((name for name, count in Counter(names).items() if count > 1), None)
