"""An answer that an earlier, killed process asked for and never got: found by its user, which no other question has.

The service API lists a user's conversations and their messages (`GET /conversations`, `GET /messages`).
"""

from ragjudge.dify.answering import Circumstances, answer_of
from ragjudge.dify.ending import Ending, Ids, Kind
from ragjudge.dify.line import Line
from ragjudge.dify.listening import Request
from ragjudge.dify.recovery import Recovery
from ragjudge.dify.transport import BodyUnreadable, NoReply
from ragjudge.dify.wire import list_of, mapping_of, text_of
from ragjudge.results.answer import Answer


async def lost_answer(line: Line, request: Request) -> Answer | None:
    """The finished answer with its passages; None where the server does not have it (then ask).

    A conversation that is given up on is remembered in `line`, so that it is taken out of the logs at the end.
    """
    conversation = await _newest(line, "/conversations", {"user": request.user, "limit": "1"})
    if not conversation:
        return None
    params = {"user": request.user, "conversation_id": conversation, "limit": "1"}
    cut = Ending(
        kind=Kind.CUT, ids=Ids(conversation=conversation, message=await _newest(line, "/messages", params))
    )
    began = line.clock.monotonic()
    recovery = Recovery(
        line.transport,
        line.reading,
        line.clock,
        lambda: line.limits.timeout_s + began - line.clock.monotonic(),
    )
    ending = await recovery.recover(request, cut)
    if ending is None or ending.kind is not Kind.ANSWERED:
        line.abandon(conversation, request.user)
        return None
    around = Circumstances(
        profile=line.profile,
        secret=line.secret,
        latency_s=None,
        asks=1,
        version=line.profile.identity.server_version,
        understood=line.understood,
    )
    return answer_of(ending, around)


async def _newest(line: Line, path: str, params: dict[str, str]) -> str:
    """The id of the newest entry of a list; "" where there is none or the server does not say."""
    try:
        reply = await line.transport.call("GET", path, params=params)
    except (NoReply, BodyUnreadable):
        return ""
    entries = list_of(reply.body.get("data")) if reply.ok else []
    return text_of(mapping_of(entries[0]).get("id")) if entries else ""
