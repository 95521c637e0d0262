"""Says once when nothing has come back from a server for a while, so that nobody takes waiting for hanging.

Calls of one server are watched together: fifty that wait for the same dead judge are one line.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from ragjudge.errors import Problem
from ragjudge.language import Text
from ragjudge.ports import AppQuestion, ChatApp, Clock, Embedded, Embedder, Judge, JudgeReply, JudgeTask, R
from ragjudge.results.answer import Answer
from ragjudge.results.fingerprint import EmbedderIdentity, JudgeIdentity
from ragjudge.results.run import AppIdentity

PATIENCE_S = 10.0


class Watch:
    """One server. It is also the clock of whoever calls that server: each wait there is before another try."""

    def __init__(self, who: Text, say: Callable[[Text], None], clock: Clock) -> None:
        self._who = who
        self._say = say
        self._clock = clock
        self._tries: dict[object, int] = {}
        """By the task that waits."""
        self._heard_at = 0.0
        self._watching: asyncio.Task[None] | None = None
        self._told = False

    def monotonic(self) -> float:
        return self._clock.monotonic()

    async def sleep(self, seconds: float) -> None:
        task = asyncio.current_task()
        if task in self._tries:
            self._tries[task] += 1
        await self._clock.sleep(seconds)

    @asynccontextmanager
    async def call(self) -> AsyncIterator[None]:
        """A call is under way in here; leaving without an error means that the server was heard."""
        task = asyncio.current_task()
        if not self._tries:
            self._heard_at = self._clock.monotonic()
            if not self._told:
                self._watching = asyncio.create_task(self._tell_of_silence())
        self._tries[task] = 1
        try:
            yield
            self._heard_at = self._clock.monotonic()
        finally:
            self._tries.pop(task, None)
            if not self._tries and self._watching is not None:
                self._watching.cancel()

    async def _tell_of_silence(self) -> None:
        while (left := self._heard_at + PATIENCE_S - self._clock.monotonic()) > 0:
            await self._clock.sleep(left)
        self._told = True
        self._say(_waiting(self._who, round(PATIENCE_S), max(self._tries.values(), default=1)))


def _waiting(who: Text, seconds: int, attempt: int) -> Text:
    return Text(
        f"Waiting for {who.en}: no answer for {seconds} s, attempt {attempt}.",
        f"{who.ja}の応答を待っています({seconds}秒間応答なし、試行{attempt}回目)。",
    )


class WatchedApp:
    """A ChatApp whose questions are watched."""

    def __init__(self, app: ChatApp, watch: Watch) -> None:
        self._app = app
        self._watch = watch

    async def probe(self) -> AppIdentity:
        async with self._watch.call():
            return await self._app.probe()

    def problems(self, questions: Sequence[AppQuestion]) -> Sequence[Problem]:
        return self._app.problems(questions)

    async def ask(self, question: AppQuestion) -> Answer:
        async with self._watch.call():
            return await self._app.ask(question)

    async def recover(self, question: AppQuestion) -> Answer | None:
        return await self._app.recover(question)

    async def forget(self, user: str) -> tuple[str, ...]:
        return await self._app.forget(user)

    async def delete(self, conversation_id: str, *, user: str) -> bool:
        return await self._app.delete(conversation_id, user=user)

    async def close(self) -> None:
        await self._app.close()


class WatchedJudge:
    """A Judge whose calls are watched."""

    def __init__(self, judge: Judge, watch: Watch) -> None:
        self._judge = judge
        self._watch = watch

    @property
    def identity(self) -> JudgeIdentity:
        return self._judge.identity

    async def probe(self) -> None:
        async with self._watch.call():
            await self._judge.probe()

    async def ask(self, task: JudgeTask[R]) -> JudgeReply[R]:
        async with self._watch.call():
            return await self._judge.ask(task)

    async def close(self) -> None:
        await self._judge.close()


class WatchedEmbedder:
    """An Embedder whose calls are watched."""

    def __init__(self, embedder: Embedder, watch: Watch) -> None:
        self._embedder = embedder
        self._watch = watch

    @property
    def identity(self) -> EmbedderIdentity:
        return self._embedder.identity

    async def embed(self, texts: Sequence[str]) -> Embedded:
        async with self._watch.call():
            return await self._embedder.embed(texts)

    async def close(self) -> None:
        await self._embedder.close()
