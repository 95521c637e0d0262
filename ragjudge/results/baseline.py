"""The stored baseline: a run that was accepted, kept to compare later runs with."""

from collections.abc import Collection
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from ragjudge.results.run import RunResult


class HistoryEntry(BaseModel):
    """Means of one former baseline."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    at: AwareDatetime
    commit: str | None = None
    means: dict[str, Annotated[float, Field(allow_inf_nan=False, strict=True)]]


class Baseline(BaseModel):
    """`run` holds no confirmations; `history` is bounded, oldest first."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run: RunResult
    stored_at: AwareDatetime
    answers_stored: bool = True
    """False: answers and contexts were replaced by digests (`baseline.store_answers: false`)."""
    history: tuple[HistoryEntry, ...] = ()
    pinned: HistoryEntry | None = None
    for_commit: str | None = None
    """Of the branch, where an update was made for one. `run.commit` is what was judged: maybe a pull request's head."""
    dsl_digest: str | None = None
    """Of the app's DSL export at the time, where the repository has one."""
    knowledge: tuple[str, ...] = ()
    """`dataset/document` ids of every passage that was retrieved, sorted: has the knowledge changed since?"""


def without_cases(baseline: Baseline | None, left_out: Collection[str]) -> Baseline | None:
    """The baseline without the cases that a run was told not to ask."""
    if baseline is None or not left_out:
        return baseline
    kept = tuple(case for case in baseline.run.cases if case.case.id not in left_out)
    return baseline.model_copy(update={"run": baseline.run.model_copy(update={"cases": kept})})
