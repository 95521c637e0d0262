"""Which metrics a run has: built from the settings, described for the fingerprint."""

from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches

from ragjudge.errors import ConfigFault, Problem
from ragjudge.language import Language, Text
from ragjudge.metric_specs import BUILT_IN
from ragjudge.metrics.answer_relevancy import AnswerRelevancy
from ragjudge.metrics.base import Metric
from ragjudge.metrics.context_precision import ContextPrecision
from ragjudge.metrics.context_recall import ContextRecall
from ragjudge.metrics.correctness import Correctness
from ragjudge.metrics.faithfulness import Faithfulness
from ragjudge.metrics.prompting import Prompts
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
    metrics: tuple[Metric, ...] = (
        AnswerRelevancy(prompts, questions=settings.relevancy_questions),
        Faithfulness(prompts),
        ContextRecall(prompts),
        ContextPrecision(prompts),
        Correctness(prompts, allow=tuple(allow)),
    )
    return tuple(metric for metric in metrics if metric.spec.name in settings.use)


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
                        f"metrics.use names {name} more than once", f"metrics.use に {name} が重複しています。"
                    )
                )
            )
    return problems
