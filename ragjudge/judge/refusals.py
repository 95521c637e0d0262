"""What kind of refusal an OpenAI-compatible server gave, by what can be done about it. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import StrEnum

_LONGEST_WAIT_S = 60.0


class Kind(StrEnum):
    """What kind of refusal it is, by what can be done about it."""

    PASSING = "passing"
    RATE_LIMITED = "rate_limited"
    WRONG_KEY = "wrong_key"
    NO_MODEL = "no_model"
    OUT_OF_QUOTA = "out_of_quota"
    CONTENT_FILTER = "content_filter"
    TOO_LONG = "too_long"
    NO_ROOM = "no_room"
    """The material and the room asked for the reply do not fit together."""
    OTHER = "other"
    """The request itself was refused: a parameter, or something that no rule here knows."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error answer of the server, as far as it says anything. `retry_after` is in seconds."""

    status: int
    code: str = ""
    type: str = ""
    param: str = ""
    message: str = ""
    retry_after: float | None = None


class Refused(Exception):
    """The server answered with an error."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class Silent(Exception):
    """No answer came: not reachable, connection lost. The message is for people.

    `distrusted`: the server showed a certificate that nobody here vouches for; waiting will not help.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.distrusted = "CERTIFICATE_VERIFY_FAILED" in why


def innermost(error: BaseException) -> str:
    """The first cause, which names the host or the certificate; a library's own words say neither."""
    cause = error
    while inner := cause.exceptions[0] if isinstance(cause, BaseExceptionGroup) else _behind(cause):
        cause = inner
    return str(cause) or type(cause).__name__


def _behind(error: BaseException) -> BaseException | None:
    return error.__cause__ or error.__context__


_QUOTA = re.compile(
    r"insufficient_quota|exceeded your current quota|credit balance|payment required", re.IGNORECASE
)
_BILLING = re.compile(r"billing", re.IGNORECASE)
_RATE = re.compile(r"rate.?limit|too.?many.?requests|throttl", re.IGNORECASE)
_FILTER = re.compile(
    r"content_?filter|content_policy|responsibleai|content management policy|safety system", re.IGNORECASE
)
_LENGTH = re.compile(
    r"context_length_exceeded|string_above_max_length|maximum context|context (length|window|size)|prompt is too long"
    r"|(input|prompt).{0,40}(too long|exceeds?.{0,40}(token|limit))|too many (input |prompt )?tokens|reduce the length",
    re.IGNORECASE,
)
_ROOM = re.compile(
    r"in the completion|max_new_tokens\W{1,2}must be"
    r"|max_(completion_|output_)?tokens.{0,80}context (length|window|limit)",
    re.IGNORECASE | re.DOTALL,
)
_MODEL = re.compile(
    r"model_not_found|deploymentnotfound|model_deprecated|model_decommissioned|invalid_model|unknown_model"
    r"|(model|deployment)\b.{0,120}(does not exist|not found|not exist|deprecated|decommissioned|retired|no longer)"
    r"|no such model|unknown model|invalid model",
    re.IGNORECASE | re.DOTALL,
)


def kind_of(refusal: Refusal) -> Kind:
    """Told apart by code and words first: servers disagree on the status of almost everything."""
    code, words = f"{refusal.code} {refusal.type}", f"{refusal.code} {refusal.type} {refusal.message}"
    if refusal.status == 402 or _QUOTA.search(code) or _BILLING.search(code):
        return Kind.OUT_OF_QUOTA
    if refusal.status in (403, 429) and refusal.retry_after is None and _speaks_of_money(code, words):
        return Kind.OUT_OF_QUOTA  # with a time to wait it is a limit per minute, whatever its words say
    if refusal.status == 401:
        return Kind.WRONG_KEY
    if refusal.status in (400, 403, 404, 410, 413, 422) and (
        found := _of_client_error(refusal.status, words)
    ):
        return found
    if refusal.status == 429:
        return Kind.RATE_LIMITED
    if refusal.status in (408, 409, 425) or refusal.status >= 500:
        return Kind.PASSING
    return Kind.OTHER


def _speaks_of_money(code: str, words: str) -> bool:
    """A code that names a rate limit wins over words; words about a rate limit only over a page on billing."""
    if _RATE.search(code):
        return False
    return bool(_QUOTA.search(words) or (_BILLING.search(words) and not _RATE.search(words)))


def _of_client_error(status: int, words: str) -> Kind | None:
    if _FILTER.search(words):
        return Kind.CONTENT_FILTER
    if _ROOM.search(words):
        return Kind.NO_ROOM
    if _LENGTH.search(words) or status == 413:
        return Kind.TOO_LONG
    if status == 403:
        return Kind.WRONG_KEY
    if status in (404, 410) or _MODEL.search(words):
        return Kind.NO_MODEL
    return None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait as the server asks, at most a minute: a number, a fraction or a date (against its own clock)."""
    milliseconds, seconds = headers.get("retry-after-ms"), headers.get("retry-after")
    for text, unit in ((milliseconds, 0.001), (seconds, 1.0)):
        if text is not None and re.fullmatch(r"\s*\d{1,9}(\.\d{1,9})?\s*", text):
            return min(float(text) * unit, _LONGEST_WAIT_S)
    if seconds is None or "date" not in headers:
        return None
    try:
        wait = (parsedate_to_datetime(seconds) - parsedate_to_datetime(headers["date"])).total_seconds()
    except (ValueError, TypeError):
        return None
    return min(max(wait, 0.0), _LONGEST_WAIT_S)


def refusal_of(status: int, content: object, headers: Mapping[str, str], *, otherwise: str) -> Refusal:
    """What an error answer says: OpenAI's form, its neighbours' forms, or plain text.

    `content` is the whole body, decoded where it is JSON; `otherwise` are the words where it has none.
    """
    body = content if isinstance(content, dict) else {"error": content}
    error = body.get("error")
    told = error if isinstance(error, dict) else body
    inner = told.get("innererror")
    code = str(told.get("code") or "")
    if isinstance(inner, dict):
        code = f"{code} {inner.get('code') or ''}".strip()
    words = told.get("message") or told.get("detail") or (error if error is not told else "") or otherwise
    return Refusal(
        status=status,
        code=code,
        type=str(told.get("type") or ""),
        param=str(told.get("param") or ""),
        message=str(words),
        retry_after=retry_after(headers),
    )
