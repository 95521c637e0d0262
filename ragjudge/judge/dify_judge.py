"""A Dify app of the team's own as the judge, for companies whose only models are inside Dify.

The app gets the whole task as its question (chat, chatflow) or in its text variable (completion, workflow) and
replies with JSON. Each judgement is a conversation of its own, so that none colours the next; all are deleted at the
end.
"""

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress

from ragjudge.engine.cleanup import forget_users
from ragjudge.errors import (
    AppMisconfigured,
    AppOutOfQuota,
    AppUnreachable,
    CaseFailure,
    JudgeCouldNotScore,
    JudgeMisconfigured,
    JudgeOutOfQuota,
    JudgeUnreachable,
    RagjudgeError,
)
from ragjudge.judge.limiter import Limiter
from ragjudge.judge.refusals import Kind, Refusal, kind_of
from ragjudge.judge.repair import ask_again
from ragjudge.judge.reply_schema import instruction
from ragjudge.language import Language, Text
from ragjudge.ports import AppQuestion, ChatApp, JudgeReply, JudgeTask, R
from ragjudge.results.answer import Answer
from ragjudge.results.fingerprint import JudgeIdentity
from ragjudge.results.outcome import Cause
from ragjudge.results.usage import Usage
from ragjudge.settings import JudgeSettings

USER = "ragjudge-judge"
_PROBE = 'Reply with the JSON object {"ready": true} and nothing else.'
_EARLIER = Text("Your earlier reply:", "前回の返答:")
_TIDY_S = 60.0
_TIDY_IN_A_HURRY_S = 5.0
_MODEL_IS_GONE = Text(
    "Choose another model in the judge app, publish it and renew the baseline: `ragjudge baseline update`.",
    "評価用アプリで別のモデルを選んで公開し、`ragjudge baseline update` でベースラインを作り直してください。",
)
_CAUSES = {
    Cause.APP_TIMEOUT: Cause.JUDGE_TIMEOUT,
    Cause.APP_UNREACHABLE: Cause.JUDGE_UNREACHABLE,
    Cause.APP_STREAM_CUT: Cause.JUDGE_UNREACHABLE,
    Cause.APP_RATE_LIMITED: Cause.JUDGE_RATE_LIMITED,
}
_OF_THE_MODEL = {
    Kind.CONTENT_FILTER: Cause.JUDGE_CONTENT_FILTER,
    Kind.TOO_LONG: Cause.JUDGE_CONTEXT_TOO_LONG,
    Kind.NO_ROOM: Cause.JUDGE_CONTEXT_TOO_LONG,
}
"""What the model behind the app said no to, as far as the words that Dify passes on tell."""
_SETTINGS = {
    "DIFY_API_KEY": "DIFY_JUDGE_API_KEY",
    "dify-api-key": "judge-api-key",
    **{f"app.{name}": f"judge.{name}" for name in ("base_url", "concurrency", "timeout_s")},
}
_SETTING = re.compile("|".join(map(re.escape, _SETTINGS)))
_OF_THE_RUN: dict[type[RagjudgeError], type[RagjudgeError]] = {
    AppMisconfigured: JudgeMisconfigured,
    AppOutOfQuota: JudgeOutOfQuota,
    AppUnreachable: JudgeUnreachable,
}


class DifyJudge:
    """Grades by asking `app`. `identity` is final after `probe`: it names the app, its version and its models.

    `run_id` tells this run's conversations from those of others at the same app.
    """

    def __init__(self, app: ChatApp, settings: JudgeSettings, *, run_id: str = "0") -> None:
        self._app = app
        self._run_id = run_id
        self._users: dict[str, None] = {}
        self._limiter = Limiter(settings.concurrency)
        self._identity = JudgeIdentity(provider="dify", model=settings.model or "")

    @property
    def identity(self) -> JudgeIdentity:
        return self._identity

    async def probe(self) -> None:
        """One question. Raises JudgeMisconfigured, JudgeOutOfQuota or JudgeUnreachable."""
        try:
            app = await self._app.probe()
            answer = await self._asked(_PROBE, sample="probe", order=-1)
        except CaseFailure as error:
            raise JudgeUnreachable(_of_the_judge(error.what), hint=_cure(error)) from None
        except tuple(_OF_THE_RUN) as error:
            raise _as_the_judges(error) from None
        told = {"mode": app.mode, "workflow_id": answer.workflow_id or "", "models": ", ".join(answer.models)}
        self._identity = JudgeIdentity(
            provider="dify",
            model=self._identity.model or app.name,
            parameters={name: value for name, value in told.items() if value},
        )

    async def ask(self, task: JudgeTask[R]) -> JudgeReply[R]:
        used = Usage()

        async def say(turns: Sequence[str]) -> str:
            nonlocal used
            answer = await self._asked(
                _question(task, turns, task.language), sample=task.sample, order=task.order, leads=task.leads
            )
            used += answer.usage.model_copy(update={"calls": answer.asks})
            return answer.text

        try:
            understood = await ask_again(say, task)
        except tuple(_OF_THE_RUN) as error:
            raise _as_the_judges(error) from None
        return JudgeReply(understood.value, used, understood.notes)

    async def close(self) -> None:
        """Leave no conversation in the app's log, as far as a minute allows; after a cancel, some seconds."""
        task = asyncio.current_task()
        hurried = task is not None and task.cancelling() > 0
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(_TIDY_IN_A_HURRY_S if hurried else _TIDY_S):
                    await forget_users(self._app, list(self._users))
        finally:
            await self._app.close()

    async def _asked(self, query: str, *, sample: str, order: int, leads: bool = False) -> Answer:
        user = f"{USER}-{self._run_id}-{order}"
        question = AppQuestion(case_id="judge", attempt=sample, query=query, inputs={}, user=user)
        async with self._limiter.turn(order, leads=leads):
            self._users[user] = None
            try:
                return await self._app.ask(question)
            except JudgeCouldNotScore:
                raise
            except CaseFailure as error:
                raise _of_one_call(error) from None


def _question(task: JudgeTask[R], turns: Sequence[str], language: Language) -> str:
    """The whole task in one message; a repair repeats it with the earlier reply."""
    parts = [task.system.strip(), instruction(task.reply), task.user.strip()]
    if turns:
        reply, request = turns
        parts += [f"{_EARLIER.in_language(language)}\n{reply}", request]
    return "\n\n".join(parts)


def _of_one_call(error: CaseFailure) -> RagjudgeError:
    """What the app could not do, told of the judge: a model that is gone ends the run, the rest costs one score."""
    what, hint = _of_the_judge(error.what), _cure(error)
    cause = Cause(error.cause) if error.cause in set(Cause) else Cause.APP_ERROR
    if cause not in (Cause.APP_ERROR, Cause.APP_INPUT_REFUSED):
        return JudgeCouldNotScore(
            what, cause=_CAUSES.get(cause, Cause.JUDGE_ERROR), passing=error.passing, hint=hint
        )
    kind = kind_of(Refusal(400, message=error.what.en))
    if kind is Kind.NO_MODEL:
        return JudgeMisconfigured(what, hint=_MODEL_IS_GONE)
    if kind in _OF_THE_MODEL:
        return JudgeCouldNotScore(what, cause=_OF_THE_MODEL[kind], hint=hint)
    return JudgeCouldNotScore(what, cause=Cause.JUDGE_ERROR, passing=error.passing, hint=hint)


def _as_the_judges(error: RagjudgeError) -> RagjudgeError:
    """The same trouble, told of the judge's app and not of the app under test."""
    kind = next(ours for theirs, ours in _OF_THE_RUN.items() if isinstance(error, theirs))
    return kind(_of_the_judge(error.what), hint=_cure(error))


def _cure(error: RagjudgeError) -> Text | None:
    return _by_the_judges_names(error.hint) if error.hint else None


def _of_the_judge(what: Text) -> Text:
    named = _by_the_judges_names(what)
    return Text(f"The judge app: {named.en}", f"評価用アプリ: {named.ja}")


def _by_the_judges_names(text: Text) -> Text:
    """What the connector says of the app under test, with the settings that the judge's app has instead."""
    return Text(_SETTING.sub(_judges_name, text.en), _SETTING.sub(_judges_name, text.ja))


def _judges_name(setting: re.Match[str]) -> str:
    return _SETTINGS[setting[0]]
