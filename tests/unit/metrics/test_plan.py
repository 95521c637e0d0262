"""The cost of a run before it costs anything."""

from ragjudge.metrics.costs import estimated_tokens
from ragjudge.metrics.plan import plan
from ragjudge.metrics.prompting import Prompts
from ragjudge.metrics.registry import build
from ragjudge.settings import MetricsSettings
from tests import builders

METRICS = build(MetricsSettings(), "ja")


def calls(cases, contexts=5):
    planned = plan(cases, METRICS, contexts_per_case=contexts)
    return {one.metric: one.calls for one in planned.per_metric}


def test_a_case_with_five_contexts_costs_twelve_calls():
    """3 questions + 2 for faithfulness + 1 for recall + 5 contexts + 1 grade."""
    assert calls([builders.case()]) == {
        "answer_relevancy": 3,
        "faithfulness": 2,
        "context_recall": 1,
        "context_precision": 5,
        "correctness": 1,
    }


def test_the_number_of_contexts_changes_precision_alone():
    """One call per context."""
    assert calls([builders.case()], contexts=2)["context_precision"] == 2


def test_a_case_without_a_reference_costs_no_reference_metric():
    """What does not apply is not counted."""
    planned = calls([builders.case(reference=None)])
    assert planned == {
        "answer_relevancy": 3,
        "faithfulness": 2,
        "context_recall": 0,
        "context_precision": 0,
        "correctness": 0,
    }


def test_skipped_cases_and_deselected_metrics_cost_nothing():
    """A case may name a subset of the metrics."""
    cases = [builders.case(skip="later"), builders.case("2", metrics=("correctness",))]
    planned = plan(cases, METRICS)
    assert planned.calls == 1
    assert [one.cases for one in planned.per_metric] == [0, 0, 0, 0, 1]


def test_tokens_grow_with_cases_and_contexts():
    """The estimate counts instructions, material and replies."""
    one = plan([builders.case()], METRICS, contexts_per_case=5)
    two = plan([builders.case(), builders.case("2")], METRICS, contexts_per_case=5)
    ten = plan([builders.case()], METRICS, contexts_per_case=10)
    assert two.tokens == 2 * one.tokens
    assert ten.tokens > one.tokens
    assert all(metric.tokens > metric.prompt_tokens > 0 for metric in one.per_metric)


def test_japanese_costs_about_a_token_per_character_and_english_a_quarter():
    """The rule of thumb behind the estimate."""
    assert estimated_tokens("有給休暇") == 4
    assert estimated_tokens("paid leave!!") == 3


def test_pairs_cost_at_most_two_calls_per_case():
    """Both orders; the plan says so before anything is spent."""
    planned = plan([builders.case(), builders.case("2", skip="later")], METRICS, pairs=Prompts("ja"))
    assert planned.per_metric[-1].metric == "pairwise"
    assert planned.per_metric[-1].calls == 2
