"""What an OpenAI-compatible server's refusal means, and what a person should do about it. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import StrEnum

from ragjudge.errors import JudgeCouldNotScore, JudgeMisconfigured, JudgeOutOfQuota, RagjudgeError
from ragjudge.language import Text
from ragjudge.results.outcome import Cause

_LONGEST_WORDS = 300
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


_QUOTA = re.compile(
    r"insufficient_quota|billing|exceeded your current quota|credit balance|payment required", re.IGNORECASE
)
_FILTER = re.compile(
    r"content_?filter|content_policy|responsibleai|content management policy|safety system", re.IGNORECASE
)
_LENGTH = re.compile(
    r"context_length_exceeded|string_above_max_length|maximum context|context (length|window|size)|prompt is too long"
    r"|(input|prompt).{0,40}(too long|exceeds?.{0,40}(token|limit))|too many (input |prompt )?tokens|reduce the length",
    re.IGNORECASE,
)
_MODEL = re.compile(
    r"model_not_found|deploymentnotfound|model_deprecated|model_decommissioned|invalid_model|unknown_model"
    r"|(model|deployment)\b.{0,120}(does not exist|not found|not exist|deprecated|decommissioned|retired|no longer)"
    r"|no such model|unknown model|invalid model",
    re.IGNORECASE | re.DOTALL,
)


def kind_of(refusal: Refusal) -> Kind:
    """Told apart by code and words first: servers disagree on the status of almost everything."""
    words = f"{refusal.code} {refusal.type} {refusal.message}"
    if refusal.status == 402 or _QUOTA.search(f"{refusal.code} {refusal.type}"):
        return Kind.OUT_OF_QUOTA
    if refusal.status in (403, 429) and _QUOTA.search(words) and refusal.retry_after is None:
        return Kind.OUT_OF_QUOTA  # with a time to wait it is a limit per minute, whatever its words say
    if refusal.status == 401:
        return Kind.WRONG_KEY
    if refusal.status in (400, 403, 404, 413, 422) and (found := _of_client_error(refusal.status, words)):
        return found
    if refusal.status == 429:
        return Kind.RATE_LIMITED
    if refusal.status in (408, 409, 425) or refusal.status >= 500:
        return Kind.PASSING
    return Kind.OTHER


def _of_client_error(status: int, words: str) -> Kind | None:
    if _FILTER.search(words):
        return Kind.CONTENT_FILTER
    if _LENGTH.search(words) or status == 413:
        return Kind.TOO_LONG
    if status == 403:
        return Kind.WRONG_KEY
    if status == 404 or _MODEL.search(words):
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


def shortened(words: str, secrets: tuple[str, ...] = ()) -> str:
    """A server's words as they may be shown: on one line, short, and without any key."""
    for secret in secrets:
        if secret:
            words = words.replace(secret, "***")
    words = re.sub(r"\b(sk|key|api)-[\w*.\-]{6,}|(?i:bearer)\s+\S+", "***", words)
    words = " ".join(words.split())
    return words if len(words) <= _LONGEST_WORDS else words[: _LONGEST_WORDS - 1] + "…"


def as_error(refusal: Refusal, *, model: str, address: str, secrets: tuple[str, ...] = ()) -> RagjudgeError:
    """The error that a refusal means for the run (MustChange, CannotTell) or for one score (JudgeCouldNotScore)."""
    said = shortened(refusal.message, secrets) or f"HTTP {refusal.status}"
    match kind_of(refusal):
        case Kind.WRONG_KEY:
            return _wrong_key(address, said)
        case Kind.NO_MODEL:
            return _no_model(model, address, said)
        case Kind.OUT_OF_QUOTA:
            return JudgeOutOfQuota(
                Text(
                    f"The judge's quota is used up: {said}", f"評価用モデルの利用枠を使い切りました: {said}"
                ),
                hint=Text(
                    "Raise the limit or add credit at the provider, then run again.",
                    "提供元で上限の引き上げかクレジットの追加を行ってから、再実行してください。",
                ),
            )
        case kind:
            return _of_one_call(kind, refusal.status, said)


def _wrong_key(address: str, said: str) -> JudgeMisconfigured:
    return JudgeMisconfigured(
        Text(
            f"The judge at {address} refuses the key: {said}",
            f"評価用モデル ({address}) がキーを拒否しました: {said}",
        ),
        hint=Text(
            "Check judge-api-key (OPENAI_API_KEY) and that it belongs to this address.",
            "judge-api-key (OPENAI_API_KEY) と、そのキーがこの接続先のものかを確認してください。",
        ),
    )


def _no_model(model: str, address: str, said: str) -> JudgeMisconfigured:
    return JudgeMisconfigured(
        Text(
            f"The judge at {address} does not have the model {model!r} (any more): {said}",
            f"評価用モデル ({address}) に {model!r} がありません(提供終了の可能性があります): {said}",
        ),
        hint=Text(
            "Check judge.model and judge-base-url (it usually ends in /v1). If the model was retired, name another one "
            "and renew the baseline: `ragjudge baseline update`.",
            "judge.model と judge-base-url(通常は /v1 で終わります)を確認してください。モデルの提供が終了した場合は、"
            "別のモデルを指定し、`ragjudge baseline update` でベースラインを作り直してください。",
        ),
    )


def distrusted(address: str, said: str) -> JudgeMisconfigured:
    """The server's certificate is not vouched for by anyone we know."""
    return JudgeMisconfigured(
        Text(
            f"The certificate of {address} can't be verified: {said}",
            f"{address} の証明書を検証できません: {said}",
        ),
        hint=Text(
            "Give the PEM file of your certificate authority as ca-file.",
            "社内認証局のPEMファイルを ca-file に指定してください。",
        ),
    )


def unreachable(address: str, said: str) -> JudgeCouldNotScore:
    """No answer came this time."""
    return JudgeCouldNotScore(
        Text(
            f"The judge at {address} does not answer: {said}",
            f"評価用モデル ({address}) が応答しません: {said}",
        ),
        cause=Cause.JUDGE_UNREACHABLE,
        passing=True,
    )


def timed_out() -> JudgeCouldNotScore:
    return JudgeCouldNotScore(
        Text("The judge did not answer in time", "評価用モデルが制限時間内に応答しませんでした"),
        cause=Cause.JUDGE_TIMEOUT,
        passing=True,
    )


_OF_ONE_CALL: dict[Kind, tuple[Cause, bool, Text]] = {
    Kind.RATE_LIMITED: (
        Cause.JUDGE_RATE_LIMITED, True,
        Text("The judge refuses for too many requests", "評価用モデルがリクエスト過多として拒否しました"),
    ),
    Kind.CONTENT_FILTER: (
        Cause.JUDGE_CONTENT_FILTER, False,
        Text("The judge's content filter refuses this material", "評価用モデルのコンテンツフィルターに拒否されました"),
    ),
    Kind.TOO_LONG: (
        Cause.JUDGE_CONTEXT_TOO_LONG, False,
        Text("The material is too long for the judge", "評価用モデルに渡す内容が長すぎます"),
    ),
    Kind.PASSING: (
        Cause.JUDGE_ERROR, True,
        Text("The judge has trouble of its own", "評価用モデル側でエラーが発生しました"),
    ),
    Kind.OTHER: (
        Cause.JUDGE_ERROR, False,
        Text("The judge refuses the request", "評価用モデルがリクエストを拒否しました"),
    ),
}  # fmt: skip


def _of_one_call(kind: Kind, status: int, said: str) -> JudgeCouldNotScore:
    cause, passing, text = _OF_ONE_CALL[kind]
    what = Text(f"{text.en} (HTTP {status}): {said}", f"{text.ja} (HTTP {status}): {said}")
    return JudgeCouldNotScore(what, cause=cause, passing=passing)
