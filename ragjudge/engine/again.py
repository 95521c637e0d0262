"""Judge stored answers once more, without asking the app: for a baseline by another judge, or an edited reference."""

import asyncio
from collections.abc import Callable, Sequence

from ragjudge.compare.rejudge import Again, Scores
from ragjudge.engine.grade import Grader
from ragjudge.metrics.base import Gradable
from ragjudge.ports import JournalSink
from ragjudge.results.outcome import Inapplicable, NotApplicable, Outcome

AT_ONCE = 40


async def judge_again(
    items: Sequence[Again], grader: Grader, journal: JournalSink, gradable: Callable[[Again, str], Gradable]
) -> Scores:
    """The new scores of every item; those that a journal remembers are not paid for again.

    `gradable` makes a metric's input of an item and the name that its scores have in the journal.
    """
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(order: int, item: Again) -> dict[str, Outcome]:
        name = f"baseline-{item.attempt}"
        known: dict[str, Outcome] = {
            metric: NotApplicable(reason=Inapplicable.NOT_SELECTED)
            for metric in grader.names
            if metric not in item.metrics
        }
        remembered = journal.remembered(item.case.id, name).scores
        async with gate:
            scores = await grader.grade(gradable(item, name), {**known, **remembered}, order=order)
        return {metric: scores[metric] for metric in item.metrics if metric in scores}

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(order, item)) for order, item in enumerate(items)]
    return {(item.case.id, item.attempt): task.result() for item, task in zip(items, tasks, strict=True)}
