"""Each built-in metric as plain data: its scale, what it needs and how much it may drop by default."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """What the rest of the product must know of a metric without importing it.

    `low`..`high` is the closed range of its values. `tolerance` is the allowed drop of the mean over the suite;
    `case_tolerance` is the drop of one case that makes it a suspect (None: single cases are not gated).
    """

    name: str
    low: float
    high: float
    needs_reference: bool
    needs_contexts: bool
    tolerance: float
    case_tolerance: float | None = None

    @property
    def span(self) -> float:
        return self.high - self.low


ANSWER_RELEVANCY = MetricSpec("answer_relevancy", 0.0, 1.0, False, False, tolerance=0.05)
FAITHFULNESS = MetricSpec("faithfulness", 0.0, 1.0, False, True, tolerance=0.05)
CONTEXT_RECALL = MetricSpec("context_recall", 0.0, 1.0, True, True, tolerance=0.05)
CONTEXT_PRECISION = MetricSpec("context_precision", 0.0, 1.0, True, True, tolerance=0.05)
CORRECTNESS = MetricSpec("correctness", 1.0, 5.0, True, False, tolerance=0.1, case_tolerance=1.5)

BUILT_IN: dict[str, MetricSpec] = {
    spec.name: spec
    for spec in (ANSWER_RELEVANCY, FAITHFULNESS, CONTEXT_RECALL, CONTEXT_PRECISION, CORRECTNESS)
}

CHECKS = MetricSpec("checks", 0.0, 1.0, False, False, tolerance=0.0, case_tolerance=1.0)
"""A suite's checks without a judge: 1 where all of a case hold, else 0. In a run only where a case has some."""

NEEDS_IMPROVEMENT = 3.0
"""A correctness of this or less is listed as "needs improvement" (the users' own scale)."""

VIEWPOINTS = ("accuracy", "coverage", "clarity", "appropriateness")
"""What correctness comments on, in report order (正確性・網羅性・明瞭性・適切性)."""
