"""HOW to run: the typed settings, and how ragjudge.yml, inputs, environment and flags become them."""

from ragjudge.settings.models import (
    NO_KEY,
    Accept,
    AppSettings,
    BaselineSettings,
    BudgetSettings,
    CustomMetric,
    DslSettings,
    EmbeddingSettings,
    GateSettings,
    JudgeSettings,
    MetricsSettings,
    ReportSettings,
    Settings,
)

__all__ = [
    "NO_KEY",
    "Accept",
    "AppSettings",
    "BaselineSettings",
    "BudgetSettings",
    "CustomMetric",
    "DslSettings",
    "EmbeddingSettings",
    "GateSettings",
    "JudgeSettings",
    "MetricsSettings",
    "ReportSettings",
    "Settings",
]
