"""The record of a run: every case, every sample of it, and who judged."""

from math import fsum
from typing import Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict

from ragjudge.results.answer import Answer
from ragjudge.results.fingerprint import Fingerprint
from ragjudge.results.outcome import Cause, NotApplicable, Outcome, Scored, Unscored
from ragjudge.results.usage import Usage
from ragjudge.suite.case import Case

SCHEMA_VERSION = 1


class AppFailure(BaseModel):
    """The app gave no answer that could be judged."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cause: Cause
    detail: str = ""
    """What the server said, shortened and redacted."""
    conversation_id: str | None = None
    asks: int = 1


class Sample(BaseModel):
    """One asking of a case: the answer (or why there is none) and each metric's outcome.

    `attempt` is `1`, `2`, … for whole-suite repeats and `confirm-1`, `confirm-2`, … for fresh re-runs of suspects.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    attempt: str
    answer: Answer | None = None
    failure: AppFailure | None = None
    scores: dict[str, Outcome] = {}


class CaseResult(BaseModel):
    """A case with its samples. `confirmations` decide cases only: they never enter a mean or a baseline."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    case: Case
    samples: tuple[Sample, ...]
    confirmations: tuple[Sample, ...] = ()

    def scored(self, metric: str) -> tuple[float, ...]:
        """The values of a metric over the samples that have one, in order."""
        return tuple(
            outcome.value for s in self.samples if isinstance(outcome := s.scores.get(metric), Scored)
        )

    def mean(self, metric: str) -> float | None:
        values = self.scored(metric)
        return fsum(values) / len(values) if values else None

    def unscored(self, metric: str) -> tuple[Unscored, ...]:
        return tuple(outcome for s in self.samples if isinstance(outcome := s.scores.get(metric), Unscored))

    def not_applicable(self, metric: str) -> tuple[NotApplicable, ...]:
        return tuple(
            outcome for s in self.samples if isinstance(outcome := s.scores.get(metric), NotApplicable)
        )


class PairOutcome(BaseModel):
    """Today's answer beside the baseline's, judged in both orders. It decides nothing: no gate looks at it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    case_id: str
    result: Literal["win", "loss", "tie", "unscored"]
    """`win`: today's answer is better. A tie where the two orders disagree."""
    consistent: bool = True
    """False: the order of the answers decided."""
    reason: str = ""


class AppIdentity(BaseModel):
    """Which app was asked, as far as its service API tells."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    mode: Literal["advanced-chat", "chat", "agent-chat", "completion", "workflow", "agent"]
    base_url: str
    server_version: str | None = None
    citation: bool | None = None
    """The app's citation switch (`/parameters`.`retriever_resource.enabled`)."""


class SuiteIdentity(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    digest: str


class RunResult(BaseModel):
    """Everything that happened in one run. Times are UTC."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: int = SCHEMA_VERSION
    tool_version: str
    run_id: str
    """Part of every attempt's cache key and of the app user id, so that runs never mix."""
    started_at: AwareDatetime
    finished_at: AwareDatetime
    suite: SuiteIdentity
    app: AppIdentity
    fingerprint: Fingerprint
    metrics: tuple[str, ...]
    """Names of the metrics of this run, in report order."""
    repeats: int
    cases: tuple[CaseResult, ...]
    app_usage: Usage = Usage()
    judge_usage: Usage = Usage()
    """All judge and embedding calls, confirmations and repairs included."""
    left_out: tuple[str, ...] = ()
    """Ids of the suite's cases that this run was told not to ask (`--case`, `--tag`, `--limit`, `--shard`)."""
    stopped: str | None = None
    """Why the run ended before its last case (the error's sentence); None for a whole run."""
    commit: str | None = None
    pairs: tuple[PairOutcome, ...] = ()
    """With `metrics.pairwise`: one per case that both runs answered and whose question is the same."""

    def __repr__(self) -> str:
        """Short: asyncio spells out a finished task's result several times, and nobody reads megabytes of it."""
        return f"RunResult(run_id={self.run_id!r}, cases={len(self.cases)})"

    @property
    def workflow_ids(self) -> tuple[str, ...]:
        """Every published workflow version that answered, in order of first sight."""
        seen = dict.fromkeys(
            s.answer.workflow_id
            for c in self.cases
            for s in (*c.samples, *c.confirmations)
            if s.answer is not None and s.answer.workflow_id is not None
        )
        return tuple(seen)

    def case(self, case_id: str) -> CaseResult | None:
        return next((c for c in self.cases if c.case.id == case_id), None)
