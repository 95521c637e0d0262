"""HOW to run: the typed settings, and how ragjudge.yml, inputs, environment and flags become them."""

from ragjudge.settings.config_file import language_of
from ragjudge.settings.loading import CONFIG_NAME, Loaded, load, suite_of
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
from ragjudge.settings.origin import Layer, Origin
from ragjudge.settings.protection import Changed, Protected, protect
from ragjudge.settings.requirements import require
from ragjudge.settings.rules import known_metrics

__all__ = [
    "CONFIG_NAME",
    "NO_KEY",
    "Accept",
    "AppSettings",
    "BaselineSettings",
    "BudgetSettings",
    "Changed",
    "CustomMetric",
    "DslSettings",
    "EmbeddingSettings",
    "GateSettings",
    "JudgeSettings",
    "Layer",
    "Loaded",
    "MetricsSettings",
    "Origin",
    "Protected",
    "ReportSettings",
    "Settings",
    "known_metrics",
    "language_of",
    "load",
    "protect",
    "require",
    "suite_of",
]
