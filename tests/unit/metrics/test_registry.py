"""Which metrics a run has."""

import pytest

from ragjudge.errors import ConfigFault
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


def test_unknown_and_repeated_metrics_are_all_reported_with_a_suggestion():
    """One look at the message mends them all."""
    with pytest.raises(ConfigFault) as caught:
        build(MetricsSettings(use=("faithfullness", "correctness", "correctness")), "ja")
    message = caught.value.in_language("ja")
    assert "faithfulness の間違いではありませんか。" in message
    assert "correctness が重複しています。" in message
