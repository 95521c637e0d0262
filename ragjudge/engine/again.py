"""Judge stored answers once more, without asking the app: for a baseline by another judge, or an edited reference."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from ragjudge.compare.rejudge import Again, Scores
from ragjudge.engine.grade import Grader, may_pass
from ragjudge.metrics.base import Gradable
from ragjudge.ports import JournalSink
from ragjudge.results.outcome import Inapplicable, NotApplicable, Outcome

AT_ONCE = 40


async def judge_again(
    items: Sequence[Again], grader: Grader, journal: JournalSink, gradable: Callable[[Again, str], Gradable]
) -> Scores:
    """The new scores of every item; those that a journal remembers are not paid for again.

    What may pass by itself gets one more pass at the end, as in a run. `gradable` makes a metric's input of an item and
    the name that its scores have in the journal.
    """
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(order: int, known: Mapping[str, Outcome]) -> dict[str, Outcome]:
        item = items[order]
        unwanted = set(grader.names) - set(item.metrics)
        skipped = dict.fromkeys(unwanted, NotApplicable(reason=Inapplicable.NOT_SELECTED))
        async with gate:
            scores = await grader.grade(gradable(item, _name(item)), {**skipped, **known}, order=order)
        return {metric: scores[metric] for metric in item.metrics if metric in scores}

    async def each(known: Mapping[int, Mapping[str, Outcome]]) -> dict[int, dict[str, Outcome]]:
        async with asyncio.TaskGroup() as group:
            tasks = {order: group.create_task(one(order, scores)) for order, scores in known.items()}
        return {order: task.result() for order, task in tasks.items()}

    remembered = {n: journal.remembered(item.case.id, _name(item)).scores for n, item in enumerate(items)}
    found = await each(remembered)
    kept = {n: {m: o for m, o in scores.items() if not may_pass(o)} for n, scores in found.items()}
    found |= await each({n: known for n, known in kept.items() if known != found[n]})
    return {(item.case.id, item.attempt): found[n] for n, item in enumerate(items)}


def _name(item: Again) -> str:
    """What its scores are called in the journal."""
    return f"baseline-{item.attempt}"
