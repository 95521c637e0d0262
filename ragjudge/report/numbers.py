"""How numbers are written, the same in every report. A true minus sign, never "-0.00"."""

from collections.abc import Sequence
from decimal import Decimal

from ragjudge.language import Language
from ragjudge.metric_specs import BUILT_IN, CHECKS, CORRECTNESS

MINUS = "−"
UNCHANGED = "±"
"""How a change begins that rounds to nothing."""
NONE = "–"
"""Stands where there is no number."""
FULL_STAR, EMPTY_STAR = "★", "☆"
BARS = "▁▂▃▄▅▆▇█"
FLAT = 0.01
"""Means that lie closer together than this are drawn as a level line."""
WIDE_SPAN = 1.5
"""Scales wider than this (1–5) are written with one decimal less than 0–1 scales."""


def span(metric: str) -> float:
    """The width of a metric's scale; a team's own metric is taken for one of 1–5."""
    spec = CHECKS if metric == CHECKS.name else BUILT_IN.get(metric, CORRECTNESS)
    return spec.span


def decimals_of_mean(metric: str) -> int:
    """Decimals of a mean over the suite: a change just over a tolerance of 0.05 must show as such."""
    return 3 if span(metric) <= WIDE_SPAN else 2


def score(metric: str, value: float | None) -> str:
    """One case's score: `0.83` on a 0–1 scale, `4` or `3.7` on a wide one."""
    if value is None:
        return NONE
    decimals = decimals_of_mean(metric) - 1
    text = _fixed(value, decimals)
    return text.removesuffix(".0") if decimals == 1 else text


def mean(metric: str, value: float | None) -> str:
    return NONE if value is None else _fixed(value, decimals_of_mean(metric))


def change_of_score(metric: str, value: float | None) -> str:
    if value is None:
        return NONE
    decimals = decimals_of_mean(metric) - 1
    text = _signed(value, decimals)
    return text.removesuffix(".0") if decimals == 1 else text


def change_of_mean(metric: str, value: float | None) -> str:
    return NONE if value is None else _signed(value, decimals_of_mean(metric))


def interval(metric: str, low: float | None, high: float | None) -> str:
    """`[−0.081, −0.012]`; empty where there is none, or nothing moved."""
    if low is None or high is None:
        return ""
    ends = change_of_mean(metric, low), change_of_mean(metric, high)
    return "" if all(end.startswith(UNCHANGED) for end in ends) else f"[{', '.join(ends)}]"


def limit(value: float | None) -> str:
    """A tolerance or a minimum as the user wrote it: `0.05`, `1.5`, `3`."""
    return (
        NONE if value is None else _no_minus_zero(f"{value:.4f}".rstrip("0").rstrip(".")).replace("-", MINUS)
    )


def stars(value: float | None) -> str:
    """A 1–5 score as stars, rounded half up: 3 → ★★★☆☆. Empty where there is none."""
    if value is None:
        return ""
    full = min(5, max(0, int(value + 0.5)))
    return FULL_STAR * full + EMPTY_STAR * (5 - full)


def count(value: int) -> str:
    return f"{value:,}"


def seconds(value: float, language: Language) -> str:
    """`0.8 s`, `42 s`, `3 min 05 s`, `1 h 02 min`; `0.8秒`, `42秒`, `3分05秒`, `1時間02分`."""
    hour, minute, second = ("時間", "分", "秒") if language == "ja" else (" h", " min", " s")
    gap = "" if language == "ja" else " "
    if value < 10:
        return f"{max(value, 0):.1f}{second}"
    whole = int(value + 0.5)
    if whole < 60:
        return f"{whole}{second}"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes}{minute}{gap}{rest:02d}{second}"
    return f"{minutes // 60}{hour}{gap}{minutes % 60:02d}{minute}"


def money(currency: str, price: Decimal) -> str:
    """Two decimals, or as many as a small price needs: `1.20 USD`, `0.0042 USD`."""
    small = 0 < abs(price) < Decimal("0.01")
    amount = f"{price:.4f}" if small else f"{price:,.2f}"
    return f"{amount} {currency}" if currency else amount


def _fixed(value: float, decimals: int) -> str:
    return _no_minus_zero(f"{value:.{decimals}f}").replace("-", MINUS)


def _signed(value: float, decimals: int) -> str:
    text = f"{value:+.{decimals}f}"
    if float(text) == 0:
        return UNCHANGED + text[1:]
    return text.replace("-", MINUS)


def _no_minus_zero(text: str) -> str:
    return text[1:] if text.startswith("-") and float(text) == 0 else text


def group_mean(value: float) -> str:
    """A mean over part of the suite: two decimals on every scale, as its sample is small."""
    return _fixed(value, 2)


def change_of_group(value: float) -> str:
    return _signed(value, 2)


def sparkline(points: Sequence[float | None]) -> str:
    """One bar per point between the lowest and the highest; a dot where there is none: `▁▃▅·▇`."""
    known = [point for point in points if point is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    if high - low < FLAT:
        low, high = low - FLAT, low + FLAT
    steps = len(BARS) - 1
    return "".join("·" if p is None else BARS[round((p - low) / (high - low) * steps)] for p in points)
