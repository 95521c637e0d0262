"""An answer that shows no passages: look where they may still be, in the history and in the knowledge itself."""

from ragjudge.dify.ending import Ending
from ragjudge.dify.line import Line
from ragjudge.dify.listening import Request
from ragjudge.dify.passages import of_resources
from ragjudge.dify.transport import BodyUnreadable, NoReply
from ragjudge.dify.wire import list_of, mapping_of, text_of
from ragjudge.errors import CannotTell
from ragjudge.results.answer import Answer, Context, ContextSource, MissingContexts, NotAvailable, Retrieved

NOTE = "retrieve_failed"
_TRULY_NONE = (
    MissingContexts.NOTHING_RETRIEVED,
    MissingContexts.ANNOTATION_REPLY,
    MissingContexts.NODE_FAILED,
    MissingContexts.OUTPUT_UNUSABLE,
)
"""Nothing was retrieved for this answer: passages from elsewhere would be made up, or hide a wrong `app.contexts`.
A flow shows each of its nodes, so where it shows no retrieval there was none."""


async def with_passages(answer: Answer, ending: Ending, line: Line, request: Request) -> Answer:
    """The same answer, with passages where one of the two still has them."""
    contexts = answer.contexts
    if not isinstance(contexts, NotAvailable) or contexts.cause in _TRULY_NONE:
        return answer
    if not ending.closed and line.profile.keeps_conversations:
        found = await _in_history(line, request, answer)
        if found:
            return _given(answer, ContextSource.MESSAGE_HISTORY, found)
    shown = line.profile.has_nodes and contexts.cause is MissingContexts.NO_RETRIEVAL
    if line.knowledge is None or shown:
        return answer
    try:
        found = await line.knowledge.search(request.query)
    except CannotTell:
        return answer.model_copy(update={"notes": (*answer.notes, NOTE)})
    return _given(answer, ContextSource.RETRIEVED_APART, found) if found else answer


async def _in_history(line: Line, request: Request, answer: Answer) -> tuple[Context, ...]:
    """Of a stream that ended without `message_end` (1.13.0), whose metadata would have held them."""
    params = {"conversation_id": answer.conversation_id or "", "user": request.user, "limit": "20"}
    try:
        reply = await line.transport.call("GET", "/messages", params=params)
    except (NoReply, BodyUnreadable):
        return ()
    messages = (mapping_of(item) for item in list_of(reply.body.get("data")))
    message = next((m for m in messages if text_of(m.get("id")) == answer.message_id), {})
    return of_resources(message.get("retriever_resources"))


def _given(answer: Answer, source: ContextSource, found: tuple[Context, ...]) -> Answer:
    return answer.model_copy(update={"contexts": Retrieved(source=source, items=found)})
