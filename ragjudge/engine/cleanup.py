"""Takes the conversations of a run out of the app's logs again, so that a team's own logs stay readable."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from ragjudge.errors import RagjudgeError
from ragjudge.ports import ChatApp

AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation in the app, and the user it belongs to."""

    id: str
    user: str


@dataclass(frozen=True, slots=True)
class Cleaned:
    deleted: int
    left: tuple[str, ...]
    """Ids that could not be deleted."""


async def delete_conversations(app: ChatApp, conversations: Sequence[Conversation]) -> Cleaned:
    """Delete each; trouble with one never stops the others nor changes a verdict."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(conversation: Conversation) -> str | None:
        async with gate:
            try:
                gone = await app.delete(conversation.id, user=conversation.user)
            except RagjudgeError:
                gone = False
        return None if gone else conversation.id

    left = [found for found in await asyncio.gather(*map(one, conversations)) if found is not None]
    return Cleaned(deleted=len(conversations) - len(left), left=tuple(left))
