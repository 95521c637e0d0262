"""Takes the conversations of a run out of the app's logs again, so that a team's own logs stay readable."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from ragjudge.errors import RagjudgeError
from ragjudge.language import Text
from ragjudge.ports import ChatApp

AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class Cleaned:
    forgotten: int
    """Users of whom nothing is left."""
    left: tuple[str, ...]
    """Conversations that could not be deleted; `user NAME` where the app did not say which ones there are."""


async def forget_users(app: ChatApp, users: Sequence[str]) -> Cleaned:
    """Delete all that these users left behind; trouble with one never stops the others nor changes a verdict.

    By user and not by conversation: so those of failed, cut and killed questions are found as well.
    """
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(user: str) -> tuple[str, ...]:
        async with gate:
            try:
                return await app.forget(user)
            except RagjudgeError:
                return (f"user {user}",)

    left = await asyncio.gather(*map(one, users))
    return Cleaned(
        forgotten=sum(not names for names in left), left=tuple(name for names in left for name in names)
    )


def not_deleted(left: Sequence[str]) -> Text:
    """For the team: what stays in the app's log, at most five by name."""
    return Text(
        f"{len(left)} conversations could not be deleted from the app: {', '.join(left[:5])}",
        f"アプリから削除できなかった会話が{len(left)}件あります: {', '.join(left[:5])}",
    )
