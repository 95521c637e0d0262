"""Reading loosely typed data (YAML, JSON bodies) without trusting its shape."""

from typing import TypeAlias

JsonObject: TypeAlias = dict[str, object]


def mapping(value: object) -> JsonObject:
    """The value as an object; empty where it is something else."""
    return {str(key): item for key, item in value.items()} if isinstance(value, dict) else {}


def items(value: object) -> list[object]:
    """The value as a list; empty where it is something else."""
    return list(value) if isinstance(value, list | tuple) else []


def text(value: object, default: str = "") -> str:
    """The value as text; `default` where it is absent or no scalar."""
    return str(value) if isinstance(value, str | int | float) else default


def number(value: object) -> float | None:
    """The value as a number; None where it is absent or no number."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
