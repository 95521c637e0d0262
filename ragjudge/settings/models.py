"""HOW to run: the typed form of ragjudge.yml, the action's inputs, flags and keys from the environment.

Only `app.base_url`, a suite and a judge are needed. Keys never stand in the file; they are `SecretStr` here so
that no repr or traceback shows them.
"""

from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, SecretStr

from ragjudge.language import Language
from ragjudge.metric_specs import BUILT_IN

NO_KEY = SecretStr("")


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class AppSettings(_Section):
    """The Dify app that is asked."""

    base_url: str = ""
    """Service API address, ending in `/v1`."""
    api_key: SecretStr = NO_KEY
    inputs: dict[str, JsonValue] = {}
    """Templates for the app's variables, e.g. `{Entity: "${entity}"}`; a case's own `inputs` win."""
    user: str = "ragjudge"
    concurrency: int = Field(default=10, ge=1, le=100)
    """Most questions in flight; the connector starts at 4 and adapts."""
    timeout_s: float = Field(default=120.0, gt=0)
    """Wall clock per question, re-asks included."""
    cleanup: Literal["passed", "all", "none"] = "passed"
    response_mode: Literal["streaming", "blocking"] = "streaming"
    """`blocking` shows no nodes and no workflow version of a chatflow; agents stream in any case."""
    judge_turns: Literal["last", "every"] = "last"
    """`every`: earlier turns of a conversation that have a reference or checks of their own are judged, too."""
    answer: str | None = None
    """Workflow and completion apps: which output is the answer, e.g. `outputs.text`."""
    contexts: str | None = None
    """Workflow apps: which output holds the passages, e.g. `outputs.chunks`."""
    workflow_id: str | None = None
    """Pins a published version."""
    datasets: tuple[str, ...] = ()
    """Ids of knowledge bases to search apart where an answer shows no passages; needs `dataset_key`."""
    dataset_key: SecretStr = NO_KEY
    """Knowledge API key, from DIFY_DATASET_KEY."""


class JudgeSettings(_Section):
    """Who grades."""

    provider: Literal["openai", "dify", "offline"] | None = None
    model: str | None = None
    base_url: str | None = None
    api_key: SecretStr = NO_KEY
    api_version: str | None = None
    """Azure OpenAI only."""
    language: Literal["auto", "ja", "en"] = "auto"
    allow: tuple[str, ...] = ()
    """Differences from the reference that never cost points, in the team's own words."""
    concurrency: int = Field(default=10, ge=1, le=500)
    cache: bool = True
    """Remember verdicts in `<out>/cache`: the same answer is not judged twice."""
    timeout_s: float = Field(default=120.0, gt=0)


class EmbeddingSettings(_Section):
    """Vectors for answer relevancy; offline n-gram vectors where no model is named."""

    model: str | None = None
    base_url: str | None = None
    api_key: SecretStr = NO_KEY
    api_version: str | None = None
    """Azure OpenAI only, where it is not the judge's."""


class CustomMetric(_Section):
    """A team's own rubric, without code."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    rubric: str
    scale: tuple[int, int] = (1, 5)
    needs_contexts: bool = False
    needs_reference: bool = False
    tolerance: float | None = None
    minimum: float | None = None
    examples: tuple[dict[str, JsonValue], ...] = ()


class MetricsSettings(_Section):
    use: tuple[str, ...] = tuple(BUILT_IN)
    mode: Literal["standard", "economic"] = "standard"
    custom: tuple[CustomMetric, ...] = ()
    relevancy_questions: int = Field(default=3, ge=1, le=10)
    """Questions generated per answer for answer relevancy (Ragas' `strictness`)."""
    pairwise: bool = False
    """Judge each answer beside the baseline's as well, in both orders (two calls per case whose answer changed)."""


class GateSettings(_Section):
    """When a check fails. On a pull request this section is read from the base branch."""

    tolerance: dict[str, float] = {}
    """Allowed drop of each metric's mean, on its own scale; defaults in metric_specs."""
    case_tolerance: dict[str, float] = {}
    """A drop of this or more makes a case a suspect; default: correctness 1.5."""
    max_regressed_cases: int = Field(default=0, ge=0)
    minimum: dict[str, float] = {}
    """Absolute floors of the means."""
    confirm: int = Field(default=2, ge=0, le=10)
    max_unscored: int = Field(default=0, ge=0)
    extra_budget: float = Field(default=0.3, ge=0)
    on_incomparable: Literal["fail", "warn"] = "fail"


class Accept(_Section):
    """An intended change, reviewed in the pull request, with an end."""

    case: str
    metric: str | None = None
    reason: str
    until: date


class BaselineSettings(_Section):
    store: str = "file:ragjudge-baseline.json"
    repeats: int = Field(default=3, ge=1, le=20)
    store_answers: bool = True


class ReportSettings(_Section):
    language: Language = "ja"
    details: bool = True
    suggest: bool = False
    content: Literal["full", "scores"] = "full"
    check_run: bool = False
    """GitHub: an entry of our own among the commit's checks; the job needs `checks: write`."""


class DslSettings(_Section):
    files: tuple[str, ...] = ()
    severity: dict[str, Literal["error", "warning", "off"]] = {}
    """How much each rule of the check weighs; names and defaults are in docs/dsl.md."""
    skip_unchanged: bool = False
    bisect: bool = False
    """Where cases got worse and several things changed: try each change alone, as a preview app (docs/preview.md)."""
    preview: bool = False
    """Judge the DSL itself, imported as an app of its own for the time of the run; needs console credentials."""
    console_url: str = ""
    """Dify's console where it has another address than the service API."""


class BudgetSettings(_Section):
    judge_tokens: int | None = Field(default=None, ge=1)
    questions: int | None = Field(default=None, ge=1)


class Settings(_Section):
    """The whole configuration of one run, after all layers were joined."""

    suite: tuple[str, ...] = ()
    """Paths or globs; `book.xlsx#シート名` names a sheet."""
    columns: dict[str, str] = {}
    """Column title in the file → field of a case, for titles that ragjudge does not know."""
    app: AppSettings = AppSettings()
    judge: JudgeSettings = JudgeSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    metrics: MetricsSettings = MetricsSettings()
    gate: GateSettings = GateSettings()
    accept: tuple[Accept, ...] = ()
    baseline: BaselineSettings = BaselineSettings()
    report: ReportSettings = ReportSettings()
    dsl: DslSettings = DslSettings()
    budget: BudgetSettings = BudgetSettings()
    repeats: int = Field(default=1, ge=1, le=20)
    """Whole-suite repeats of a check."""
    ca_file: str | None = None
    """PEM file of a private certificate authority, for all servers."""
