"""The stored baseline: a run that was accepted, kept to compare later runs with."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from ragjudge.results.run import RunResult


class HistoryEntry(BaseModel):
    """Means of one former baseline."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    at: datetime
    commit: str | None = None
    means: dict[str, float]


class Baseline(BaseModel):
    """`run` holds no confirmations; `history` is bounded, oldest first."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run: RunResult
    stored_at: datetime
    answers_stored: bool = True
    """False: answers and contexts were replaced by digests (`baseline.store_answers: false`)."""
    history: tuple[HistoryEntry, ...] = ()
    pinned: HistoryEntry | None = None
    dsl_digest: str | None = None
    """Of the app's DSL export at the time, where the repository has one."""
    knowledge: tuple[str, ...] = ()
    """`dataset/document` ids of every passage that was retrieved, sorted: has the knowledge changed since?"""
