"""What an app remembers: its annotations, and the conversations of its users with their feedback.

All lists are paged; no list is followed for ever. 1.9 answers every call for annotations with an error of its own.
"""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import quote

from ragjudge.dify import words
from ragjudge.dify.calls import Caller
from ragjudge.dify.transport import Reply
from ragjudge.dify.verdicts import failure
from ragjudge.dify.wire import list_of, mapping_of, text_of
from ragjudge.errors import AppMisconfigured, AppUnreachable

_PAGE = 100
_MOST_PAGES = 1000
_NOT_THERE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED})


@dataclass(frozen=True, slots=True)
class Annotation:
    """A question and the answer that a person wrote for it."""

    id: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Message:
    """One turn that really happened. `rating` is "like", "dislike" or ""."""

    id: str
    conversation: str
    query: str
    answer: str
    inputs: Mapping[str, object]
    rating: str = ""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What somebody thought of a message. `end_user` is Dify's id of the user, not the name the app gave."""

    message: str
    conversation: str
    rating: str
    content: str
    end_user: str


class Records:
    """Reads; changes nothing. Raises from the tree where the server says no."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def annotations(self) -> AsyncIterator[Annotation]:
        async for item in self._numbered("/apps/annotations"):
            yield Annotation(
                text_of(item.get("id")), text_of(item.get("question")), text_of(item.get("answer"))
            )

    async def feedbacks(self) -> AsyncIterator[Feedback]:
        async for item in self._numbered("/app/feedbacks"):
            yield Feedback(
                message=text_of(item.get("message_id")),
                conversation=text_of(item.get("conversation_id")),
                rating=text_of(item.get("rating")),
                content=text_of(item.get("content")),
                end_user=text_of(item.get("from_end_user_id")),
            )

    async def user_name(self, end_user: str) -> str:
        """The name by which the app's own calls know a user: messages can be read with that one only."""
        reply = await self._caller.call("GET", f"/end-users/{quote(end_user, safe='')}")
        if reply.status == HTTPStatus.NOT_FOUND:
            raise failure(words.NO_USER_NAMES, AppMisconfigured)
        self._caller.check(reply)
        return text_of(reply.body.get("session_id")) or text_of(reply.body.get("external_user_id"))

    async def conversations(self, user: str) -> AsyncIterator[str]:
        async for item in self._following("/conversations", {"user": user}, cursor="last_id", last=True):
            yield text_of(item.get("id"))

    async def messages(self, conversation: str, user: str) -> tuple[Message, ...]:
        """Of one conversation, oldest first."""
        params = {"conversation_id": conversation, "user": user}
        found = [
            _message(item)
            async for item in self._following("/messages", params, cursor="first_id", last=False)
        ]
        return tuple(found)

    async def _numbered(self, path: str) -> AsyncIterator[Mapping[str, object]]:
        for page in range(1, _MOST_PAGES + 1):
            body = (await self._page(path, page)).body
            items = [mapping_of(item) for item in list_of(body.get("data"))]
            for item in items:
                yield item
            if not items or (body.get("has_more") is not True and len(items) < _PAGE):
                return

    async def _page(self, path: str, page: int) -> Reply:
        query = {"page": str(page), "limit": str(_PAGE)}
        try:
            return await self._caller.told(path, query)
        except (AppMisconfigured, AppUnreachable):
            if await self._lacks(path):
                raise failure(words.NO_SUCH_LIST, AppMisconfigured, said=path.rsplit("/", 1)[-1]) from None
            raise

    async def _lacks(self, path: str) -> bool:
        """This server has no such list, though the address is right: else the address is to blame."""
        there = await self._caller.call("GET", path)
        return there.status in _NOT_THERE and (await self._caller.call("GET", "/parameters")).ok

    async def _following(
        self, path: str, params: Mapping[str, str], *, cursor: str, last: bool
    ) -> AsyncIterator[Mapping[str, object]]:
        """Pages that follow a cursor: the last entry's id, or (messages, newest page first) the first one's."""
        pages: list[list[Mapping[str, object]]] = []
        at = ""
        while len(pages) < _MOST_PAGES:
            more = {cursor: at} if at else {}
            body = (await self._caller.told(path, {**params, "limit": str(_PAGE), **more})).body
            items = [mapping_of(item) for item in list_of(body.get("data"))]
            following = text_of(items[-1 if last else 0].get("id")) if items else ""
            pages.append(items)
            if body.get("has_more") is not True or not following or following == at:
                break
            at = following
        for page in pages if last else reversed(pages):
            for item in page:
                yield item


def _message(item: Mapping[str, object]) -> Message:
    return Message(
        id=text_of(item.get("id")),
        conversation=text_of(item.get("conversation_id")),
        query=text_of(item.get("query")),
        answer=text_of(item.get("answer")),
        inputs=mapping_of(item.get("inputs")),
        rating=text_of(mapping_of(item.get("feedback")).get("rating")),
    )
