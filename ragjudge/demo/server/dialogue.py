"""Asking: chat messages, completions and workflow runs, streamed or in one piece."""

from collections.abc import Iterator
from contextlib import ExitStack

from ragjudge.demo.corpus import stable_id
from ragjudge.demo.loose import JsonObject
from ragjudge.demo.server.asking import PING, Asking, World, now
from ragjudge.demo.server.forms import Asked, checked_inputs, checked_query, is_uuid, read_request
from ragjudge.demo.server.graph import Ended, GraphRun, finished_data
from ragjudge.demo.server.memory import Conversation, Message, Run, TooManyRequests
from ragjudge.demo.server.plain import PlainRun
from ragjudge.demo.server.refusals import (
    WRONG_ROUTE,
    Refusal,
    app_unavailable,
    invalid,
    not_found,
    refused,
)
from ragjudge.demo.server.replies import answer_reply, framed, json_reply, read_json
from ragjudge.demo.server.wire import Reply, Request

_STREAM = "text/event-stream; charset=utf-8"


class Dialogue:
    """The endpoints that make the app think."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._graph = world.app.mode in ("advanced-chat", "workflow")

    def chat(self, request: Request, _: str) -> Reply:
        body = read_json(request)
        if self._world.app.mode not in ("chat", "agent-chat", "advanced-chat"):
            raise refused(400, "not_chat_app", WRONG_ROUTE)
        return self._ask(body, request, family="chat")

    def completion(self, request: Request, _: str) -> Reply:
        body = read_json(request)
        if self._world.app.mode != "completion":
            raise app_unavailable()
        return self._ask(body, request, family="completion")

    def workflow(self, request: Request, _: str) -> Reply:
        body = read_json(request)
        if self._world.app.mode != "workflow":
            raise refused(400, "not_workflow_app", WRONG_ROUTE)
        return self._ask(body, request, family="workflow")

    def stop(self, request: Request, task_id: str) -> Reply:
        if not read_json(request).get("user"):
            raise invalid("Arg user must be provided.")
        self._world.memory.stop(task_id)
        return json_reply(self._world, {"result": "success"})

    def _ask(self, body: JsonObject, request: Request, *, family: str) -> Reply:
        asked = read_request(body, self._world.dialect, family=family)
        if self._world.app.mode == "agent-chat" and not asked.streaming:
            raise invalid("Agent Chat App does not support blocking mode")
        self._check_version(asked, request)
        with ExitStack() as held:
            self._take_slot(asked, held)
            try:
                asking = self._begin(asked, request, held)
            except Refusal:
                if asked.streaming and self._in_worker:
                    return self._silence()
                raise
            if asked.streaming:
                return self._stream(asking, held.pop_all())
            return answer_reply(self._world, self._block(asking))

    @property
    def _in_worker(self) -> bool:
        """Streams of graphs run in a worker of the newer release: what goes wrong there is never told."""
        return self._graph and self._world.dialect.worker_streams

    def _check_version(self, asked: Asked, request: Request) -> None:
        if not self._graph:
            return
        if not self._world.options.published:
            raise invalid("Workflow not published")
        pinned, published = asked.workflow_id, self._world.app.workflow_id
        if not pinned or pinned == published:
            return
        if not is_uuid(pinned):
            raise refused(400, "bad_request", f"Invalid workflow_id format: '{pinned}'. ")
        if pinned == draft_id(published):
            raise refused(
                400,
                "bad_request",
                f"Cannot use draft workflow version. Workflow ID: {pinned}. Please use a published workflow "
                "version or leave workflow_id empty.",
            )
        raise not_found(f"Workflow not found with id: {pinned}", request.path)

    def _take_slot(self, asked: Asked, held: ExitStack) -> None:
        """Count as active while answering. The newer release counts a worker's stream twice, and lets go at once."""
        limit = self._world.options.max_active_requests
        twice = asked.streaming and self._in_worker
        try:
            with ExitStack() as slot:
                slot.enter_context(self._world.memory.slot(limit, takes=2 if twice else 1))
                if not twice:
                    held.push(slot.pop_all())
        except TooManyRequests:
            raise invalid(
                "Too many requests. Please try again later. The current maximum concurrent requests allowed "
                f"for {self._world.app.app_id} is {limit}."
            ) from None

    def _begin(self, asked: Asked, request: Request, held: ExitStack) -> Asking:
        """Check what the app itself checks, and open or continue the conversation. Raises Refusal."""
        world, app = self._world, self._world.app
        query = checked_query(asked.query) if app.mode in ("chat", "agent-chat", "advanced-chat") else ""
        conversation = self._known_conversation(asked, request)
        inputs = conversation.inputs if conversation else checked_inputs(app, asked.inputs, world.dialect)
        if app.mode == "completion":
            query = str(inputs.get(app.query_variable) or asked.query or "")
        if conversation is None and app.mode not in ("workflow", "completion"):
            conversation = self._new_conversation(asked, query, inputs)
        task_id = world.new_id()
        return Asking(
            world=world,
            query=query,
            inputs=inputs,
            user=asked.user,
            streaming=asked.streaming,
            task_id=task_id,
            message_id=world.new_id(),
            conversation_id=conversation.id if conversation else "",
            run_id=world.new_id(),
            created_at=now(),
            stop=held.enter_context(world.memory.task(task_id)),
            dialogue_count=len(conversation.messages) + 1 if conversation else 1,
        )

    def _known_conversation(self, asked: Asked, request: Request) -> Conversation | None:
        if not asked.conversation_id:
            return None
        found = self._world.memory.conversation(asked.conversation_id, asked.user)
        if found is None:
            raise not_found("Conversation Not Exists.", request.path)
        return found

    def _new_conversation(self, asked: Asked, query: str, inputs: JsonObject) -> Conversation:
        name = query[:20] + ("…" if len(query) > 20 else "") if asked.names_itself else "New conversation"
        conversation = Conversation(self._world.new_id(), asked.user, name, inputs, now(), now())
        self._world.memory.begin(conversation)
        return conversation

    def _silence(self) -> Reply:
        def nothing_more() -> Iterator[JsonObject]:
            yield PING
            self._world.closing.wait(self._world.options.silence_s)

        return Reply(200, content_type=_STREAM, stream=framed(nothing_more()))

    def _stream(self, asking: Asking, held: ExitStack) -> Reply:
        reply = Reply(200, content_type=_STREAM, done=held.close)

        def events() -> Iterator[JsonObject]:
            if self._in_worker:
                yield PING
            run = GraphRun(asking) if self._graph else PlainRun(asking)
            kept = False
            for event in run.events():
                if run.ended is not None and not kept:
                    kept = True
                    lost = reply.cut.is_set() and self._world.dialect.forgets_cut_answers
                    self._keep(asking, "" if lost else run.ended.answer, [] if lost else run.ended.resources)
                yield event

        reply.stream = framed(events())
        return reply

    def _block(self, asking: Asking) -> JsonObject:
        run = GraphRun(asking) if self._graph else PlainRun(asking)
        for _ in run.events():
            pass
        assert run.ended is not None
        self._keep(asking, run.ended.answer, run.ended.resources)
        if isinstance(run.ended, Ended) and self._world.app.mode == "workflow":
            return _workflow_body(asking, run.ended.run)
        body: JsonObject = {
            "event": "message",
            "task_id": asking.task_id,
            "id": asking.message_id,
            "message_id": asking.message_id,
        }
        if asking.conversation_id:
            body["conversation_id"] = asking.conversation_id
        return body | {
            "mode": self._world.app.mode,
            "answer": run.ended.answer,
            "metadata": run.ended.metadata,
            "created_at": asking.created_at,
        }

    def _keep(self, asking: Asking, answer: str, resources: list[JsonObject]) -> None:
        message = Message(
            asking.message_id, asking.conversation_id, asking.query, asking.inputs, answer, resources,
            asking.created_at,
        )  # fmt: skip
        self._world.memory.keep(message)


def draft_id(published: str) -> str:
    """The id of the draft behind a published version."""
    return stable_id("draft", published)


def _workflow_body(asking: Asking, run: Run) -> JsonObject:
    data = finished_data(run)
    for left_out in ("created_by", "exceptions_count", "files"):
        del data[left_out]
    return {"task_id": asking.task_id, "workflow_run_id": run.id, "data": data}
