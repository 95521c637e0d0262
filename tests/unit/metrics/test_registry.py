"""Which metrics a run has."""

from ragjudge.metric_specs import BUILT_IN
from ragjudge.metrics.registry import build, describe
from ragjudge.settings import MetricsSettings


def test_all_five_metrics_are_built_by_default_in_report_order():
    """Ragas' four, then correctness."""
    assert [metric.spec.name for metric in build(MetricsSettings(), "ja")] == list(BUILT_IN)


def test_every_metric_has_a_version_of_its_own_that_the_language_changes():
    """Prompts in another language give scores that are not comparable."""
    ja, en = describe(build(MetricsSettings(), "ja")), describe(build(MetricsSettings(), "en"))
    assert len(set(ja.values())) == 5
    assert all(ja[name] != en[name] for name in ja)


def test_versions_are_the_same_in_the_next_process():
    """Nothing random enters a fingerprint."""
    assert describe(build(MetricsSettings(), "ja")) == describe(build(MetricsSettings(), "ja"))


def test_the_number_of_generated_questions_is_part_of_the_version():
    """A mean of one question is not compared with a mean of three."""
    one = describe(build(MetricsSettings(relevancy_questions=1), "ja"))
    assert one["answer_relevancy"] != describe(build(MetricsSettings(), "ja"))["answer_relevancy"]
