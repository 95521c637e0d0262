"""Trouble with a model's server as the errors of the run or of one score, each with its cure. Pure."""

import re

from ragjudge.errors import JudgeCouldNotScore, JudgeMisconfigured, JudgeOutOfQuota, RagjudgeError
from ragjudge.judge.refusals import Kind, Refusal, kind_of
from ragjudge.language import Text
from ragjudge.redaction import Redactor
from ragjudge.results.outcome import Cause

_LONGEST_WORDS = 300


def shortened(words: str, secrets: tuple[str, ...] = ()) -> str:
    """A server's words as they may be shown: on one line, short, and without any key."""
    words = Redactor(secrets)(words)  # before anything is cut: half a key is one, too
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


def truncated() -> JudgeCouldNotScore:
    return JudgeCouldNotScore(
        Text("The judge's output was truncated", "評価用モデルの出力が途中で切れました"),
        cause=Cause.JUDGE_REPLY_TRUNCATED,
    )


def filtered(said: str) -> JudgeCouldNotScore:
    """The server gave a completion that says no."""
    words = f": {said}" if said else ""
    return JudgeCouldNotScore(
        Text(
            f"The judge's content filter refuses this material{words}",
            f"評価用モデルのコンテンツフィルターに拒否されました{words}",
        ),
        cause=Cause.JUDGE_CONTENT_FILTER,
    )


def no_completion(address: str, said: str) -> JudgeCouldNotScore:
    """The server answered 200 with something else."""
    return JudgeCouldNotScore(
        Text(
            f"{address} does not answer like an OpenAI-compatible server: {said}",
            f"{address} の応答がOpenAI互換サーバーの形式ではありません: {said}",
        ),
        cause=Cause.JUDGE_ERROR,
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
    Kind.NO_ROOM: (
        Cause.JUDGE_CONTEXT_TOO_LONG, False,
        Text("The material leaves the judge no room to reply", "評価用モデルに渡す内容が長く、返答の余地がありません"),
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
