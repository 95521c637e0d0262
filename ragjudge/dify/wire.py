"""Typed looks into JSON that a server sent: whatever does not fit is absent, and nothing here raises."""

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation

_LONGEST_ID = 100
_MOST = 10**15
"""Larger counts are nonsense; unbounded ones would travel into every sum of a report."""


def mapping_of(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def list_of(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()


def text_of(value: object) -> str:
    """The text, or "" where there is none. Lone surrogates (JSON allows them) become U+FFFD."""
    return clean(value) if isinstance(value, str) else ""


def clean(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def name_of(value: object) -> str | None:
    """An id or a name; None for an empty or absent one."""
    return text_of(value) or None


def id_of(value: object) -> str:
    """An id; "" for none. What is longer than any id of Dify's is cut: it would stand in every result."""
    return text_of(value)[:_LONGEST_ID]


def count_of(value: object) -> int:
    """A count from 0; 0 for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return 0
    return min(_MOST, max(0, int(value)))


def number_of(value: object) -> float | None:
    """A finite number, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def amount_of(value: object) -> Decimal | None:
    """An amount of money; Dify writes it as a string."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        return None
    return amount if amount.is_finite() and 0 <= amount < _MOST else None
