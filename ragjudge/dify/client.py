"""A Dify app as the port `ChatApp`: probe it, ask it, take its conversations out of the logs again."""

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import quote

from ragjudge.dify import words
from ragjudge.dify.address import service_address, usable_key
from ragjudge.dify.asking import Asking
from ragjudge.dify.fold import Reading
from ragjudge.dify.limiter import Limiter
from ragjudge.dify.limits import Limits
from ragjudge.dify.line import Line
from ragjudge.dify.listening import Request
from ragjudge.dify.lost import lost_answer
from ragjudge.dify.profile import Profile, read_profile
from ragjudge.dify.redaction import page_title, said
from ragjudge.dify.transport import BodyUnreadable, NoReply, Reply, Transport
from ragjudge.dify.verdicts import failure, for_all, judge
from ragjudge.dify.waiting import backoff
from ragjudge.errors import (
    AppCouldNotAnswer,
    AppMisconfigured,
    AppUnreachable,
    CannotTell,
    Problem,
    RagjudgeError,
)
from ragjudge.language import Text
from ragjudge.ports import AppQuestion, Clock
from ragjudge.results.answer import Answer
from ragjudge.results.outcome import Cause
from ragjudge.results.run import AppIdentity
from ragjudge.settings import AppSettings

_CALLS = 3
"""Tries of a call that is no question."""


class DifyApp:
    """Implements `ports.ChatApp`. Ask for every case at once: the connector's own limiter holds them back.

    Time spent waiting for a slot does not count against a question's timeout. `limits.timeout_s` comes from the
    settings. `chance` gives numbers from 0 to 1 for the jitter of waits.
    """

    def __init__(
        self,
        settings: AppSettings,
        *,
        clock: Clock,
        limits: Limits | None = None,
        chance: Callable[[], float] = random.random,
        ca_file: str | None = None,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._limits = replace(limits or Limits(), timeout_s=settings.timeout_s)
        self._chance = chance
        self._secret = usable_key(settings.api_key.get_secret_value())
        self._address = service_address(settings.base_url)
        self._transport = Transport(self._address.url, self._secret, limits=self._limits, ca_file=ca_file)
        self._line: Line | None = None
        self._probing = asyncio.Lock()

    @property
    def base_url(self) -> str:
        """The address really used."""
        return self._address.url

    @property
    def profile(self) -> Profile:
        """What the app told about itself; only after `probe`."""
        if self._line is None:
            raise RuntimeError("probe() comes first")
        return self._line.profile

    async def probe(self) -> AppIdentity:
        """Two cheap calls that find a wrong key, a switched-off API and an app that was never published."""
        info = await self._told("/info")
        parameters = await self._told("/parameters")
        profile = read_profile(info.body, parameters.body, base_url=self._address.url, version=info.version)
        self._line = Line(
            transport=self._transport,
            limiter=Limiter(self._settings.concurrency),
            limits=self._limits,
            clock=self._clock,
            profile=profile,
            reading=Reading(
                mode=profile.mode,
                annotations=profile.annotations,
                answer_path=self._settings.answer,
                contexts_path=self._settings.contexts,
            ),
            secret=self._secret,
            chance=self._chance,
        )
        return profile.identity

    def problems(self, questions: Sequence[AppQuestion]) -> Sequence[Problem]:
        """What the app's start form would refuse, case by case."""
        profile = self.profile
        return [
            Problem(
                what=Text(f"case {q.case_id}: {misfit.what.en}", f"ケース {q.case_id}: {misfit.what.ja}"),
                cure=misfit.cure,
            )
            for q in questions
            for misfit in profile.form.misfits(profile.inputs_for(q))
        ]

    async def ask(self, question: AppQuestion) -> Answer:
        """The finished answer. Raises AppCouldNotAnswer for this question, MustChange or CannotTell for all."""
        line = await self._probed()
        return await Asking(line, self._request(question, line.profile)).answer()

    async def recover(self, question: AppQuestion) -> Answer | None:
        """The answer that an earlier process asked for and did not live to get, where the app still has it."""
        line = await self._probed()
        if not line.profile.keeps_conversations:
            return None
        return await lost_answer(line, self._request(question, line.profile))

    async def _probed(self) -> Line:
        async with self._probing:
            if self._line is None:
                await self.probe()
        assert self._line is not None
        return self._line

    def _request(self, question: AppQuestion, profile: Profile) -> Request:
        inputs = profile.inputs_for(question)
        if misfits := profile.form.misfits(inputs):
            raise AppCouldNotAnswer(misfits[0].what, cause=Cause.APP_INPUT_REFUSED, hint=misfits[0].cure)
        body: dict[str, object] = {
            "inputs": profile.form.fitted(inputs),
            "response_mode": "streaming",
            "user": question.user,
        }
        if profile.keeps_conversations:
            body |= {
                "query": question.query,
                "conversation_id": question.conversation_id,
                "auto_generate_name": False,
            }
            if self._settings.workflow_id and profile.mode == "advanced-chat":
                body["workflow_id"] = self._settings.workflow_id
        path = profile.endpoint(self._settings.workflow_id)
        return Request(path, body, question.user, question.conversation_id)

    async def delete(self, conversation_id: str, *, user: str) -> bool:
        """Take a conversation out of the app's logs. Raises AppUnreachable where the server does not say."""
        if self._line is not None and not self._line.profile.keeps_conversations:
            return False
        reply = await self._call(
            "DELETE", f"/conversations/{quote(conversation_id, safe='')}", {"user": user}
        )
        return reply.ok

    async def close(self) -> None:
        """Leave; conversations of cut streams that were asked anew are taken along, unless all are to stay."""
        try:
            if self._line is not None and self._settings.cleanup != "none":
                await self._forget(self._line.abandoned)
        finally:
            await self._transport.close()

    async def _forget(self, abandoned: dict[str, str]) -> None:
        for conversation_id, user in list(abandoned.items()):
            try:
                await self.delete(conversation_id, user=user)
            except CannotTell:
                return

    async def _told(self, path: str) -> Reply:
        reply = await self._call("GET", path)
        if not reply.ok:
            raise for_all(judge(reply.refusal(), secret=self._secret).error)
        if not reply.body:
            raise failure(
                words.NO_SUCH_API, AppMisconfigured, said=said(page_title(reply.text), secret=self._secret)
            )
        return reply

    async def _call(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Reply:
        """A call that is no question and may be repeated."""
        for tries in range(1, _CALLS + 1):
            pause = backoff(tries, chance=self._chance())
            try:
                reply = await self._transport.call(method, path, body=body)
            except NoReply as error:
                if error.trust or tries == _CALLS:
                    raise self._unreachable(error) from error
            except BodyUnreadable as error:
                raise failure(
                    words.UNREADABLE, AppUnreachable, said=said(str(error), secret=self._secret)
                ) from error
            else:
                if tries == _CALLS or (reply.status < 500 and reply.status != 429):
                    return reply
                asked_for = reply.refusal().retry_after_s
                pause = pause if asked_for is None else min(asked_for, self._limits.longest_wait_s)
            await self._clock.sleep(pause)
        raise AssertionError("the last try returns or raises")

    def _unreachable(self, error: NoReply) -> RagjudgeError:
        quoted = said(str(error), secret=self._secret)
        if error.trust:
            return failure(words.UNTRUSTED, AppMisconfigured, said=quoted)
        return failure(words.UNREACHABLE, AppUnreachable, said=quoted)
