"""A simulated app and judge: noise of answers and of the judge apart, five metrics that move together.

Ordinary judge noise is the one of the issue: a 1–5 score moves by one in 18 % of calls and falls by two in 2 %.
An answer that comes out worse (it leaves out a part) is worse for every metric that looks at answers, which is how
the metrics are correlated. Nothing here knows the gate.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np

from ragjudge.results.answer import Answer, MissingContexts, NotAvailable
from ragjudge.results.fingerprint import EmbedderIdentity, Fingerprint, JudgeIdentity
from ragjudge.results.outcome import Cause, Outcome, Scored, Unscored
from ragjudge.results.run import AppIdentity, CaseResult, RunResult, Sample, SuiteIdentity
from ragjudge.suite.case import Case

METRICS = ("answer_relevancy", "faithfulness", "context_recall", "context_precision", "correctness")
NOON = datetime(2026, 1, 2, tzinfo=UTC)
ANSWER = Answer(text="…", contexts=NotAvailable(cause=MissingContexts.NO_RETRIEVAL), latency_s=1.0)


@dataclass(frozen=True)
class Noise:
    """How much a healthy app and judge move by themselves."""

    step: float = 0.18
    """Share of judge calls whose 1–5 score moves by one."""
    fall: float = 0.02
    """Share of judge calls whose 1–5 score falls by two."""
    verdict: float = 0.04
    """Share of single verdicts (a statement, a sentence, a passage) that come out the other way."""
    relevancy: float = 0.03
    """Standard deviation of answer relevancy's cosine."""
    worse_answer: float = 0.03
    """Share of asks whose answer leaves out a part: one point less, one statement unsupported."""
    unusable: float = 0.0
    """Share of judge replies that stay unusable after the repair request."""


@dataclass(frozen=True)
class Damage:
    """What is wrong with today's app."""

    broken: int = 0
    """Cases whose answer is wrong: three points less, nothing supported."""
    share: float = 1.0
    """In which share of asks."""
    lost_point: float = 0.0
    """Share of cases that lost one point for good."""
    unsupported: float = 0.0
    """Chance of each statement to have become unsupported (one metric drifting)."""
    outage_after: float | None = None
    """The judge goes away after this share of the suite."""


@dataclass
class World:
    """A suite with its truths; asks it as often as wanted, each time with fresh noise."""

    random: np.random.Generator
    cases: int
    noise: Noise = field(default_factory=Noise)

    def __post_init__(self) -> None:
        self.ids = [f"case-{n:05}" for n in range(self.cases)]
        self.quality = self.random.choice([5, 4, 3, 2], p=[0.5, 0.3, 0.15, 0.05], size=self.cases)
        self.statements = self.random.integers(3, 9, size=self.cases)
        self.sentences = self.random.integers(1, 4, size=self.cases)
        self.found = self.random.random(self.cases) < 0.9
        self.cosine = self.random.uniform(0.75, 0.95, size=self.cases)

    def baseline(self, repeats: int) -> RunResult:
        return self._run(repeats, lambda case_id, attempt: self.ask(case_id, attempt, HEALTHY))

    def damaged(self, damage: Damage) -> "Spread":
        """Broken are cases that were right before: a case that was wrong already cannot break."""
        good = np.flatnonzero((self.quality >= 4) & self.found)
        chosen = self.random.permutation(good)[: damage.broken]
        movable = self.random.permutation(np.flatnonzero(self.quality >= 2))
        lost = movable[: round(damage.lost_point * self.cases)]
        return Spread(damage, frozenset(map(int, chosen)), frozenset(map(int, lost)))

    def today(self, spread: "Spread", repeats: int = 1) -> RunResult:
        record = self._run(repeats, lambda case_id, attempt: self.ask(case_id, attempt, spread))
        outage = spread.damage.outage_after
        return record if outage is None else _with_outage(record, outage)

    def ask(self, case_id: str, attempt: str, spread: "Spread") -> Sample:
        number = int(case_id.removeprefix("case-"))
        truth = self._truth(number, spread)
        scores = {metric: self._scored(value) for metric, value in truth.items()}
        return Sample(attempt=attempt, answer=ANSWER, scores=scores)

    def _truth(self, number: int, spread: "Spread") -> dict[str, float]:
        random, noise = self.random, self.noise
        broken = number in spread.broken and random.random() < spread.damage.share
        worse = random.random() < noise.worse_answer
        quality = self.quality[number] - (number in spread.lost) - worse - 3 * broken
        count, parts = int(self.statements[number]), int(self.sentences[number])
        bad = 1.0 if broken else spread.damage.unsupported
        supported = random.random(count) >= min(1.0, bad + 0.03)
        if worse:
            supported[0] = False
        found = bool(self.found[number]) and not broken
        return {
            "answer_relevancy": self._cosine(number, broken=broken),
            "faithfulness": self._share(supported),
            "context_recall": self._share(np.full(parts, found)),
            "context_precision": _average_precision(self._flipped(np.array([found, found, False]))),
            "correctness": self._graded(int(np.clip(quality, 1, 5))),
        }

    def _graded(self, quality: int) -> float:
        roll = self.random.random()
        if roll < self.noise.step:
            quality += 1 if self.random.random() < 0.5 else -1
        elif roll > 1 - self.noise.fall:
            quality -= 2
        return float(np.clip(quality, 1, 5))

    def _share(self, verdicts: np.ndarray) -> float:
        return float(np.mean(self._flipped(verdicts)))

    def _flipped(self, verdicts: np.ndarray) -> np.ndarray:
        return verdicts ^ (self.random.random(len(verdicts)) < self.noise.verdict)

    def _cosine(self, number: int, *, broken: bool) -> float:
        middle = self.cosine[number] - 0.3 * broken
        return float(np.clip(self.random.normal(middle, self.noise.relevancy), 0, 1))

    def _scored(self, value: float) -> Outcome:
        if self.noise.unusable and self.random.random() < self.noise.unusable:
            return Unscored(cause=Cause.JUDGE_REPLY_UNUSABLE)
        return Scored(value=value)

    def _run(self, repeats: int, ask: Callable[[str, str], Sample]) -> RunResult:
        cases = tuple(
            CaseResult(
                case=Case(id=case_id, question=f"Q {case_id}", reference="A"),
                samples=tuple(ask(case_id, str(n)) for n in range(1, repeats + 1)),
            )
            for case_id in self.ids
        )
        return RunResult(
            tool_version="0",
            run_id="simulated",
            started_at=NOON,
            finished_at=NOON,
            suite=SuiteIdentity(name="simulated", digest="0"),
            app=AppIdentity(name="simulated", mode="advanced-chat", base_url="http://localhost/v1"),
            fingerprint=FINGERPRINT,
            metrics=METRICS,
            repeats=repeats,
            cases=cases,
        )


@dataclass(frozen=True)
class Spread:
    """Damage with the cases that it falls on; drawn once, so that fresh asks meet the same damage."""

    damage: Damage
    broken: frozenset[int]
    lost: frozenset[int]


HEALTHY = Spread(Damage(), frozenset(), frozenset())


def _average_precision(verdicts: np.ndarray) -> float:
    hits = np.cumsum(verdicts)
    if not hits[-1]:
        return 0.0
    return float(np.sum(verdicts * hits / np.arange(1, len(verdicts) + 1)) / hits[-1])


def _with_outage(record: RunResult, share: float) -> RunResult:
    """From one case on, nothing could be scored, and the run was stopped."""
    alive = int(share * len(record.cases))
    lost = dict.fromkeys(METRICS, Unscored(cause=Cause.JUDGE_UNREACHABLE))
    cases = tuple(
        c
        if n < alive
        else c.model_copy(update={"samples": tuple(s.model_copy(update={"scores": lost}) for s in c.samples)})
        for n, c in enumerate(record.cases)
    )
    return record.model_copy(update={"cases": cases, "stopped": "judge unreachable"})


FINGERPRINT = Fingerprint(
    judge=JudgeIdentity(provider="simulated", model="simulated"),
    embedder=EmbedderIdentity(provider="simulated", model="simulated"),
    metrics=dict.fromkeys(METRICS, "1"),
    language="en",
)
