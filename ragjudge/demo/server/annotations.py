"""Annotations: questions whose answers a person wrote down. Kept and listed; they never answer for the app here."""

from ragjudge.demo.loose import JsonObject, text
from ragjudge.demo.server.asking import World, now
from ragjudge.demo.server.refusals import invalid
from ragjudge.demo.server.replies import json_reply, read_json
from ragjudge.demo.server.wire import Reply, Request


class Annotations:
    """The older release answers with its own server error, always."""

    def __init__(self, world: World) -> None:
        self._world = world

    def create(self, request: Request, _: str) -> Reply:
        body = read_json(request)
        self._broken()
        made: JsonObject = {
            "id": self._world.new_id(),
            "question": text(body.get("question")),
            "answer": text(body.get("answer")),
            "hit_count": 0,
            "created_at": now(),
        }
        self._world.memory.annotate(made)
        return json_reply(self._world, made, status=201)

    def listed(self, request: Request, _: str) -> Reply:
        self._broken()
        everything = self._world.memory.annotations()
        page, limit = _count(request, "page", 1), _count(request, "limit", 20)
        shown: list[object] = list(everything[(page - 1) * limit : page * limit])
        body: JsonObject = {"data": shown, "has_more": len(everything) > page * limit}
        return json_reply(self._world, body | {"limit": limit, "total": len(everything), "page": page})

    def _broken(self) -> None:
        if not self._world.dialect.worker_streams:
            raise invalid("current_user must be an Account instance")


def _count(request: Request, name: str, default: int) -> int:
    given = request.query.get(name, "")
    return max(1, int(given[:6])) if given.isascii() and given.isdigit() else default
