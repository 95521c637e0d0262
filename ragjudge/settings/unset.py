"""Keys without a value: a known one is not set, an unknown one is a fault as it is with any value.

Above all `minimum: {correctness:3.5}`: without a space after the colon YAML reads one key, and the floor is gone.
"""

from collections.abc import Iterator, Sequence

from ragjudge.errors import Place, Problem
from ragjudge.language import Text
from ragjudge.settings import typing_problems
from ragjudge.settings.config_file import Path
from ragjudge.settings.models import Settings
from ragjudge.settings.rules import Where, known_metrics, no_such_metric
from ragjudge.settings.suggestions import space_after_colon

_BY_METRIC = (("gate", "tolerance"), ("gate", "case_tolerance"), ("gate", "minimum"))
_NOT_LISTED = ("api_key",)
"""Known, but never suggested."""


def problems(paths: Sequence[Path], settings: Settings, where: Where) -> Iterator[Problem]:
    """One for every key that is not known. `settings` tell the names of the team's own metrics."""
    metrics = known_metrics(settings)
    for path in paths:
        key, fields = path[-1], typing_problems.fields_at(Settings, path[:-1])
        if fields and key not in (*fields, *_NOT_LISTED):
            yield typing_problems.unknown(path, Settings, where(*path))
        elif path[:-1] in _BY_METRIC and key not in metrics:
            yield no_such_metric(str(key), metrics, where(*path))
        elif not fields and (cure := space_after_colon(str(key))):
            yield without_value(typing_problems.dotted(path), where(*path), cure)


def without_value(name: str, place: Place | None, cure: Text | None) -> Problem:
    return Problem(Text(f"{name!r} has no value.", f"「{name}」に値がありません。"), place, cure)
