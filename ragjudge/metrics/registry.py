"""Which metrics a run has: built from the settings, described for the fingerprint."""

from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches

from ragjudge.errors import ConfigFault, Problem
from ragjudge.language import Language, Text
from ragjudge.metric_specs import BUILT_IN, MetricSpec
from ragjudge.metrics.answer_relevancy import AnswerRelevancy
from ragjudge.metrics.base import Metric
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
from ragjudge.metrics.rubric import Rubric, problems_of, spec_of
from ragjudge.metrics.shared import SharedCalls
from ragjudge.settings import MetricsSettings


def build(
    settings: MetricsSettings,
    language: Language,
    *,
    allow: Sequence[str] = (),
    prompts: Prompts | None = None,
) -> tuple[Metric, ...]:
    """The run's metrics in report order. `allow` is `judge.allow`; `prompts` only to repeat a prompt to the letter.

    Raises ConfigFault naming every unknown or repeated metric.
    """
    problems = list(_problems(settings))
    if problems:
        raise ConfigFault(problems)
    prompts = prompts or Prompts(language)
    ragas = _economic(settings, prompts) if settings.mode == "economic" else _standard(settings, prompts)
    built_in: tuple[Metric, ...] = (*ragas, Correctness(prompts, allow=tuple(allow)))
    return (
        *(metric for metric in built_in if metric.spec.name in settings.use),
        *(Rubric(prompts, custom) for custom in settings.custom),
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


def specs(settings: MetricsSettings) -> dict[str, MetricSpec]:
    """Every metric of a run by name, the teams' own included, in report order."""
    return {
        **{name: spec for name, spec in BUILT_IN.items() if name in settings.use},
        **{custom.name: spec_of(custom) for custom in settings.custom},
    }


def minimums(settings: MetricsSettings) -> dict[str, float]:
    """The floors that teams wrote beside their own rubrics; `gate.minimum` wins over them."""
    return {custom.name: custom.minimum for custom in settings.custom if custom.minimum is not None}


def describe(metrics: Sequence[Metric]) -> dict[str, str]:
    """Metric name → version, for `Fingerprint.metrics`."""
    return {metric.spec.name: metric.version for metric in metrics}


def _problems(settings: MetricsSettings) -> list[Problem]:
    problems = []
    for name in dict.fromkeys(settings.use):
        if name in BUILT_IN:
            continue
        near = get_close_matches(name, BUILT_IN, n=1)
        cure = Text(f"Did you mean {near[0]}?", f"{near[0]} の間違いではありませんか。") if near else None
        what = Text(
            f"metrics.use names an unknown metric: {name}", f"metrics.use の指標 {name} は存在しません。"
        )
        problems.append(Problem(what, cure=cure))
    for name, times in Counter(settings.use).items():
        if times > 1:
            problems.append(
                Problem(
                    Text(
                        f"metrics.use names {name} more than once",
                        f"metrics.use に {name} が重複しています。",
                    )
                )
            )
    return [*problems, *problems_of(settings.custom)]
