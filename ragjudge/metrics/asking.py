"""Asking a judge from within a metric: one reply that was checked, or several side by side."""

import asyncio
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ragjudge.errors import CaseFailure, JudgeCouldNotScore, RagjudgeError
from ragjudge.language import Text
from ragjudge.ports import Judge, JudgeReply, JudgeTask, R
from ragjudge.results.outcome import Cause
from ragjudge.results.usage import Usage

T = TypeVar("T")


async def ask(judge: Judge, task: JudgeTask[R]) -> JudgeReply[R]:
    """The judge's reply, checked. Raises JudgeCouldNotScore where it stays at fault after the judge's own repair."""
    reply = await judge.ask(task)
    fault = task.check(reply.value) if task.check else None
    if fault is not None:
        raise JudgeCouldNotScore(
            Text(
                f"The judge's reply can't be used: {fault.en}", f"評価用モデルの返答を使えません: {fault.ja}"
            ),
            cause=Cause.JUDGE_REPLY_UNUSABLE,
            passing=True,
        )
    return reply


async def side_by_side(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Await all at once; results in order. Raises a single error, never a group.

    Where one call could not be had, the others still come to their end: they are paid for, and a judge that
    remembers its replies needs only the failed one next time. Any other error ends them all at once.
    """
    try:
        async with asyncio.TaskGroup() as group:
            running = [group.create_task(_as_value(call)) for call in calls]
    except BaseExceptionGroup as raised:
        raise _gravest(raised) from None
    results = []
    for task in running:
        result = task.result()
        if isinstance(result, _Failed):
            raise result.error
        results.append(result)
    return results


@dataclass(frozen=True, slots=True)
class _Failed:
    error: CaseFailure


async def _as_value(call: Coroutine[Any, Any, T]) -> T | _Failed:
    try:
        return await call
    except CaseFailure as error:
        return _Failed(error)


def _gravest(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """A bug before anything that a user can act on; otherwise the first."""
    flat = _flattened(group)
    return next((error for error in flat if not isinstance(error, RagjudgeError)), flat[0])


def _flattened(group: BaseExceptionGroup[BaseException]) -> list[BaseException]:
    return [
        inner
        for error in group.exceptions
        for inner in (_flattened(error) if isinstance(error, BaseExceptionGroup) else [error])
    ]


def total_usage(usages: Iterable[Usage]) -> Usage:
    return sum(usages, start=Usage())


def joined_notes(replies: Sequence[JudgeReply[Any]], *more: str) -> tuple[str, ...]:
    """Each note once, but `repaired:…` once per reply: the report counts them."""
    notes: list[str] = []
    for note in [*(note for reply in replies for note in reply.notes), *more]:
        if note.startswith("repaired:") or note not in notes:
            notes.append(note)
    return tuple(notes)
