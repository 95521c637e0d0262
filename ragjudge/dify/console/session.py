"""A signed-in session with a console: cookies and CSRF, renewed when they run out in the middle of a run.

Sources: recordings of 1.9.2 and 1.14.2; passwords travel in base64 since 1.11.2, tokens came in the body of the
login's reply up to 1.9.1. A session lasts 60 minutes, a run may last longer.
"""

import asyncio
import base64
import re
from collections.abc import Mapping

from ragjudge.dify.console import troubles, words
from ragjudge.dify.console.credentials import Admin, Credentials, Person
from ragjudge.dify.console.door import ConsoleDoor, Json
from ragjudge.dify.transport import BodyUnreadable, NoReply, Reply
from ragjudge.dify.verdicts import failure
from ragjudge.dify.wire import mapping_of, text_of
from ragjudge.errors import ConsoleMisconfigured
from ragjudge.ports import Clock

_ENCODED_SINCE = (1, 11, 2)
_WAITS_S = (1.0, 3.0)
"""Before the second and third try of a call that may be repeated."""


class ConsoleSession:
    """Calls with the right headers. Signs in at the first call; errors are of the tree in errors.py."""

    def __init__(self, door: ConsoleDoor, credentials: Credentials, *, clock: Clock) -> None:
        self._door = door
        self._credentials = credentials
        self._clock = clock
        self._bearer = ""
        self._signed_in = isinstance(credentials, Admin)
        self._signing_in = asyncio.Lock()

    async def call(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        body: Json | None = None,
        accept: frozenset[int] = frozenset(),
    ) -> Reply:
        """A good reply, or one whose status is in `accept`. Reading and deleting are tried three times."""
        await self._ensure_signed_in()
        headers = self._headers()
        reply = await self._sent(method, path, params=params, body=body, headers=headers)
        if reply.status == 401 and 401 not in accept and isinstance(self._credentials, Person):
            await self._renew(headers)
            reply = await self._sent(method, path, params=params, body=body, headers=self._headers())
        if reply.ok or reply.status in accept:
            return reply
        raise troubles.refused_call(reply, secret=self._secret, as_admin=isinstance(self._credentials, Admin))

    async def close(self) -> None:
        """Sign out, so that no session of ours outlives us, and hang up. Trouble here concerns nobody."""
        if isinstance(self._credentials, Person) and self._signed_in:
            try:
                await self._door.send("POST", "/logout", body={}, headers=self._headers())
            except (NoReply, BodyUnreadable):
                self._signed_in = False
        await self._door.close()

    @property
    def _secret(self) -> str:
        own = self._credentials
        return (own.password if isinstance(own, Person) else own.key).get_secret_value()

    def _headers(self) -> dict[str, str]:
        if isinstance(self._credentials, Admin):
            key = self._credentials.key.get_secret_value()
            return {"Authorization": f"Bearer {key}", "X-WORKSPACE-ID": self._credentials.workspace}
        if self._bearer:
            return {"Authorization": f"Bearer {self._bearer}"}
        return {"X-CSRF-Token": self._door.cookie("csrf_token")}

    async def _sent(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        body: Json | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        repeatable = method in ("GET", "DELETE")
        for wait in (*_WAITS_S, None) if repeatable else (None,):
            try:
                reply = await self._door.send(method, path, params=params, body=body, headers=headers)
            except (NoReply, BodyUnreadable) as error:
                if wait is None or isinstance(error, BodyUnreadable):
                    raise troubles.no_reply(error) from error
            else:
                if wait is None or reply.status not in troubles.PASSING:
                    return reply
            await self._clock.sleep(wait)
        raise AssertionError("the last try returns or raises")

    async def _ensure_signed_in(self) -> None:
        async with self._signing_in:
            if not self._signed_in:
                await self._sign_in()

    async def _renew(self, refused_with: Mapping[str, str]) -> None:
        """A new session, by the refresh cookie where that still works. One caller renews for all."""
        async with self._signing_in:
            if self._headers() != refused_with:
                return
            reply = await self._sent("POST", "/refresh-token", body={}, headers=refused_with)
            if not (reply.ok and self._headers() != refused_with):
                await self._sign_in()

    async def _sign_in(self) -> None:
        assert isinstance(self._credentials, Person)
        self._door.forget_cookies()
        features = await self._sent("GET", "/system-features")
        self._refuse_other_doors(features)
        password = self._credentials.password.get_secret_value()
        encoded = base64.b64encode(password.encode()).decode()
        version = _version(features.version)
        ways = (password, encoded) if version is None else (encoded,)
        if version is not None and version < _ENCODED_SINCE:
            ways = (password,)
        for way in ways:
            body = {"email": self._credentials.email, "password": way, "remember_me": True}
            reply = await self._sent("POST", "/login", body=body)
            if self._is_session(reply):
                self._signed_in = True
                return
            if reply.status != 401:
                break
        raise troubles.refused_login(reply, secret=password)

    def _refuse_other_doors(self, features: Reply) -> None:
        """Before a password is sent where none is wanted."""
        if 300 <= features.status < 400 or features.is_page or features.status >= 500:
            raise troubles.refused_call(features, secret=self._secret, as_admin=False)
        if features.body.get("sso_enforced_for_signin") is True:
            raise failure(words.NO_PASSWORD_LOGIN, ConsoleMisconfigured, said="sso_enforced_for_signin")
        if features.body.get("enable_email_password_login") is False:
            raise failure(
                words.NO_PASSWORD_LOGIN, ConsoleMisconfigured, said="enable_email_password_login: false"
            )

    def _is_session(self, reply: Reply) -> bool:
        if not reply.ok:
            return False
        self._bearer = text_of(mapping_of(reply.body.get("data")).get("access_token"))
        return bool(self._bearer or self._door.cookie("access_token"))


def _version(text: str | None) -> tuple[int, ...] | None:
    found = re.match(r"(\d+)\.(\d+)\.(\d+)", text or "")
    return tuple(int(part) for part in found.groups()) if found else None
