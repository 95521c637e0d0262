"""A server's no → whose fault it is: the configuration's, the case's or the moment's.

Dify's HTTP status and code do not tell (provider errors and the limit of concurrent requests are both
`400 invalid_param`), so the words decide; docs/dify.md lists which of them were seen on which version.
"""

import re
from dataclasses import dataclass

from ragjudge.dify import words
from ragjudge.dify.ending import Refusal
from ragjudge.dify.redaction import page_title, said
from ragjudge.dify.words import Words
from ragjudge.errors import AppCouldNotAnswer, AppMisconfigured, AppOutOfQuota, AppUnreachable, RagjudgeError
from ragjudge.results.outcome import Cause


@dataclass(frozen=True, slots=True)
class Verdict:
    """`error` is what to raise; `again` tells that the same request may be sent again before any event came."""

    error: RagjudgeError
    again: bool = False
    throttled: bool = False
    """The app's limit of concurrent requests: wait and go slower, however often."""
    allowed: int | None = None
    """That limit, where the server names it."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """The first rule that fits decides. Empty conditions fit everything."""

    words: Words
    kind: type[RagjudgeError]
    codes: frozenset[str] = frozenset()
    statuses: frozenset[int] = frozenset()
    pattern: re.Pattern[str] | None = None
    cause: Cause = Cause.APP_ERROR
    again: bool = False
    """Another try may help: at once before any event, else in the run's second pass."""
    page: bool | None = None

    def fits(self, refusal: Refusal) -> bool:
        return (
            (not self.codes or refusal.code in self.codes)
            and (not self.statuses or refusal.status in self.statuses)
            and (self.pattern is None or self.pattern.search(refusal.message) is not None)
            and (self.page is None or refusal.is_page == self.page)
        )


_TOO_MANY = re.compile(r"(?i)\btoo many requests\b|maximum concurrent requests")
_ALLOWED = re.compile(r"maximum concurrent requests allowed for \S+ is (\d{1,6})\b")
_GATEWAY = frozenset({502, 503, 504, 520, 521, 522, 523, 524, 530})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


def _says(pattern: str) -> re.Pattern[str]:
    """Searched in the message; what ends a whole run only where Dify says it, at the beginning.

    A tool or a model may say anything after "Run failed: …".
    """
    return re.compile(pattern, re.IGNORECASE)


def _codes(*names: str) -> frozenset[str]:
    return frozenset(names)


_RULES: tuple[_Rule, ...] = (
    _Rule(words.REDIRECTED, AppMisconfigured, statuses=_REDIRECTS),
    _Rule(
        words.PROXY_PAGE,
        AppCouldNotAnswer,
        statuses=_GATEWAY,
        page=True,
        cause=Cause.APP_UNREACHABLE,
        again=True,
    ),
    _Rule(words.FORBIDDEN, AppMisconfigured, statuses=frozenset({401, 403, 407}), page=True),
    _Rule(words.NO_SUCH_API, AppMisconfigured, statuses=frozenset({404, 405, 410}), page=True),
    _Rule(words.WRONG_KEY, AppMisconfigured, statuses=frozenset({401})),
    _Rule(
        words.API_OFF,
        AppMisconfigured,
        statuses=frozenset({403}),
        pattern=_says(r"api service has been disabled"),
    ),
    _Rule(words.FORBIDDEN, AppMisconfigured, statuses=frozenset({403})),
    _Rule(words.UNPUBLISHED, AppMisconfigured, pattern=_says(r"^workflow not published")),
    _Rule(words.UNPUBLISHED, AppMisconfigured, codes=_codes("app_unavailable", "agent_not_published")),
    _Rule(
        words.WRONG_MODE,
        AppMisconfigured,
        codes=_codes("not_chat_app", "not_workflow_app", "not_completion_app"),
    ),
    _Rule(
        words.PINNED_UNKNOWN,
        AppMisconfigured,
        pattern=_says(r"^workflow not found with id|^invalid workflow_id|^cannot use draft workflow version"),
    ),
    _Rule(
        words.OUT_OF_QUOTA,
        AppOutOfQuota,
        codes=_codes("provider_quota_exceeded", "rate_limit_error"),
    ),
    _Rule(
        words.OUT_OF_QUOTA,
        AppOutOfQuota,
        pattern=_says(r"insufficient_quota|exceeded your current quota|quota for .{0,80} has been exhausted"),
    ),
    _Rule(
        words.PROVIDER_NOT_SET_UP,
        AppMisconfigured,
        codes=_codes("provider_not_initialize", "model_currently_not_support"),
    ),
    _Rule(
        words.PROVIDER_NOT_SET_UP,
        AppMisconfigured,
        pattern=_says(
            r"\] incorrect model credentials|\binvokeauthorizationerror\b"
            r"|^(?:run failed: )?(?:provider \S+ does not exist|(?:incorrect|invalid) api key"
            r"|(?:\[[^\]]*\] [a-z ]*error\b.{0,200})?\bmodel \S+ (?:does )?not exist)"
        ),
    ),
    _Rule(words.TOO_MANY, AppCouldNotAnswer, pattern=_TOO_MANY, cause=Cause.APP_RATE_LIMITED, again=True),
    _Rule(
        words.TOO_MANY, AppCouldNotAnswer, statuses=frozenset({429}), cause=Cause.APP_RATE_LIMITED, again=True
    ),
    _Rule(
        words.MODEL_BUSY,
        AppCouldNotAnswer,
        pattern=_says(r"\] rate limit error"),
        cause=Cause.APP_RATE_LIMITED,
        again=True,
    ),
    _Rule(
        words.MODEL_DOWN,
        AppCouldNotAnswer,
        pattern=_says(
            r"\] (?:server unavailable|connection) error|plugin daemon service failed"
            r"|^(?:run failed: )?internal server error-5"
        ),
        again=True,
    ),
    _Rule(
        words.INPUT_REFUSED,
        AppCouldNotAnswer,
        pattern=_says(
            r"in input form|input payload validation failed|validation errors? for \w+payload|query is required"
            r"|context_length_exceeded|maximum context length"
        ),
        cause=Cause.APP_INPUT_REFUSED,
    ),
    _Rule(
        words.INPUT_REFUSED,
        AppCouldNotAnswer,
        codes=_codes(
            "file_too_large", "unsupported_file_type", "too_many_files", "no_file_uploaded", "file_not_found"
        ),
        cause=Cause.APP_INPUT_REFUSED,
    ),
    _Rule(words.INPUT_REFUSED, AppCouldNotAnswer, statuses=frozenset({413}), cause=Cause.APP_INPUT_REFUSED),
    _Rule(words.SERVER_ERROR, AppCouldNotAnswer, statuses=_GATEWAY, cause=Cause.APP_UNREACHABLE, again=True),
    _Rule(words.PROXY_PAGE, AppCouldNotAnswer, page=True),
    _Rule(words.SERVER_ERROR, AppCouldNotAnswer, statuses=frozenset(range(500, 600)), again=True),
)
_ELSE = _Rule(words.APP_FAILED, AppCouldNotAnswer)


def judge(refusal: Refusal, *, secret: str = "") -> Verdict:
    """What to raise for a refusal, and whether sending the same request again makes sense."""
    rule = next((rule for rule in _RULES if rule.fits(refusal)), _ELSE)
    allowed = _ALLOWED.search(refusal.message)
    throttled = rule.words is words.TOO_MANY
    return Verdict(
        failure(rule.words, rule.kind, said=quoted(refusal, secret), cause=rule.cause, passing=rule.again),
        again=rule.again,
        throttled=throttled,
        allowed=int(allowed[1]) if throttled and allowed else None,
    )


def failure(
    spoken: Words,
    kind: type[RagjudgeError],
    *,
    said: str = "",
    cause: Cause = Cause.APP_ERROR,
    passing: bool = False,
) -> RagjudgeError:
    """An error of the tree with the words, the server's own among them."""
    what = spoken.what_with(said)
    if issubclass(kind, AppCouldNotAnswer):
        return kind(what, cause=cause, passing=passing, hint=spoken.cure)
    return kind(what, hint=spoken.cure)


def for_all(error: RagjudgeError) -> RagjudgeError:
    """The same trouble, met by a call that every question depends on."""
    return AppUnreachable(error.what, hint=error.hint) if isinstance(error, AppCouldNotAnswer) else error


def quoted(refusal: Refusal, secret: str) -> str:
    """The server's words, cut and redacted, after its status."""
    words_of_server = page_title(refusal.message) if refusal.is_page else refusal.message
    shown = said(words_of_server or refusal.code, secret=secret)
    if refusal.status in (0, 200):
        return shown
    return f"HTTP {refusal.status}: {shown}" if shown else f"HTTP {refusal.status}"
