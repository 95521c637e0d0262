"""What a run will cost before it costs anything: judge calls and estimated tokens per metric (pure)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ragjudge.metrics import pairwise, tasks
from ragjudge.metrics.base import Metric
from ragjudge.metrics.costs import Assumed, Plannable, PlannedCall
from ragjudge.metrics.prompting import Prompts
from ragjudge.suite.case import Case


@dataclass(frozen=True, slots=True)
class MetricPlan:
    """Sums over all cases. `cases` counts those that the metric will ask about."""

    metric: str
    cases: int
    calls: int
    prompt_tokens: int
    reply_tokens: int

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.reply_tokens


@dataclass(frozen=True, slots=True)
class Plan:
    """What one pass over the suite asks the judge, without repairs, confirmations and embeddings."""

    per_metric: tuple[MetricPlan, ...]

    @property
    def calls(self) -> int:
        return sum(one.calls for one in self.per_metric)

    @property
    def tokens(self) -> int:
        return sum(one.tokens for one in self.per_metric)


def plan(
    cases: Iterable[Case],
    metrics: Sequence[Metric],
    *,
    contexts_per_case: int = 5,
    pairs: Prompts | None = None,
) -> Plan:
    """Calls and tokens of one pass over `cases`; skipped cases and deselected metrics cost nothing.

    With `pairs` (the prompts of `metrics.pairwise`) also what it costs at most to judge every answer beside the
    baseline's: unchanged ones cost nothing.
    """
    assumed = Assumed(contexts=contexts_per_case)
    tallies = {metric.spec.name: _Tally() for metric in metrics}
    if pairs is not None:
        tallies[tasks.PAIRWISE] = _Tally()
    for case in cases:
        if case.skip is not None:
            continue
        paid: set[str] = set()
        for metric in metrics:
            name = metric.spec.name
            if isinstance(metric, Plannable) and (case.metrics is None or name in case.metrics):
                tallies[name].add(metric.planned(case, assumed), paid)
        if pairs is not None:
            tallies[tasks.PAIRWISE].add([pairwise.planned(case, assumed, pairs)], paid)
    return Plan(tuple(tally.closed(name) for name, tally in tallies.items()))


class _Tally:
    """Adds up one metric."""

    def __init__(self) -> None:
        self._cases = self._calls = self._prompt = self._reply = 0

    def add(self, planned: Sequence[PlannedCall], paid: set[str]) -> None:
        """Count a case's calls; `paid` names the shared ones that another metric counted already."""
        self._cases += bool(planned)
        for call in planned:
            if call.shared is not None:
                if call.shared in paid:
                    continue
                paid.add(call.shared)
            self._calls += call.times
            self._prompt += call.times * call.prompt
            self._reply += call.times * call.reply

    def closed(self, name: str) -> MetricPlan:
        return MetricPlan(name, self._cases, self._calls, self._prompt, self._reply)
