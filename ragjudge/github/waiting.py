"""When to try a GitHub call again, and after how long: GitHub's published rules as a pure function.

https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#handle-rate-limit-errors-appropriately
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Protocol

FIRST_PAUSE_S = 1.0
SECONDARY_PAUSE_S = 60.0
"""GitHub asks for at least one minute where a secondary limit names no time."""
LONGEST_PAUSE_S = 120.0
TRIES = 4
"""Calls in all; a secondary limit without a named time is tried three times at most."""


class SyncClock(Protocol):
    """Wall clock in seconds since 1970 (UTC), and a way to wait."""

    def now(self) -> float: ...

    def sleep(self, seconds: float) -> None: ...


class SystemClock:
    def now(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


@dataclass(frozen=True, slots=True)
class Reply:
    """What decides about another try. Header names are lower-case."""

    status: int
    headers: Mapping[str, str]
    message: str


def pause_before_retry(reply: Reply, *, tries: int, now: float, repeatable: bool) -> float | None:
    """Seconds to wait before the next try, or None when the answer is final.

    `tries` counts the calls made so far, from 1. `repeatable` is False where a 5xx may have done its work.
    A wait longer than LONGEST_PAUSE_S is no wait at all: the job would only sit there.
    """
    if tries >= TRIES:
        return None
    if reply.status >= 500:
        return _bounded(_named_pause(reply, now) or FIRST_PAUSE_S * 2 ** (tries - 1)) if repeatable else None
    if reply.status not in (403, 429):
        return None
    named = _named_pause(reply, now)
    if named is not None:
        return _bounded(named)
    if reply.headers.get("x-ratelimit-remaining") == "0":
        return _bounded(_seconds_until_reset(reply, now))
    if reply.status == 429 or "secondary rate limit" in reply.message.lower():
        return SECONDARY_PAUSE_S if tries < TRIES - 1 else None
    return None


def pause_after_no_answer(*, tries: int) -> float | None:
    return FIRST_PAUSE_S * 2 ** (tries - 1) if tries < TRIES else None


def _named_pause(reply: Reply, now: float) -> float | None:
    """`Retry-After` as seconds (also fractions) or as an HTTP date."""
    value = reply.headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            when = parsedate_to_datetime(value)
        except ValueError:
            return None
        seconds = when.replace(tzinfo=when.tzinfo or UTC).timestamp() - now
    return max(seconds, 0.0) if seconds == seconds else None  # noqa: PLR0124 - NaN is not equal to itself


def _seconds_until_reset(reply: Reply, now: float) -> float:
    reset = reply.headers.get("x-ratelimit-reset", "")
    return max(int(reset) - now, 0.0) + 1.0 if reset.isascii() and reset.isdigit() else SECONDARY_PAUSE_S


def _bounded(seconds: float) -> float | None:
    return seconds if seconds <= LONGEST_PAUSE_S else None
