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
from ragjudge.judge.address import Address
from ragjudge.judge.chat import Chat, Judgement, with_spent
from ragjudge.judge.dialect import Request
from ragjudge.judge.patience import Patience
from ragjudge.judge.repair import ask_again, judged
from ragjudge.language import Text
from ragjudge.ports import Clock, JudgeReply, JudgeTask, R
from ragjudge.results.fingerprint import JudgeIdentity
from ragjudge.results.outcome import Cause
from ragjudge.settings import JudgeSettings

_PROBE_PATIENCE_S = 15.0


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
        address = Address(settings.base_url, settings.api_key, settings.api_version, ca_file)
        self._problem = address.problem
        self._model = settings.model or ""
        self._chat = Chat(address, model=self._model, concurrency=settings.concurrency)
        self._timeout_s = settings.timeout_s
        self._clock = clock
        self._random = random
        self._served_model = ""

    @property
    def identity(self) -> JudgeIdentity:
        """`served_model` is the model that the server said it used, where that is not the configured name."""
        served = {"served_model": self._served_model} if self._served_model not in ("", self._model) else {}
        parameters = {**self._chat.dialect.parameters, **served}
        return JudgeIdentity(provider="openai", model=self._model, parameters=parameters)

    async def probe(self) -> None:
        """One cheap call. Raises JudgeMisconfigured, JudgeOutOfQuota or JudgeUnreachable."""
        if not self._model:
            raise JudgeMisconfigured(
                Text("judge.model is not set.", "judge.model が設定されていません。"),
                hint=Text("Name the model that shall judge.", "評価に使うモデル名を指定してください。"),
            )
        if self._problem is not None:
            raise JudgeMisconfigured(self._problem)
        try:
            completion = await self._chat.complete(
                _PROBE, self._judgement(min(self._timeout_s, _PROBE_PATIENCE_S), order=-1)
            )
        except CaseFailure as error:
            raise _at_the_probe(error) from None
        self._served_model = completion.model

    async def ask(self, task: JudgeTask[R]) -> JudgeReply[R]:
        judgement = self._judgement(self._timeout_s, order=task.order, leads=task.leads)

        async def say(turns: Sequence[str]) -> str | None:
            request = Request(task.name, task.system, task.user, task.reply, tuple(turns))
            return (await self._chat.complete(request, judgement)).text

        try:
            understood = await ask_again(say, task)
        except JudgeCouldNotScore as error:
            raise with_spent(error, judgement.used) from None
        return JudgeReply(
            understood.value, judgement.used, judged(understood.notes, self._chat.dialect.notes)
        )

    async def close(self) -> None:
        await self._chat.close()

    def _judgement(self, seconds: float, *, order: int, leads: bool = False) -> Judgement:
        return Judgement(Patience(seconds, clock=self._clock, random=self._random), order, leads)


def _at_the_probe(error: CaseFailure) -> RagjudgeError:
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
