"""The one entry: a preview app for as long as an `async with` lasts."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from ragjudge.dify.console.address import console_address
from ragjudge.dify.console.console import Console
from ragjudge.dify.console.credentials import Credentials
from ragjudge.dify.console.door import ConsoleDoor
from ragjudge.dify.console.session import ConsoleSession
from ragjudge.errors import ConsoleUnreachable
from ragjudge.language import Text
from ragjudge.ports import Clock
from ragjudge.preview.lease import Preview, PreviewLease
from ragjudge.preview.proof import Proof
from ragjudge.preview.unbroken import unbroken
from ragjudge.settings import AppSettings, Settings

_CLOSE_S = 10.0
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Leased:
    """A preview app, ready to be asked. `app` holds its key, which must not leave the process."""

    app: AppSettings
    proof: Proof
    secrets: tuple[str, ...] = field(repr=False)
    """Values to be taken out of everything that is written: the key, and the app's own secrets."""
    notes: tuple[Text, ...] = ()


def nonce() -> str:
    return uuid.uuid4().hex[:8]


def open_console(
    settings: Settings, credentials: Credentials, *, clock: Clock, secrets: Iterable[str] = ()
) -> Console:
    """A console that signs in when it is first used. Nothing is sent by making it."""
    address = console_address(settings.app.base_url, settings.dsl.console_url)
    door = ConsoleDoor(address, ca_file=settings.ca_file)
    return Console(ConsoleSession(door, credentials, clock=clock), secrets=secrets)


def at_console(
    settings: Settings,
    credentials: Credentials,
    work: Callable[[Console], Coroutine[Any, Any, T]],
    *,
    clock: Clock,
    secrets: Iterable[str] = (),
) -> T:
    """Run `work` with a console, sign out, return its result. `secrets`: values that `work` sends."""

    async def run() -> T:
        console = open_console(settings, credentials, clock=clock, secrets=secrets)
        try:
            return await work(console)
        finally:
            with suppress(ConsoleUnreachable):
                await unbroken(console.close(), within_s=_CLOSE_S)

    return asyncio.run(run())


@asynccontextmanager
async def leased(
    preview: Preview,
    settings: Settings,
    credentials: Credentials,
    *,
    clock: Clock,
    now: Callable[[], datetime],
    note: Callable[[Text], None] = lambda _: None,
) -> AsyncIterator[Leased]:
    """The pull request's DSL as an app of its own; key and app are removed on every way out but `kill -9`.

    What `kill -9` leaves behind, the next run of the same owner removes, and any run after six hours.
    `note` hears what `Leased.notes` does not hold: of a removal that failed, or all of it where acquiring failed.
    """
    given = tuple(value.get_secret_value() for value in preview.secrets.values())
    console = open_console(settings, credentials, clock=clock, secrets=given)
    lease = PreviewLease(console, preview, settings.app, now=now, nonce=nonce)
    heard = 0
    try:
        app = await lease.acquire()
        assert lease.proof is not None
        secrets = (app.api_key.get_secret_value(), *given)
        heard = len(lease.notes)
        yield Leased(app, lease.proof, secrets, tuple(lease.notes))
    finally:
        try:
            await lease.release()
        finally:
            with suppress(ConsoleUnreachable):
                await unbroken(console.close(), within_s=_CLOSE_S)
        for told in lease.notes[heard:]:
            note(told)
