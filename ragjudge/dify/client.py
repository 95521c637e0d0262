"""A Dify app as the port `ChatApp`: probe it, ask it, take its conversations out of the logs again."""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from urllib.parse import quote

from ragjudge.dify.address import service_address, usable_key
from ragjudge.dify.asking import Asking
from ragjudge.dify.calls import Caller
from ragjudge.dify.composing import Composer
from ragjudge.dify.fold import Reading
from ragjudge.dify.knowledge import Knowledge
from ragjudge.dify.limiter import Limiter
from ragjudge.dify.limits import Limits
from ragjudge.dify.line import Line
from ragjudge.dify.lost import lost_answer
from ragjudge.dify.profile import Profile, read_profile
from ragjudge.dify.records import Records
from ragjudge.dify.transport import Reply, Transport
from ragjudge.dify.wire import list_of, mapping_of, name_of
from ragjudge.errors import CannotTell, Problem, RagjudgeError
from ragjudge.language import Text
from ragjudge.ports import AppQuestion, Clock
from ragjudge.results.answer import Answer
from ragjudge.results.run import AppIdentity
from ragjudge.settings import AppSettings

_PAGE = 20


class DifyApp:
    """Implements `ports.ChatApp`. Ask for every case at once: the connector's own limiter holds them back.

    Time spent waiting for a slot does not count against a question's timeout. `limits.timeout_s` comes from the
    settings. `chance` gives numbers from 0 to 1 for the jitter of waits. `base_dir` is where a case's files are.
    """

    def __init__(
        self,
        settings: AppSettings,
        *,
        clock: Clock,
        limits: Limits | None = None,
        chance: Callable[[], float] = random.random,
        ca_file: str | None = None,
        base_dir: Path | None = None,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._limits = replace(limits or Limits(), timeout_s=settings.timeout_s)
        self._chance = chance
        self._secret = usable_key(settings.api_key.get_secret_value())
        self._address = service_address(settings.base_url)
        self._transport = Transport(self._address.url, self._secret, limits=self._limits, ca_file=ca_file)
        self._caller = Caller(
            self._transport, limits=self._limits, clock=clock, chance=chance, secret=self._secret
        )
        self._base_dir = base_dir or Path()
        self._knowledge = self._knowledge_base(ca_file)
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

    def _knowledge_base(self, ca_file: str | None) -> Knowledge | None:
        key = self._settings.dataset_key.get_secret_value().strip()
        if not key or not self._settings.datasets:
            return None
        transport = Transport(self._address.url, key, limits=self._limits, ca_file=ca_file)
        caller = Caller(transport, limits=self._limits, clock=self._clock, chance=self._chance, secret=key)
        return Knowledge(transport, caller, self._settings.datasets)

    @property
    def records(self) -> Records:
        """What the app remembers, for importing cases."""
        return Records(self._caller)

    async def probe(self) -> AppIdentity:
        """Two cheap calls that find a wrong key, a switched-off API and an app that was never published."""
        info = await self._caller.told("/info", always_there=True)
        parameters = await self._caller.told("/parameters", always_there=True)
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
            knowledge=self._knowledge,
        )
        return profile.identity

    def problems(self, questions: Sequence[AppQuestion]) -> Sequence[Problem]:
        """What the app's start form and its rules for files would refuse, case by case."""
        composer = self._composer(self.profile)
        return [
            Problem(
                what=Text(f"case {q.case_id}: {misfit.what.en}", f"ケース {q.case_id}: {misfit.what.ja}"),
                cure=misfit.cure,
            )
            for q in questions
            for misfit in composer.misfits(q)
        ]

    async def ask(self, question: AppQuestion) -> Answer:
        """The finished answer. Raises AppCouldNotAnswer for this question, MustChange or CannotTell for all."""
        line = await self._probed()
        line.check()
        request = await self._composer(line.profile).compose(question)
        return await Asking(line, request).answer()

    async def recover(self, question: AppQuestion) -> Answer | None:
        """The answer that an earlier process asked for and did not live to get, where the app still has it."""
        line = await self._probed()
        if not line.profile.keeps_conversations:
            return None
        return await lost_answer(line, await self._composer(line.profile).compose(question))

    async def _probed(self) -> Line:
        async with self._probing:
            if self._line is None:
                await self.probe()
        assert self._line is not None
        return self._line

    def _composer(self, profile: Profile) -> Composer:
        settings = self._settings
        return Composer(
            profile,
            self._caller,
            self._base_dir,
            settings.workflow_id,
            blocking=settings.response_mode == "blocking",
        )

    async def delete(self, conversation_id: str, *, user: str) -> bool:
        """Take a conversation out of the app's logs. Raises AppUnreachable where the server does not say."""
        if self._line is not None and not self._line.profile.keeps_conversations:
            return False
        return (await self._delete(conversation_id, user)).ok

    async def _delete(self, conversation_id: str, user: str) -> Reply:
        path = f"/conversations/{quote(conversation_id, safe='')}"
        return await self._caller.call("DELETE", path, body={"user": user})

    async def forget(self, user: str) -> tuple[str, ...]:
        """Take every conversation of a user out of the app's logs; returns the ids of those that stayed.

        Finds also what no record holds: conversations of failed, cut and killed questions. A user that has none,
        and an app that keeps none, are forgotten already. Raises CannotTell where the server does not say.
        """
        if not (await self._probed()).profile.keeps_conversations:
            return ()
        left: set[str] = set()
        while True:
            params = {"user": user, "limit": str(min(100, _PAGE + len(left)))}
            listed = (await self._caller.told("/conversations", params)).body
            found = [name_of(mapping_of(item).get("id")) for item in list_of(listed.get("data"))]
            fresh = [name for name in found if name is not None and name not in left]
            if not fresh:
                return tuple(sorted(left))
            left |= {name for name in fresh if not await self._gone(name, user)}
            if listed.get("has_more") is not True:
                return tuple(sorted(left))

    async def _gone(self, conversation_id: str, user: str) -> bool:
        try:
            reply = await self._delete(conversation_id, user)
        except RagjudgeError:
            return False
        return reply.ok or reply.status == HTTPStatus.NOT_FOUND

    async def close(self) -> None:
        """Leave; conversations of cut streams that were asked anew are taken along, unless all are to stay."""
        try:
            if self._line is not None and self._settings.cleanup != "none":
                await self._forget_abandoned(self._line.abandoned)
        finally:
            if self._knowledge is not None:
                await self._knowledge.close()
            await self._transport.close()

    async def _forget_abandoned(self, abandoned: dict[str, str]) -> None:
        for conversation_id, user in list(abandoned.items()):
            try:
                await self.delete(conversation_id, user=user)
            except CannotTell:
                return
