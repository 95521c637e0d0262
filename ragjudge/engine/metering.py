"""Judge and embedder seen through a meter: what each score cost, and a stop when the budget is spent."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel

from ragjudge.engine.trial import Trial
from ragjudge.errors import JudgeCouldNotScore
from ragjudge.language import Text
from ragjudge.ports import Embedded, Embedder, Judge, JudgeReply, JudgeTask
from ragjudge.results.fingerprint import EmbedderIdentity, JudgeIdentity
from ragjudge.results.usage import Usage

R = TypeVar("R", bound=BaseModel)


class Purse:
    """All that judge and embedder used so far, against a limit in tokens (None: no limit)."""

    def __init__(self, limit: int | None = None, *, spent: Usage | None = None) -> None:
        self.spent = spent or Usage()
        self._limit = limit

    def add(self, usage: Usage) -> None:
        self.spent = self.spent + usage

    def require(self) -> None:
        """Raise before a call that the budget no longer covers."""
        if self._limit is not None and self.spent.total_tokens >= self._limit:
            raise JudgeCouldNotScore(
                Text(
                    f"The judge's budget of {self._limit} tokens is spent.",
                    f"評価LLMの予算({self._limit}トークン)を使い切りました。",
                ),
                cause="over_budget",
                hint=Text("Raise budget.judge_tokens.", "budget.judge_tokens を増やしてください。"),
            )


class MeteredJudge:
    """Counts what one score used; the purse counts the whole run."""

    def __init__(
        self, judge: Judge, purse: Purse, *, order: int = 0, fresh: str = "", trial: Trial | None = None
    ) -> None:
        """`fresh` marks tasks that no reply of another run may answer (see `Ask.fresh`)."""
        self._judge = judge
        self._trial = trial or Trial()
        self._order = order
        self._fresh = fresh
        self._purse = purse
        self.used = Usage()
        self.notes: tuple[str, ...] = ()

    @property
    def identity(self) -> JudgeIdentity:
        return self._judge.identity

    async def probe(self) -> None:
        await self._judge.probe()

    async def ask(self, task: JudgeTask[R]) -> JudgeReply[R]:
        self._purse.require()
        sample = f"{task.sample}@{self._fresh}" if self._fresh else task.sample
        try:
            reply = await self._judge.ask(replace(task, order=self._order, sample=sample))
        except JudgeCouldNotScore as failure:
            wasted = Usage(**failure.spent)
            self.used = self.used + wasted
            self._purse.add(wasted)
            self._trial.failure(failure, self._order)
            raise
        self._trial.usable()
        self.used = self.used + reply.usage
        self.notes = tuple(dict.fromkeys((*self.notes, *reply.notes)))
        self._purse.add(reply.usage)
        return reply

    async def close(self) -> None:
        await self._judge.close()


class MeteredEmbedder:
    def __init__(self, embedder: Embedder, purse: Purse) -> None:
        self._embedder = embedder
        self._purse = purse
        self.used = Usage()

    @property
    def identity(self) -> EmbedderIdentity:
        return self._embedder.identity

    async def embed(self, texts: Sequence[str]) -> Embedded:
        self._purse.require()
        embedded = await self._embedder.embed(texts)
        self.used = self.used + embedded.usage
        self._purse.add(embedded.usage)
        return embedded

    async def close(self) -> None:
        await self._embedder.close()
