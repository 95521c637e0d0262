"""Which metrics a run has: built from the settings, described for the fingerprint."""

from collections.abc import Sequence

from ragjudge.language import Language
from ragjudge.metrics.answer_relevancy import AnswerRelevancy
from ragjudge.metrics.base import Metric
from ragjudge.metrics.checks_hold import ChecksHold
from ragjudge.metrics.context_precision import ContextPrecision
from ragjudge.metrics.context_recall import ContextRecall
from ragjudge.metrics.correctness import Correctness
from ragjudge.metrics.economic import (
    ContextReviewer,
    EconomicAnswerRelevancy,
    EconomicContextPrecision,
    EconomicContextRecall,
    EconomicFaithfulness,
)
from ragjudge.metrics.faithfulness import Faithfulness
from ragjudge.metrics.prompting import Prompts
from ragjudge.metrics.rubric import Rubric
from ragjudge.metrics.shared import SharedCalls
from ragjudge.settings import MetricsSettings


def build(
    settings: MetricsSettings,
    language: Language,
    *,
    allow: Sequence[str] = (),
    checks: bool = False,
    prompts: Prompts | None = None,
) -> tuple[Metric, ...]:
    """The run's metrics in report order: the built-in ones, the team's own, and the checks where `checks` is set.

    `allow` is `judge.allow`. `prompts` only to repeat a prompt to the letter. Names are checked with the settings.
    """
    prompts = prompts or Prompts(language)
    ragas = _economic(settings, prompts) if settings.mode == "economic" else _standard(settings, prompts)
    built_in: tuple[Metric, ...] = (*ragas, Correctness(prompts, allow=tuple(allow)))
    return (
        *(metric for metric in built_in if metric.spec.name in settings.use),
        *(Rubric(prompts, custom) for custom in settings.custom),
        *([ChecksHold()] if checks else []),
    )


def _standard(settings: MetricsSettings, prompts: Prompts) -> tuple[Metric, ...]:
    return (
        AnswerRelevancy(prompts, questions=settings.relevancy_questions),
        Faithfulness(prompts),
        ContextRecall(prompts),
        ContextPrecision(prompts),
    )


def _economic(settings: MetricsSettings, prompts: Prompts) -> tuple[Metric, ...]:
    reviewer = ContextReviewer(prompts, SharedCalls())
    return (
        EconomicAnswerRelevancy(prompts, questions=settings.relevancy_questions),
        EconomicFaithfulness(prompts),
        EconomicContextRecall(reviewer),
        EconomicContextPrecision(reviewer),
    )


def describe(metrics: Sequence[Metric]) -> dict[str, str]:
    """Metric name → version, for `Fingerprint.metrics`."""
    return {metric.spec.name: metric.version for metric in metrics}
