"""What a comparison found and what follows from it: plain data, recomputable from the results."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from ragjudge.exit_codes import ExitCode


class Verdict(StrEnum):
    PASSED = "passed"
    NO_BASELINE = "no_baseline"
    SKIPPED = "skipped"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"

    @property
    def exit_code(self) -> ExitCode:
        match self:
            case Verdict.FAILED:
                return ExitCode.FAILED
            case Verdict.INCONCLUSIVE:
                return ExitCode.CANNOT_TELL
            case _:
                return ExitCode.OK


class CaseStatus(StrEnum):
    """What became of one case (or of one metric of it) between two runs; worst first in reports."""

    REGRESSED = "regressed"
    """Suspect, and its fresh samples alone lie below as well."""
    SUSPECT = "suspect"
    """Dropped by its tolerance or more, could not be confirmed (budget, outage)."""
    NOISE = "noise"
    """Dropped, and recovered when asked again."""
    ACCEPTED = "accepted"
    """Regressed, but named by an `accept:` entry in force."""
    WORSE = "worse"
    """Lower, by less than its tolerance."""
    SAME = "same"
    BETTER = "better"
    NEW = "new"
    REMOVED = "removed"
    NEWLY_SKIPPED = "newly_skipped"
    QUESTION_CHANGED = "question_changed"
    REFERENCE_CHANGED = "reference_changed"
    NOT_COMPARABLE = "not_comparable"
    UNSCORED = "unscored"
    """Could not be scored now, or was not scored then: no comparison."""


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class MetricOnCase(_Plain):
    """One metric on one case: means of the samples then and now, and what confirming gave.

    `before`/`after` are None where there was no score; `fresh` holds the values of the confirm samples.
    """

    status: CaseStatus
    before: float | None = None
    after: float | None = None
    fresh: tuple[float, ...] = ()

    @property
    def change(self) -> float | None:
        return None if self.before is None or self.after is None else self.after - self.before


class CaseComparison(_Plain):
    case_id: str
    status: CaseStatus
    """The worst of its metrics."""
    metrics: dict[str, MetricOnCase] = {}
    accepted_reason: str | None = None


class MetricComparison(_Plain):
    """One metric over the suite. Means are over the pairs that both runs scored; `mean_all` over all of this run.

    `low`/`high` bound the change (95 %); `p` is of the paired one-sided test, corrected; None under ten pairs.
    """

    name: str
    before: float | None
    after: float | None
    mean_all: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    tolerance: float
    minimum: float | None = None
    pairs: int
    scored: int
    total: int
    """Cases of this run to which the metric applies or should have applied (scored + unscored)."""
    not_applicable: int
    regressed: bool = False
    below_minimum: bool = False
    mean_low: float | None = None
    """`mean_low`/`mean_high` bound `mean_all` (95 %, over cases)."""
    mean_high: float | None = None
    looks: int = 1
    """How often the mean was tested: 1, and one more for each whole-suite repeat that was added to decide."""
    not_comparable: tuple[str, ...] = ()
    """What differs in the fingerprint (judge, embedder, metric_version, language, mode)."""

    @property
    def change(self) -> float | None:
        return None if self.before is None or self.after is None else self.after - self.before


class ReasonCode(StrEnum):
    """Why the verdict is what it is; the report has a sentence for each, in each language."""

    CASES_REGRESSED = "cases_regressed"
    METRIC_REGRESSED = "metric_regressed"
    BELOW_MINIMUM = "below_minimum"
    CASES_REMOVED = "cases_removed"
    CASES_NEWLY_SKIPPED = "cases_newly_skipped"
    UNSCORED = "unscored"
    NOT_COMPARABLE = "not_comparable"
    BASELINE_UNSCORED = "baseline_unscored"
    """The baseline's stored answers had to be judged again, and some could not be: no comparison, or a weaker one."""
    SUSPECTS_NOT_CONFIRMED = "suspects_not_confirmed"
    NOTHING_EVALUATED = "nothing_evaluated"
    NOTHING_COMPARED = "nothing_compared"
    """There were scores, but none to compare with; `detail` names what kept the cases apart."""
    RUN_STOPPED = "run_stopped"
    WORKFLOW_CHANGED_DURING_RUN = "workflow_changed_during_run"
    NO_BASELINE = "no_baseline"
    ALL_WITHIN_TOLERANCE = "all_within_tolerance"
    ACCEPT_UNUSED = "accept_unused"
    ACCEPT_EXPIRED = "accept_expired"
    NO_SECRETS = "no_secrets"
    NOTHING_CHANGED = "nothing_changed"
    """Skipped on purpose: app, suite and settings do what the baseline's did."""
    METRIC_REMOVED = "metric_removed"
    """The baseline has a metric that this run did not measure."""
    METRIC_DROPPED = "metric_dropped"
    """Warning: a mean dropped by more than its tolerance, but that may be an accident."""
    FEW_PAIRS = "few_pairs"
    """Warning: under ten pairs, so that no mean was tested; `number` holds how many."""
    QUESTIONS_CHANGED = "questions_changed"
    """Warning: same id, another question: not compared."""
    CHECKS_CHANGED = "checks_changed"
    """Warning: `checks` were edited: they hold by another measure than the baseline's."""
    REFERENCES_CHANGED = "references_changed"
    """Warning: edited, and the stored answer was not judged again: not compared by metrics that need the reference."""
    MAYBE_RENAMED = "maybe_renamed"
    """Warning: a gone and a new case look like one; `cases` holds the old and the new id."""
    DRIFTED = "drifted"
    """Warning: allowed drops since the pinned baseline add up; `number` holds the change, `detail` since when."""


class Reason(_Plain):
    code: ReasonCode
    cases: tuple[str, ...] = ()
    metric: str | None = None
    number: float | None = None
    detail: str = ""


class Decision(_Plain):
    """The gate's whole finding. `reasons` explain the verdict, most important first; `warnings` change nothing."""

    verdict: Verdict
    reasons: tuple[Reason, ...]
    warnings: tuple[Reason, ...] = ()
    cases: tuple[CaseComparison, ...] = ()
    metrics: tuple[MetricComparison, ...] = ()

    def with_status(self, *statuses: CaseStatus) -> tuple[CaseComparison, ...]:
        return tuple(c for c in self.cases if c.status in statuses)
