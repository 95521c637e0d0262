"""What was said before: conversations, messages, feedback, finished runs."""

import json
from collections.abc import Sequence
from typing import TypeVar

from ragjudge.demo.corpus import stable_id
from ragjudge.demo.loose import JsonObject
from ragjudge.demo.server.asking import World
from ragjudge.demo.server.graph import finished_data
from ragjudge.demo.server.memory import Conversation, Message, Run
from ragjudge.demo.server.refusals import not_found, refused
from ragjudge.demo.server.replies import framed, json_reply, nothing, read_json
from ragjudge.demo.server.wire import Reply, Request

_FIRST_PARENT = "00000000-0000-0000-0000-000000000000"
_NOT_SENT = ("retriever_from", "page", "doc_metadata", "title", "files")
"""Fields of a citation that the newer release's history leaves out."""
_T = TypeVar("_T", Conversation, Message)


class History:
    """The pages that look back. Everything belongs to the `user` who asked; anybody else gets a 404."""

    def __init__(self, world: World) -> None:
        self._world = world

    def conversations(self, request: Request, _: str) -> Reply:
        mine = self._world.memory.conversations(_user(request))
        page, more = _page(mine, request, after="last_id")
        shown: list[object] = [_conversation(conversation) for conversation in page]
        return json_reply(self._world, {"limit": _limit(request), "has_more": more, "data": shown})

    def messages(self, request: Request, _: str) -> Reply:
        conversation = self._conversation(request, request.query.get("conversation_id", ""))
        latest_first = list(reversed(conversation.messages))
        page, more = _page(latest_first, request, after="first_id")
        shown: list[object] = [self._message(message) for message in reversed(page)]
        return json_reply(self._world, {"limit": _limit(request), "has_more": more, "data": shown})

    def variables(self, request: Request, conversation_id: str) -> Reply:
        self._conversation(request, conversation_id)
        return json_reply(self._world, {"limit": _limit(request), "has_more": False, "data": []})

    def delete(self, request: Request, conversation_id: str) -> Reply:
        user = str(read_json(request).get("user") or "")
        if not self._world.memory.delete(conversation_id, user):
            raise not_found("Conversation Not Exists.", request.path)
        return nothing()

    def feedback(self, request: Request, message_id: str) -> Reply:
        body = read_json(request)
        message = self._world.memory.message(message_id, str(body.get("user") or ""))
        if message is None:
            raise not_found("Message Not Exists.", request.path)
        rating = body.get("rating")
        message.feedback = str(rating) if rating in ("like", "dislike") else None
        return json_reply(self._world, {"result": "success"})

    def suggested(self, request: Request, message_id: str) -> Reply:
        if self._world.memory.message(message_id, _user(request)) is None:
            raise not_found("Message Not Exists.", request.path)
        return json_reply(self._world, {"result": "success", "data": []})

    def run(self, request: Request, run_id: str) -> Reply:
        if self._world.app.mode not in ("workflow", "advanced-chat"):
            raise refused(
                400, "not_workflow_app", "Please check if your app mode matches the right API route."
            )
        run = self._run(request, run_id)
        outputs: object = run.outputs
        if self._world.dialect.run_detail_outputs_as_text:
            outputs = json.dumps(run.outputs, ensure_ascii=False)
        body: JsonObject = {
            "id": run.id,
            "workflow_id": run.workflow_id,
            "status": run.status,
            "inputs": json.dumps(run.inputs, ensure_ascii=False),
            "outputs": outputs,
            "error": run.error,
            "total_steps": run.total_steps,
            "total_tokens": run.total_tokens,
            "created_at": run.created_at,
            "finished_at": run.finished_at,
            "elapsed_time": run.elapsed_s,
        }
        return json_reply(self._world, body)

    def events(self, request: Request, run_id: str) -> Reply:
        """Hear a run again: of a finished one, its last event."""
        run = self._run(request, run_id)
        if run.user != request.query.get("user"):
            raise refused(404, "not_found", "Workflow run not found")
        event: JsonObject = {"event": "workflow_finished", "task_id": run.id, "workflow_run_id": run.id}
        stream = framed([event | {"data": finished_data(run)}])
        headers = {"Cache-Control": "no-cache"}
        return Reply(200, content_type="text/event-stream; charset=utf-8", headers=headers, stream=stream)

    def _run(self, request: Request, run_id: str) -> Run:
        run = self._world.memory.run(run_id)
        if run is None:
            raise not_found("Workflow run not found.", request.path)
        return run

    def _conversation(self, request: Request, conversation_id: str) -> Conversation:
        found = self._world.memory.conversation(conversation_id, _user(request))
        if found is None:
            raise not_found("Conversation Not Exists.", request.path)
        return found

    def _message(self, message: Message) -> JsonObject:
        newer = self._world.dialect.worker_streams
        resources = [_remembered(message, r) for r in message.resources] if newer else message.resources
        shown: JsonObject = {
            "id": message.id,
            "conversation_id": message.conversation_id,
            "parent_message_id": _FIRST_PARENT,
            "inputs": message.inputs,
            "query": message.query,
            "answer": message.answer,
            "message_files": [],
            "feedback": {"rating": message.feedback} if message.feedback else None,
            "retriever_resources": resources,
            "created_at": message.created_at,
            "agent_thoughts": message.thoughts,
            "status": "normal",
            "error": None,
        }
        return shown | {"extra_contents": []} if newer else shown


def _remembered(message: Message, resource: JsonObject) -> JsonObject:
    own = {"id": stable_id("resource", message.id, str(resource["position"])), "message_id": message.id}
    kept = {name: value for name, value in resource.items() if name not in _NOT_SENT}
    return {**own, **kept, "created_at": None}


def _conversation(conversation: Conversation) -> JsonObject:
    return {
        "id": conversation.id,
        "name": conversation.name,
        "inputs": conversation.inputs,
        "status": "normal",
        "introduction": "",
        "created_at": conversation.created_at,
        "updated_at": conversation.updated_at,
    }


def _user(request: Request) -> str:
    return request.query.get("user") or "DEFAULT-USER"


def _limit(request: Request) -> int:
    given = request.query.get("limit", "")
    return min(100, max(1, int(given))) if given.isascii() and given.isdigit() else 20


def _page(everything: Sequence[_T], request: Request, *, after: str) -> tuple[list[_T], bool]:
    """The next page after a given id, and whether more follow."""
    marker = request.query.get(after, "")
    start = next((n for n, item in enumerate(everything, start=1) if item.id == marker), 0) if marker else 0
    end = start + _limit(request)
    return list(everything[start:end]), len(everything) > end
