"""The order in which people count: 2 before 10, q9 before q10."""

import re
from collections.abc import Iterable

NaturalKey = tuple[tuple[str | tuple[int, str], ...], str]
_NUMBER = re.compile(r"([0-9]+)")


def natural(case_id: str) -> NaturalKey:
    """A key for sorting ids: numbers inside by their value, of any length; equal ones (1, 01) by their spelling."""
    parts = _NUMBER.split(case_id)
    return tuple(_number(part) if at % 2 else part for at, part in enumerate(parts)), case_id


def by_id(case_ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(case_ids, key=natural))


def _number(digits: str) -> tuple[int, str]:
    """Compares as the number does, without making one of a thousand digits."""
    value = digits.lstrip("0")
    return len(value), value
