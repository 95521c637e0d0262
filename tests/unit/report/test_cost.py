"""What a run cost, as the report adds it up."""

from decimal import Decimal

from ragjudge.report.view.model import CostView
from ragjudge.results.usage import Usage


def cost(**more) -> CostView:
    given = {"app": Usage(), "judge": Usage(), "took_s": 1.0, "asked_again": 0, "repaired": 0}
    return CostView(**{**given, **more})


def test_the_total_holds_the_judges_price_too():
    """A judge inside Dify states what it costs; it may cost more than the app."""
    paid = cost(
        app=Usage(calls=1, price=Decimal("0.0003"), currency="USD"),
        judge=Usage(calls=12, price=Decimal("0.22"), currency="USD"),
    )

    assert {"USD": Decimal("0.2203")} == paid.all.prices


def test_calls_of_no_metric_have_a_row_of_their_own():
    """Side-by-side comparisons and proposals: the rows add up to the sum above them."""
    judge = Usage(calls=52, prompt_tokens=5_200, completion_tokens=520)
    metrics = {"correctness": Usage(calls=12, prompt_tokens=1_200, completion_tokens=120)}

    assert (
        Usage(calls=40, prompt_tokens=4_000, completion_tokens=400)
        == cost(judge=judge, metrics=metrics).beside_metrics
    )
    assert Usage() == cost(judge=judge).beside_metrics
