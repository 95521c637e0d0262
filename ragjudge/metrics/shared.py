"""One judge call for several metrics of a case: who asks second gets the reply of the first."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Generic

from ragjudge.errors import CaseFailure
from ragjudge.metrics.asking import ask
from ragjudge.ports import Judge, JudgeReply, JudgeTask, R

_MOST_KEPT = 512


@dataclass(slots=True)
class _Entry(Generic[R]):
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    reply: JudgeReply[R] | None = None
    failure: CaseFailure | None = None


class SharedCalls(Generic[R]):
    """Replies by what was asked, the last few hundred of them.

    The first asker pays: later ones get the reply at no cost and without its repairs, so that both are counted once.
    A failure reaches those who already wait for it; who comes later asks anew.
    """

    def __init__(self) -> None:
        self._entries: OrderedDict[tuple[str, str], _Entry[R]] = OrderedDict()

    async def ask(self, judge: Judge, task: JudgeTask[R]) -> JudgeReply[R]:
        key = (task.sample, task.user)
        entry = self._entries.setdefault(key, _Entry())
        async with entry.lock:
            if entry.reply is not None:
                return _paid_for(entry.reply)
            if entry.failure is not None:
                raise entry.failure
            try:
                entry.reply = await ask(judge, task)
            except CaseFailure as failure:
                entry.failure = failure
                self._entries.pop(key, None)
                raise
        while len(self._entries) > _MOST_KEPT:
            self._entries.popitem(last=False)
        return entry.reply


def _paid_for(reply: JudgeReply[R]) -> JudgeReply[R]:
    notes = tuple(note for note in reply.notes if not note.startswith("repaired:"))
    return JudgeReply(reply.value, notes=notes)
