"""The published formulas, as pure functions. Sources and worked examples: docs/metrics.md.

Ragas is https://github.com/vibrantlabsai/ragas, version 0.4.3 (`ragas.metrics.collections`).
"""

import math
from collections.abc import Sequence
from operator import mul


def share(verdicts: Sequence[bool]) -> float:
    """Positive verdicts ÷ all verdicts, 0 to 1. Ragas' faithfulness and context recall.

    Raises ValueError without a verdict: nothing out of nothing is no score.
    """
    if not verdicts:
        raise ValueError("no verdicts")
    return sum(verdicts) / len(verdicts)


def average_precision(verdicts: Sequence[bool]) -> float:
    """Mean, over the useful contexts, of the precision at their ranks; 0 to 1. Ragas' context precision.

    Best rank first. 0 where no context is useful, exactly 1 where all are: Ragas adds 1e-10 to the denominator
    against division by zero and so stays just below. Raises ValueError without a verdict.
    """
    if not verdicts:
        raise ValueError("no verdicts")
    hits = 0
    precisions = []
    for rank, useful in enumerate(verdicts, start=1):
        if useful:
            hits += 1
            precisions.append(hits / rank)
    return math.fsum(precisions) / hits if hits else 0.0


def relevancy(similarities: Sequence[float], non_committal: Sequence[bool]) -> float:
    """Mean similarity of the generated questions, or 0 where every one was called non-committal.

    Ragas' answer relevancy. A mean cosine below 0 stays below 0, as there. Raises ValueError without a similarity.
    """
    if not similarities:
        raise ValueError("no similarities")
    if all(non_committal):
        return 0.0
    return math.fsum(similarities) / len(similarities)


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """Cosine of the angle between two vectors, −1 to 1.

    Raises ValueError where it is not defined: lengths differ, a zero vector, a number that is not finite.
    """
    if len(a) != len(b):
        raise ValueError(f"vectors of {len(a)} and {len(b)} numbers")
    a, b = _scaled(a), _scaled(b)
    norm = math.sqrt(math.fsum(map(mul, a, a))) * math.sqrt(math.fsum(map(mul, b, b)))
    return max(-1.0, min(1.0, math.fsum(map(mul, a, b)) / norm))


def _scaled(vector: Sequence[float]) -> list[float]:
    # A common factor leaves the angle alone, and keeps squares away from overflow and underflow.
    largest = max(map(abs, vector), default=0.0)
    if not all(map(math.isfinite, vector)):
        raise ValueError("a vector with a number that is not finite")
    if largest == 0.0:
        raise ValueError("a zero vector")
    return [x / largest for x in vector]
