"""How long to wait before another try. Pure."""

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_FIRST_S = 0.5
_MOST_S = 30.0


def retry_after(value: str | None, *, now: datetime) -> float | None:
    """Seconds that a `Retry-After` asks for: whole or fractional seconds, or an HTTP date. None: unusable."""
    text = (value or "").strip()
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        return _until(text, now)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _until(text: str, now: datetime) -> float | None:
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    return max(0.0, (at - now).total_seconds())


def backoff(failures: int, *, chance: float) -> float:
    """Exponential, with jitter: `chance` from 0 to 1 places it between half and the whole of 0.5 s × 2ⁿ⁻¹, ≤ 30 s."""
    whole = min(_MOST_S, _FIRST_S * 2.0 ** max(0, min(failures - 1, 30)))
    return whole * (0.5 + 0.5 * chance)


def room_backoff(refusals: int, *, chance: float) -> float:
    """For an app that takes no more at once: a slot gets free whenever another answer ends. 0.1 s doubling to 2 s."""
    return min(2.0, 0.1 * 2.0 ** min(refusals - 1, 10)) * (0.5 + 0.5 * chance)
