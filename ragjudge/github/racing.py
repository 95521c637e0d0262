"""Two runs that write the same comment at the same time: the newer run's report stays, but for a gap named below.

GitHub has no compare-and-swap for comments. So each run looks once more after it has written: a newer run that was
overwritten writes again, an older run whose second comment came beside a newer's takes its own away. That look is
served later than the other's write unless the other was held up in between for longer than `SETTLE_S`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import JsonValue

from ragjudge.errors import RagjudgeError
from ragjudge.github.api import GitHubApi
from ragjudge.github.marker import Marker

SETTLE_S = 0.25
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Written:
    """`answer` is GitHub's description of the comment. `overtaken`: a newer run's report stands there instead."""

    answer: JsonValue
    overtaken: bool = False


def overwrite(api: GitHubApi, path: str, body: str, marker: Marker) -> Written:
    """Updates the comment at `path` unless, or until, a newer run's report is in it."""
    if (found := _marker_at(api, path)) is not None and found.is_newer_than(marker):
        return Written(None, overtaken=True)
    answer: JsonValue = None
    for _ in range(ROUNDS):
        answer = api.send("PATCH", path, {"body": body})
        api.pause(SETTLE_S)
        found = _marker_at(api, path)
        if found is None or not marker.is_newer_than(found):
            break
    return Written(answer, overtaken=found is not None and found.is_newer_than(marker))


def stay_or_leave(api: GitHubApi, path: str, newest: Callable[[], Marker | None], marker: Marker) -> bool:
    """For a comment just made at `path`: True where it stays, False where it was removed for a newer run's."""
    api.pause(SETTLE_S)
    try:
        found = newest()
        if found is None or not found.is_newer_than(marker):
            return True
        api.send("DELETE", path)
    except RagjudgeError:
        return True  # two comments are better than none
    return False


def _marker_at(api: GitHubApi, path: str) -> Marker | None:
    """None where it can't be told: what was written counts then."""
    try:
        found = api.get(path)
    except RagjudgeError:
        return None
    body = found.get("body") if isinstance(found, dict) else None
    return Marker.of(body) if isinstance(body, str) else None
