"""When the contexts are too long for the judge: cut them, ask again, and say so."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from ragjudge.errors import JudgeCouldNotScore
from ragjudge.metrics.asking import ask
from ragjudge.ports import Judge, JudgeReply, JudgeTask, R
from ragjudge.results.outcome import Cause

CUT = "contexts_cut"
"""Note: the judge saw only the beginning of the longest contexts."""
_TRIES = 3
_SHORTEST = 200


async def ask_about(
    judge: Judge,
    contexts: Sequence[str],
    task: Callable[[list[str]], JudgeTask[R]],
    *,
    through: Callable[[Judge, JudgeTask[R]], Awaitable[JudgeReply[R]]] = ask,
) -> JudgeReply[R]:
    """Ask `task(contexts)`; where the judge finds it too long, with half of the contexts' text, at most three times.

    Raises JudgeCouldNotScore as the judge did where even that is too long.
    """
    shown = list(contexts)
    tries = 0
    while True:
        try:
            reply = await through(judge, task(shown))
        except JudgeCouldNotScore as failure:
            shorter, tries = halved(shown), tries + 1
            if failure.cause != Cause.JUDGE_CONTEXT_TOO_LONG or shorter == shown or tries > _TRIES:
                raise
            shown = shorter
        else:
            return replace(reply, notes=(*reply.notes, CUT)) if tries else reply


def halved(contexts: Sequence[str]) -> list[str]:
    """The same number of contexts with half of the text: the longest are cut, all to the same length.

    Contexts of 200 characters or less stay as they are.
    """
    budget = sum(map(len, contexts)) // 2
    low, high = _SHORTEST, max(map(len, contexts), default=0)
    while low < high:
        middle = (low + high + 1) // 2
        if sum(min(len(text), middle) for text in contexts) <= budget:
            low = middle
        else:
            high = middle - 1
    return [text if len(text) <= low else text[:low] + "…" for text in contexts]
