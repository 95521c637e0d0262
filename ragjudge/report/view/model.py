"""What a report shows, computed to the last number, before any words or syntax. Plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from ragjudge.compare.decision import CaseStatus, Reason, Verdict
from ragjudge.dsl.word_diff import Piece
from ragjudge.language import Language
from ragjudge.results.answer import ContextSource, MissingContexts
from ragjudge.results.attribution import Attribution
from ragjudge.results.baseline import HistoryEntry
from ragjudge.results.fingerprint import EmbedderIdentity, JudgeIdentity
from ragjudge.results.outcome import Cause, Inapplicable
from ragjudge.results.usage import Usage
from ragjudge.suite.case import Source


@dataclass(frozen=True, slots=True)
class ScoreView:
    """One metric on one case. `after` is the mean of this run's samples; exactly one of `after`, `unscored`,
    `inapplicable` is set, or none where the metric was never asked for.
    """

    status: CaseStatus | None = None
    before: float | None = None
    after: float | None = None
    change: float | None = None
    fresh: tuple[float, ...] = ()
    unscored: Cause | None = None
    inapplicable: Inapplicable | None = None
    detail: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CaseView:
    """One case. Texts are None where the report must not show them (`report.content: scores`)."""

    id: str
    status: CaseStatus | None
    question: str | None = None
    reference: str | None = None
    answer: str | None = None
    answer_before: str | None = None
    category: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    scores: Mapping[str, ScoreView] = field(default_factory=dict)
    comments: Mapping[str, str] = field(default_factory=dict)
    """Per viewpoint of correctness."""
    summary: str = ""
    contexts: tuple[str, ...] = ()
    """Titles of the retrieved passages, in rank order, each once."""
    missing_contexts: MissingContexts | None = None
    latency_s: float | None = None
    failure: Cause | None = None
    failure_detail: str = ""
    accepted_reason: str | None = None
    skipped: str | None = None
    """Why the suite leaves it out; `SKIPPED` where it does not say, `WITHHELD` where the report must not."""
    needs_improvement: bool = False
    source: Source | None = None

    @property
    def unscored(self) -> tuple[str, ...]:
        """Names of the metrics that could not be scored."""
        return tuple(name for name, score in self.scores.items() if score.unscored is not None)


class MetricMark(StrEnum):
    OK = "ok"
    REGRESSED = "regressed"
    BELOW_MINIMUM = "below_minimum"
    MAYBE_CHANCE = "maybe_chance"
    """Fell by more than its tolerance, but the test does not exclude an accident."""
    NOT_COMPARED = "not_compared"


@dataclass(frozen=True, slots=True)
class Drop:
    case_id: str
    change: float


@dataclass(frozen=True, slots=True)
class MetricView:
    """One metric over the suite. `now` is over the compared pairs where there are any, else over all cases."""

    name: str
    before: float | None
    now: float | None
    change: float | None
    low: float | None
    high: float | None
    tolerance: float
    minimum: float | None
    scored: int
    total: int
    not_applicable: int
    mark: MetricMark
    drops: tuple[Drop, ...] = ()
    """The cases that pulled the mean down most, worst first (only for a metric that regressed)."""


@dataclass(frozen=True, slots=True)
class GroupMean:
    mean: float | None
    change: float | None = None
    """Over the cases that both runs scored; None without any."""


@dataclass(frozen=True, slots=True)
class GroupRow:
    value: str
    cases: int
    means: Mapping[str, GroupMean]
    needs_improvement: int


@dataclass(frozen=True, slots=True)
class GroupView:
    """Means per value of `category`, of the tags or of one of the team's own fields (`name`)."""

    kind: str
    """`category`, `tag` or `field`."""
    name: str
    rows: tuple[GroupRow, ...]


@dataclass(frozen=True, slots=True)
class JudgedView:
    """What was judged, by whom, with what."""

    app_name: str
    app_mode: str
    server_version: str | None
    workflow_ids: tuple[str, ...]
    context_sources: Mapping[ContextSource, int]
    missing_contexts: Mapping[MissingContexts, int]
    judge: JudgeIdentity
    embedder: EmbedderIdentity
    language: str
    mode: str
    repeats: int
    commit: str | None
    tool_version: str
    run_id: str
    started_at: datetime

    @property
    def offline_judge(self) -> bool:
        return self.judge.provider == "offline"

    @property
    def offline_vectors(self) -> bool:
        return self.embedder.provider == "offline"


@dataclass(frozen=True, slots=True)
class CostView:
    """What the run cost. `took_s` is wall clock; `asked_again` counts questions that had to be put twice."""

    app: Usage
    judge: Usage
    took_s: float
    asked_again: int
    repaired: int
    nodes: Mapping[str, Usage] = field(default_factory=dict)
    """What each LLM node of the app used, by its title and model, where the stream shows it."""
    metrics: Mapping[str, Usage] = field(default_factory=dict)
    """What the judge used for each metric."""

    @property
    def all(self) -> Usage:
        return self.app + self.judge

    @property
    def beside_metrics(self) -> Usage:
        """What the judge used for no single metric: stored answers judged again, comparisons, proposals.

        Nothing where the metrics' own use is not known.
        """
        if not self.metrics:
            return Usage()
        rest = {
            name: max(
                0, getattr(self.judge, name) - sum(getattr(used, name) for used in self.metrics.values())
            )
            for name in ("calls", "prompt_tokens", "completion_tokens", "cached_tokens")
        }
        return Usage(**rest)


@dataclass(frozen=True, slots=True)
class BaselineView:
    stored_at: datetime
    commit: str | None
    history: tuple[HistoryEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class AppChangeView:
    """One change of the app's DSL; `pieces` are the words of a longer text, in reading order."""

    text: str
    file: str
    pieces: tuple[Piece, ...] = ()
    node: str | None = None


@dataclass(frozen=True, slots=True)
class ReportView:
    """Everything a report shows; the same for every sink."""

    language: Language
    verdict: Verdict
    suite: str
    reasons: tuple[Reason, ...]
    warnings: tuple[Reason, ...]
    details: bool
    scores_only: bool
    notices: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    """What was judged, where that is not simply the whole suite on the published app."""
    app_changes: tuple[AppChangeView, ...] = ()
    unproven: bool = False
    """The DSL changes, but what was judged is what the app serves, and nothing shows that both are the same."""
    attribution: Attribution | None = None
    """Which of the app's changes broke which cases, where that was tried."""
    problems: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()
    metrics: tuple[MetricView, ...] = ()
    cases: tuple[CaseView, ...] = ()
    """In suite order, removed ones last."""
    groups: tuple[GroupView, ...] = ()
    judged: JudgedView | None = None
    cost: CostView | None = None
    baseline: BaselineView | None = None
    stopped: str | None = None
    rest_url: str | None = None

    def with_status(self, *statuses: CaseStatus) -> tuple[CaseView, ...]:
        return tuple(case for case in self.cases if case.status in statuses)

    @property
    def skipped(self) -> tuple[CaseView, ...]:
        """What this run has in its suite and did not ask."""
        return tuple(
            case for case in self.cases if case.skipped is not None and case.status is not CaseStatus.REMOVED
        )

    @property
    def metric_names(self) -> tuple[str, ...]:
        return tuple(metric.name for metric in self.metrics)
