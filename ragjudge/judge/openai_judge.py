"""A judge behind any OpenAI-compatible server."""

from collections.abc import Sequence
from random import Random

from pydantic import BaseModel

from ragjudge.errors import (
    CaseFailure,
    JudgeCouldNotScore,
    JudgeMisconfigured,
    JudgeUnreachable,
    RagjudgeError,
)
from ragjudge.judge.completion import Completion, NotACompletion, completion_of
from ragjudge.judge.dialect import Dialect, Request, body
from ragjudge.judge.door import Address, Door, Refused, Silent
from ragjudge.judge.limiter import Limiter
from ragjudge.judge.patience import Passing, Patience
from ragjudge.judge.refusals import (
    Kind,
    as_error,
    distrusted,
    kind_of,
    shortened,
    timed_out,
    unreachable,
)
from ragjudge.judge.repair import ask_again, judged
from ragjudge.language import Text
from ragjudge.ports import Clock, JudgeReply, JudgeTask, R
from ragjudge.results.fingerprint import JudgeIdentity
from ragjudge.results.outcome import Cause
from ragjudge.results.usage import Usage
from ragjudge.settings import JudgeSettings

_PROBE_PATIENCE_S = 15.0
_ABOUT_THE_REQUEST = (400, 415, 422)


class _Ready(BaseModel):
    ready: bool


_PROBE = Request(
    name="probe",
    system="You answer with JSON only.",
    user='Reply with the JSON object {"ready": true}.',
    reply=_Ready,
)


class OpenAIJudge:
    """Asks a model at temperature 0 for replies that fit a schema; learns what the model refuses and remembers it.

    `identity` is final after `probe`.
    """

    def __init__(
        self, settings: JudgeSettings, *, ca_file: str | None = None, clock: Clock, random: Random
    ) -> None:
        self._model = settings.model or ""
        self._timeout_s = settings.timeout_s
        self._clock = clock
        self._random = random
        self._limiter = Limiter(settings.concurrency)
        self._address = Address(settings.base_url, settings.api_key, settings.api_version, ca_file)
        self._door = Door(self._address, most_connections=settings.concurrency)
        self._dialect = Dialect()
        self._heard = False
        self._served_model = ""

    @property
    def identity(self) -> JudgeIdentity:
        served = {"served_model": self._served_model} if self._served_model not in ("", self._model) else {}
        return JudgeIdentity(
            provider="openai", model=self._model, parameters={**self._dialect.parameters, **served}
        )

    async def warm(self) -> None:
        """Import the client library ahead of the first call, beside whatever else goes on."""
        await self._door.open()

    async def probe(self) -> None:
        """One cheap call. Raises JudgeMisconfigured, JudgeOutOfQuota or JudgeUnreachable."""
        if not self._model:
            raise JudgeMisconfigured(
                Text("judge.model is not set.", "judge.model が設定されていません。"),
                hint=Text("Name the model that shall judge.", "評価に使うモデル名を指定してください。"),
            )
        patience = self._patience(min(self._timeout_s, _PROBE_PATIENCE_S))
        try:
            completion, _ = await self._whole(_PROBE, patience, order=-1)
        except CaseFailure as error:
            raise self._at_the_probe(error) from None
        self._served_model = completion.model

    async def ask(self, task: JudgeTask[R]) -> JudgeReply[R]:
        patience = self._patience(self._timeout_s)
        used = Usage()

        async def say(turns: Sequence[str]) -> str | None:
            nonlocal used
            request = Request(task.name, task.system, task.user, task.reply, tuple(turns))
            completion, usage = await self._whole(request, patience, order=task.order)
            used += usage
            return completion.text

        understood = await ask_again(say, task)
        return JudgeReply(understood.value, used, judged(understood.notes, self._dialect.notes))

    async def close(self) -> None:
        await self._door.close()

    def _patience(self, seconds: float) -> Patience:
        return Patience(seconds, clock=self._clock, random=self._random)

    async def _whole(self, request: Request, patience: Patience, *, order: int) -> tuple[Completion, Usage]:
        """A completion that was neither cut nor filtered; cut ones get one more try with a higher limit."""
        used = Usage()
        for _ in range(2):
            completion, asked = await patience.through(lambda: self._one(request, patience, order=order))
            used += completion.usage
            if completion.finish == "content_filter" or (completion.refusal and not completion.text):
                raise _filtered(completion)
            if completion.finish != "length":
                return completion, used
            if asked.most_tokens >= self._dialect.most_tokens:
                higher = self._dialect.with_higher_limit()
                if higher is None:
                    break
                self._dialect = higher
        raise JudgeCouldNotScore(
            Text("The judge's output was truncated", "評価用モデルの出力が途中で切れました"),
            cause=Cause.JUDGE_REPLY_TRUNCATED,
        )

    async def _one(self, request: Request, patience: Patience, *, order: int) -> tuple[Completion, Dialect]:
        """One call that was answered, and the dialect that the model took."""
        while True:
            try:
                await self._door.open()
                async with self._limiter.turn(order), patience.counted():
                    dialect = self._dialect
                    answer = await self._door.post("/chat/completions", body(request, dialect, self._model))
                completion = completion_of(answer)
            except Refused as refused:
                self._learn(refused, dialect)
            except Silent as silent:
                said = shortened(str(silent), self._secrets)
                if silent.distrusted:
                    raise distrusted(self._address.shown, said) from None
                raise Passing(unreachable(self._address.shown, said)) from None
            except TimeoutError:
                raise timed_out() from None
            except NotACompletion as error:
                raise self._no_completion(str(error)) from None
            else:
                self._heard = True
                return completion, dialect

    def _learn(self, refused: Refused, tried: Dialect) -> None:
        """Change the dialect where the refusal is about it; otherwise raise what the refusal means."""
        refusal = refused.refusal
        kind = kind_of(refusal)
        error = as_error(refusal, model=self._model, address=self._address.shown, secrets=self._secrets)
        if kind in (Kind.PASSING, Kind.RATE_LIMITED):
            raise Passing(error, retry_after=refusal.retry_after)
        if kind is not Kind.OTHER or refusal.status not in _ABOUT_THE_REQUEST:
            raise error
        if tried is not self._dialect:
            return  # another call has learned something meanwhile
        other = tried.without_what_was_refused(param=refusal.param, message=refusal.message)
        if other is None and not self._heard:
            other = tried.plainer()
        if other is None:
            raise error
        self._dialect = other

    @property
    def _secrets(self) -> tuple[str, ...]:
        return (self._address.api_key.get_secret_value(),)

    def _no_completion(self, said: str) -> JudgeCouldNotScore:
        said, where = shortened(said, self._secrets), self._address.shown
        return JudgeCouldNotScore(
            Text(
                f"{where} does not answer like an OpenAI-compatible server: {said}",
                f"{where} の応答がOpenAI互換サーバーの形式ではありません: {said}",
            ),
            cause=Cause.JUDGE_ERROR,
        )

    def _at_the_probe(self, error: CaseFailure) -> RagjudgeError:
        """What a failed call means before the run: a judge that can't be asked, for now or as configured."""
        if error.passing:
            hint = Text(
                "Check judge-base-url and the network, or try again later.",
                "judge-base-url とネットワークを確認するか、時間をおいて再実行してください。",
            )
            return JudgeUnreachable(error.what, hint=hint)
        if error.cause in (Cause.JUDGE_REPLY_TRUNCATED, Cause.JUDGE_CONTENT_FILTER):
            return JudgeUnreachable(error.what)
        hint = Text(
            "Check judge.model and judge-base-url (it usually ends in /v1).",
            "judge.model と judge-base-url(通常は /v1 で終わります)を確認してください。",
        )
        return JudgeMisconfigured(error.what, hint=hint)


def _filtered(completion: Completion) -> JudgeCouldNotScore:
    said = f": {shortened(completion.refusal)}" if completion.refusal else ""
    return JudgeCouldNotScore(
        Text(
            f"The judge's content filter refuses this material{said}",
            f"評価用モデルのコンテンツフィルターに拒否されました{said}",
        ),
        cause=Cause.JUDGE_CONTENT_FILTER,
    )
