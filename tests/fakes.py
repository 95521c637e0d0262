"""One hand-written fake per port. Each does what its adapter does, without the world."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from ragjudge.errors import Problem
from ragjudge.metric_specs import MetricSpec
from ragjudge.metrics.base import Gradable
from ragjudge.ports import AppQuestion, Embedded, JudgeReply, JudgeTask, Remembered
from ragjudge.results.answer import Answer
from ragjudge.results.fingerprint import EmbedderIdentity, JudgeIdentity
from ragjudge.results.outcome import NotApplicable, Outcome, Scored
from ragjudge.results.run import AppFailure, AppIdentity
from ragjudge.results.usage import Usage
from ragjudge.settings import AppSettings
from tests import builders


class FakeApp:
    """Answers by a function of the question; an exception it returns is raised."""

    def __init__(self, answer: Callable[[AppQuestion], Answer | Exception] | None = None) -> None:
        self._answer = answer or (lambda question: builders.answer(f"{question.query}の答え", "passage"))
        self.asked: list[AppQuestion] = []
        self.deleted: list[tuple[str, str]] = []
        self.forgotten: list[str] = []
        self.refused: Sequence[Problem] = ()
        self.kept: dict[str, Answer] = {}
        """What an earlier process asked for, by case id."""
        self.most_in_flight = 0
        self._in_flight = 0
        self.closed = False

    async def probe(self) -> AppIdentity:
        return AppIdentity(name="fake", mode="advanced-chat", base_url="http://dify.example/v1")

    def problems(self, questions: Sequence[AppQuestion]) -> Sequence[Problem]:
        return self.refused

    async def ask(self, question: AppQuestion) -> Answer:
        self.asked.append(question)
        self._in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight)
        await asyncio.sleep(0)
        self._in_flight -= 1
        answer = self._answer(question)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def recover(self, question: AppQuestion) -> Answer | None:
        return self.kept.get(question.case_id)

    async def forget(self, user: str) -> tuple[str, ...]:
        self.forgotten.append(user)
        return ()

    async def delete(self, conversation_id: str, *, user: str) -> bool:
        self.deleted.append((conversation_id, user))
        return True

    async def close(self) -> None:
        self.closed = True


class FakeJudge:
    """Replies by a function of the task: a dict in the task's schema, or an exception to raise."""

    def __init__(self, reply: Callable[[JudgeTask], Mapping[str, object] | Exception] | None = None) -> None:
        self._reply = reply or (lambda task: {})
        self.asked: list[JudgeTask] = []
        self.identity = JudgeIdentity(provider="openai", model="judge-1")

    async def probe(self) -> None:
        return None

    async def ask(self, task: JudgeTask) -> JudgeReply:
        self.asked.append(task)
        await asyncio.sleep(0)
        reply = self._reply(task)
        if isinstance(reply, Exception):
            raise reply
        return JudgeReply(task.reply.model_validate(reply))

    async def close(self) -> None:
        return None


class FakeEmbedder:
    """Embeds by a function of the text; one and the same vector by default."""

    def __init__(self, vector: Callable[[str], Sequence[float]] | None = None) -> None:
        self._vector = vector or (lambda text: (1.0, 0.0))
        self.identity = EmbedderIdentity(provider="offline", model="fake")

    async def embed(self, texts: Sequence[str]) -> Embedded:
        return Embedded(tuple(tuple(self._vector(text)) for text in texts))

    async def close(self) -> None:
        return None


class FakeMetric:
    """A metric with a function of the item as its score."""

    version = "1"

    def __init__(
        self,
        name: str = "correctness",
        score: Callable[[Gradable], float | NotApplicable | Exception] | None = None,
    ) -> None:
        self.spec = MetricSpec(name, 1.0, 5.0, False, False, tolerance=0.1)
        self._score = score or (lambda item: 4.0)
        self.scored: list[Gradable] = []

    async def score(self, item: Gradable, judge, embedder) -> Scored | NotApplicable:
        self.scored.append(item)
        await asyncio.sleep(0)
        value = self._score(item)
        if isinstance(value, Exception):
            raise value
        return value if isinstance(value, NotApplicable) else Scored(value=value)


class FakeJournal:
    """Keeps what it is told in lists; remembers what it was given."""

    def __init__(self, known: Mapping[tuple[str, str], Remembered] | None = None) -> None:
        self._known = dict(known or {})
        self.sent: list[tuple[str, str]] = []
        self.answers: list[tuple[str, str, Answer | AppFailure]] = []
        self.scores: list[tuple[str, str, str, Outcome]] = []

    @property
    def spent(self) -> Usage:
        return Usage()

    def remembered(self, case_id: str, attempt: str) -> Remembered:
        return self._known.get((case_id, attempt), Remembered())

    def asking(self, case_id: str, attempt: str) -> None:
        self.sent.append((case_id, attempt))

    def answered(self, case_id: str, attempt: str, answer: Answer | AppFailure) -> None:
        self.answers.append((case_id, attempt, answer))

    def scored(self, case_id: str, attempt: str, metric: str, outcome: Outcome) -> None:
        self.scores.append((case_id, attempt, metric, outcome))


class FakeProgress:
    def __init__(self) -> None:
        self.total = 0
        self.done: list[str] = []
        self.notes: list[str] = []

    def started(self, total: int) -> None:
        self.total = total

    def case_done(self, case_id: str) -> None:
        self.done.append(case_id)

    def note(self, text: str) -> None:
        self.notes.append(text)


class FakeClock:
    """Time that passes only by sleeping; `slept` lists the naps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class FakeLease:
    """Lends the settings it was given, or raises; counts releases."""

    def __init__(self, app: AppSettings | Exception) -> None:
        self._app = app
        self.released = 0

    async def acquire(self) -> AppSettings:
        if isinstance(self._app, Exception):
            raise self._app
        return self._app

    async def release(self) -> None:
        self.released += 1
