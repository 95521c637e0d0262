"""Which metrics a run has: built from the settings, described for the fingerprint."""

from collections.abc import Sequence

from ragjudge.language import Language
from ragjudge.metric_specs import BUILT_IN
from ragjudge.metrics.answer_relevancy import AnswerRelevancy
from ragjudge.metrics.base import Metric
from ragjudge.metrics.context_precision import ContextPrecision
from ragjudge.metrics.context_recall import ContextRecall
from ragjudge.metrics.correctness import Correctness
from ragjudge.metrics.faithfulness import Faithfulness
from ragjudge.metrics.prompting import Prompts
from ragjudge.settings import MetricsSettings


def build(settings: MetricsSettings, language: Language, *, allow: Sequence[str] = ()) -> tuple[Metric, ...]:
    """The run's metrics in report order (the built-in ones first). `allow` is `judge.allow`.

    Raises ConfigFault naming every unknown or repeated metric.
    """
    prompts = Prompts(language)
    made: dict[str, Metric] = {}
    for metric in (
        AnswerRelevancy(prompts, questions=settings.relevancy_questions),
        Faithfulness(prompts),
        ContextRecall(prompts),
        ContextPrecision(prompts),
        Correctness(prompts, allow=tuple(allow)),
    ):
        made[metric.spec.name] = metric
    return tuple(made[name] for name in BUILT_IN if name in settings.use)


def describe(metrics: Sequence[Metric]) -> dict[str, str]:
    """Metric name → version, for `Fingerprint.metrics`."""
    return {metric.spec.name: metric.version for metric in metrics}
