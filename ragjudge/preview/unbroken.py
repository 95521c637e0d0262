"""Work on a server that must come to its end although the run was cancelled: half of it would stay there."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from ragjudge.errors import ConsoleUnreachable
from ragjudge.language import Text

T = TypeVar("T")


async def unbroken(work: Coroutine[Any, Any, T], *, within_s: float) -> T:
    """The result of `work`, which goes on through cancellations; they are raised afterwards.

    `within_s` bounds the whole in real seconds: a cancelled job is killed soon. Raises ConsoleUnreachable beyond it.
    """
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)
    end = loop.time() + within_s
    cancelled: asyncio.CancelledError | None = None
    while not task.done() and loop.time() < end:
        try:
            await asyncio.wait({task}, timeout=end - loop.time())
        except asyncio.CancelledError as cancellation:
            cancelled = cancellation
    if not task.done():
        task.cancel()
        await asyncio.wait({task})
    if cancelled is not None:
        if not task.cancelled():
            task.exception()
        raise cancelled
    if task.cancelled():
        raise ConsoleUnreachable(
            Text(
                f"The console was not done within {within_s:g} s.",
                f"管理画面の処理が {within_s:g} 秒以内に終わりませんでした。",
            )
        )
    return task.result()
