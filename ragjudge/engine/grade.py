"""Score one answer by every metric, side by side; a failure becomes a value of that metric alone."""

import asyncio
from collections.abc import Mapping, Sequence

from ragjudge.engine.metering import MeteredEmbedder, MeteredJudge, Purse
from ragjudge.engine.outage import Outage
from ragjudge.engine.trial import Trial
from ragjudge.errors import CaseFailure
from ragjudge.language import Language
from ragjudge.metric_specs import CHECKS
from ragjudge.metrics.base import Gradable, Metric
from ragjudge.ports import Embedder, JournalSink, Judge
from ragjudge.results.outcome import PASSING, Cause, Inapplicable, NotApplicable, Outcome, Scored, Unscored

DETAIL_LIMIT = 300


def may_pass(outcome: Outcome) -> bool:
    """Another try may not meet it again."""
    return isinstance(outcome, Unscored) and outcome.cause in PASSING


class Grader:
    """Grades answers; writes each score to the journal the moment it is known."""

    def __init__(
        self,
        *,
        judge: Judge,
        embedder: Embedder,
        metrics: Sequence[Metric],
        journal: JournalSink,
        purse: Purse,
        outage: Outage,
        spoken: Language = "en",
    ) -> None:
        """`spoken` is the language of what went wrong, for the report's readers."""
        self._judge = judge
        self._embedder = embedder
        self._metrics = tuple(metrics)
        self._journal = journal
        self._purse = purse
        self._outage = outage
        self._trial = Trial()
        self.spoken = spoken

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(m.spec.name for m in self._metrics)

    async def grade(
        self, item: Gradable, known: Mapping[str, Outcome], *, order: int = 0, fresh: str = ""
    ) -> dict[str, Outcome]:
        """Every metric's outcome, in report order; what is `known` already is not scored again.

        `order` is the case's place in the run: a busy judge serves lower ones first, so that the tail stays short.
        `fresh`: see `Ask`.
        """
        if any(isinstance(o, Scored) and name != CHECKS.name for name, o in known.items()):
            self._trial.usable()  # it was, in an earlier process or pass
        missing = [m for m in self._metrics if m.spec.name not in known]
        async with asyncio.TaskGroup() as group:
            tasks = {m.spec.name: group.create_task(self._one(m, item, order, fresh)) for m in missing}
        return {
            m.spec.name: known[m.spec.name] if m.spec.name in known else tasks[m.spec.name].result()
            for m in self._metrics
        }

    async def _one(self, metric: Metric, item: Gradable, order: int, fresh: str) -> Outcome:
        name = metric.spec.name
        selected = item.case.metrics
        if selected is not None and name not in selected:
            return NotApplicable(reason=Inapplicable.NOT_SELECTED)
        judge = MeteredJudge(self._judge, self._purse, order=order, fresh=fresh, trial=self._trial)
        embedder = MeteredEmbedder(self._embedder, self._purse)
        outcome: Outcome
        try:
            outcome = await metric.score(item, judge, embedder)
        except CaseFailure as failure:
            self._outage.failure(failure)
            outcome = Unscored(
                cause=Cause(failure.cause), detail=failure.what.in_language(self.spoken)[:DETAIL_LIMIT]
            )
        else:
            self._outage.success()
        outcome = outcome.model_copy(update={"usage": judge.used + embedder.used})
        if isinstance(outcome, Scored):
            notes = tuple(dict.fromkeys((*outcome.notes, *judge.notes)))
            outcome = outcome.model_copy(update={"notes": notes})
        self._journal.scored(item.case.id, item.sample, name, outcome)
        return outcome
