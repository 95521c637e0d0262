"""The table of sentences that each language must fill, so that none can be forgotten."""

from dataclasses import dataclass

from ragjudge.compare.decision import CaseStatus, ReasonCode, Verdict
from ragjudge.language import Language
from ragjudge.report.view.model import MetricMark
from ragjudge.results.answer import ContextSource, MissingContexts
from ragjudge.results.outcome import Cause, Inapplicable


@dataclass(frozen=True, slots=True)
class VerdictWords:
    """`name` stands in the title; `banner` explains a verdict that judged nothing (else empty)."""

    icon: str
    name: str
    banner: str = ""


@dataclass(frozen=True, slots=True)
class Says:
    """What is so, and what to do about it. Placeholders: see `layout.sentences`."""

    what: str
    todo: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    icon: str
    name: str

    def __str__(self) -> str:
        return f"{self.icon} {self.name}"


@dataclass(frozen=True, slots=True)
class Headings:
    notices: str
    app_changes: str
    attribution: str
    metrics: str
    regressed: str
    suspects: str
    accepted: str
    noise: str
    improvement: str
    unscored: str
    suite_changes: str
    groups: str
    all_cases: str
    trend: str
    pairs: str
    suggestions: str
    warnings: str
    problems: str
    judged: str


@dataclass(frozen=True, slots=True)
class Labels:
    """Column titles and names of single values."""

    case: str
    question: str
    reference: str
    answer: str
    answer_before: str
    contexts: str
    category: str
    fields: str
    tag: str
    status: str
    metric: str
    before: str
    after: str
    change: str
    change_with_interval: str
    tolerance: str
    minimum: str
    scored: str
    mark: str
    fresh: str
    summary: str
    comments: str
    reason: str
    cause: str
    cases: str
    calls: str
    price: str
    whose: str
    app: str
    judge: str
    embedder: str
    took: str
    latency: str
    cases_sheet: str
    not_applicable: str
    app_name: str
    workflow: str
    server: str
    contexts_from: str
    baseline: str
    repeats: str
    commit: str
    repaired: str
    weak: str
    tokens: str
    tokens_in: str
    tokens_out: str
    judge_and_embedder: str
    other_calls: str
    first: str
    accepted_reason: str
    change_alone: str
    broken_alone: str
    tried: str


@dataclass(frozen=True, slots=True)
class Phrases:
    """Short sentences with their placeholders."""

    title: str
    """{icon} {verdict} {suite}"""
    next_step: str
    changed_beside: str
    """{ids} {nodes}"""
    more_changes: str
    """{count}"""
    breaks_alone: str
    """{change} {ids}"""
    breaks_together: str
    """{ids}"""
    breaks_anyway: str
    """{ids}"""
    each_breaks: str
    """{ids}"""
    not_found: str
    """{ids} {changes}"""
    none_tried: str
    cases_not_asked: str
    """{count}"""
    not_attributed: str
    """{why}"""
    not_tried: str
    """{why}"""
    partly_tried: str
    """{why}"""
    attributing_took: str
    """{questions} {tokens}"""
    judged_version: str
    """{ids}"""
    judged_unknown: str
    unproven: str
    """Follows one of the two above."""
    accept: str
    """Said once where any reason can be accepted."""
    scored_of: str
    """{scored} {total}"""
    and_not_applicable: str
    """{count}"""
    more_rows: str
    """{count}"""
    left_out: str
    """{sections}"""
    rest_link: str
    rest_file: str
    offline_judge: str
    offline_vectors: str
    scores_only: str
    repaired_replies: str
    """{count}"""
    asked_again: str
    """{count}"""
    contexts_missing: str
    """{count} {cause}"""
    intro_improvement: str
    intro_noise: str
    intro_suspects: str
    intro_groups: str
    intro_metrics: str
    more_ids: str
    """{count}"""
    skipped: str
    """{cases} {ids} {reasons}"""
    more_reasons: str
    """{count}"""
    list_comma: str
    in_fold: str
    """{count}"""
    baseline_of: str
    """{when}"""
    mode: str
    """{mode}"""
    details_of: str
    """{count}"""
    all_metrics: str
    since: str
    as_chart: str
    this_run: str
    """Letters, digits and blanks only: it labels a chart's axis."""
    """{date}"""
    in_force: str
    incomplete_price: str
    unreported_usage: str
    """`count` answers."""
    at_least: str
    """`figure`."""


@dataclass(frozen=True, slots=True)
class Wording:
    """Everything a report says in one language."""

    language: Language
    verdicts: dict[Verdict, VerdictWords]
    reasons: dict[ReasonCode, Says]
    differences: dict[str, str]
    """What can differ between two fingerprints (results.fingerprint), and `reference`; what keeps two cases apart."""
    statuses: dict[CaseStatus, Mark]
    causes: dict[Cause, Says]
    inapplicable: dict[Inapplicable, str]
    missing_contexts: dict[MissingContexts, str]
    context_sources: dict[ContextSource, str]
    app_modes: dict[str, str]
    metrics: dict[str, str]
    marks: dict[MetricMark, str]
    viewpoints: dict[str, str]
    headings: Headings
    labels: Labels
    phrases: Phrases

    def metric(self, name: str) -> str:
        """A metric's name for a reader; a team's own metric keeps the name they gave it."""
        return self.metrics.get(name, name)
