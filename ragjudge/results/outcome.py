"""A metric's result on one case: a score, or one of two honest ways of having none.

Never 0 for "could not", never NaN, never dropped in silence.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ragjudge.results.usage import Usage


class Cause(StrEnum):
    """Why something could not be had. The report has a sentence for each, in each language."""

    APP_ERROR = "app_error"
    APP_TIMEOUT = "app_timeout"
    APP_UNREACHABLE = "app_unreachable"
    APP_RATE_LIMITED = "app_rate_limited"
    APP_INPUT_REFUSED = "app_input_refused"
    APP_PAUSED = "app_paused"
    APP_EMPTY_ANSWER = "app_empty_answer"
    APP_STREAM_CUT = "app_stream_cut"
    JUDGE_ERROR = "judge_error"
    JUDGE_TIMEOUT = "judge_timeout"
    JUDGE_UNREACHABLE = "judge_unreachable"
    JUDGE_RATE_LIMITED = "judge_rate_limited"
    JUDGE_REPLY_UNUSABLE = "judge_reply_unusable"
    JUDGE_REPLY_TRUNCATED = "judge_reply_truncated"
    JUDGE_CONTENT_FILTER = "judge_content_filter"
    JUDGE_CONTEXT_TOO_LONG = "judge_context_too_long"
    EMBEDDING_UNUSABLE = "embedding_unusable"
    OVER_BUDGET = "over_budget"
    CANCELLED = "cancelled"
    NOT_ASKED = "not_asked"
    """The run was stopped before this case's turn."""


PASSING = frozenset(
    {
        Cause.APP_ERROR,
        Cause.APP_TIMEOUT,
        Cause.APP_UNREACHABLE,
        Cause.APP_RATE_LIMITED,
        Cause.APP_STREAM_CUT,
        Cause.JUDGE_ERROR,
        Cause.JUDGE_TIMEOUT,
        Cause.JUDGE_UNREACHABLE,
        Cause.JUDGE_RATE_LIMITED,
        Cause.JUDGE_REPLY_UNUSABLE,
        Cause.JUDGE_REPLY_TRUNCATED,
        Cause.EMBEDDING_UNUSABLE,
    }
)
"""Causes that another try may not meet again: such cases get one more pass at the end of a run."""


class Inapplicable(StrEnum):
    """Why a metric says nothing about a case."""

    NO_REFERENCE = "no_reference"
    NO_CONTEXTS = "no_contexts"
    NO_CLAIMS = "no_claims"
    """A refusal or an empty statement: nothing that could be supported or not."""
    NOT_SELECTED = "not_selected"
    NO_LATENCY = "no_latency"
    """A time limit, and an answer of which nobody knows how long it took."""
    NO_BASELINE_ANSWER = "no_baseline_answer"


class Scored(BaseModel):
    """A value on the metric's own scale, with the reason and what it cost."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["scored"] = "scored"
    value: float = Field(allow_inf_nan=False, strict=True)
    reason: str = ""
    """One or two sentences a person can check: what the judge said, in its language, and our own words around it."""
    comments: dict[str, str] = {}
    """Per viewpoint, for correctness: accuracy, coverage, clarity, appropriateness; and `summary`."""
    notes: tuple[str, ...] = ()
    """Stable words: `repaired:fence`, `coerced`, `non_committal`, `judge_not_at_temperature_0`…"""
    usage: Usage = Usage()


class Unscored(BaseModel):
    """The score could not be had."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["unscored"] = "unscored"
    cause: Cause
    detail: str = ""
    """What the server or the parser said, shortened and redacted."""
    usage: Usage = Usage()


class NotApplicable(BaseModel):
    """The metric says nothing about this case."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["not_applicable"] = "not_applicable"
    reason: Inapplicable
    detail: str = ""
    usage: Usage = Usage()


Outcome = Annotated[Scored | Unscored | NotApplicable, Field(discriminator="kind")]
