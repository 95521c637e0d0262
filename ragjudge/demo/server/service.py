"""Dify's service API for one app: which path does what, who may ask, and what is sent back."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass

from ragjudge.demo.loose import JsonObject
from ragjudge.demo.server.annotations import Annotations
from ragjudge.demo.server.asking import World
from ragjudge.demo.server.dialogue import Dialogue
from ragjudge.demo.server.history import History
from ragjudge.demo.server.knowledge import Knowledge
from ragjudge.demo.server.profile import Profile
from ragjudge.demo.server.refusals import (
    NOT_FOUND_PAGE,
    Refusal,
    refused,
    unauthorized,
)
from ragjudge.demo.server.replies import json_reply
from ragjudge.demo.server.uploads import Uploads
from ragjudge.demo.server.wire import Reply, Request

_LOOKS_AT_COOKIES = ("/v1/apps/annotations",)
"""Pages where the older release looks for a logged-in person (and trips over finding none)."""
_Handler = Callable[[Request, str], Reply]


@dataclass(frozen=True, slots=True)
class _Route:
    method: str
    path: re.Pattern[str]
    handler: _Handler


class Service:
    """Answers requests. One object per published version of the app."""

    def __init__(self, world: World) -> None:
        self._world = world
        dialogue, history, profile = Dialogue(world), History(world), Profile(world)
        annotations = Annotations(world)
        self._routes = [
            _Route(method, re.compile(path), handler)
            for method, path, handler in (
                ("GET", "/v1/info", profile.info),
                ("GET", "/v1/parameters", profile.parameters),
                ("GET", "/v1/meta", profile.meta),
                ("GET", "/v1/site", profile.site),
                ("POST", "/v1/chat-messages", dialogue.chat),
                ("POST", "/v1/chat-messages/([^/]+)/stop", dialogue.stop),
                ("POST", "/v1/completion-messages", dialogue.completion),
                ("POST", "/v1/completion-messages/([^/]+)/stop", dialogue.stop),
                ("POST", "/v1/workflows/run", dialogue.workflow),
                ("POST", "/v1/workflows/tasks/([^/]+)/stop", dialogue.stop),
                ("GET", "/v1/workflows/run/([^/]+)", history.run),
                ("GET", "/v1/messages", history.messages),
                ("POST", "/v1/messages/([^/]+)/feedbacks", history.feedback),
                ("GET", "/v1/messages/([^/]+)/suggested", history.suggested),
                ("GET", "/v1/conversations", history.conversations),
                ("DELETE", "/v1/conversations/([^/]+)", history.delete),
                ("GET", "/v1/conversations/([^/]+)/variables", history.variables),
                ("GET", "/v1/apps/annotations", annotations.listed),
                ("POST", "/v1/apps/annotations", annotations.create),
                ("POST", "/v1/files/upload", Uploads(world).upload),
                ("POST", "/v1/datasets/([^/]+)/retrieve", Knowledge(world).retrieve),
            )
        ]
        if world.dialect.worker_streams:
            events = re.compile("/v1/workflow/([^/]+)/events")
            self._routes.append(_Route("GET", events, history.events))

    def handle(self, request: Request) -> Reply:
        try:
            reply = self._answer(request)
        except Refusal as refusal:
            reply = json_reply(self._world, refusal.body, status=refusal.status)
            if refusal.status == 401:
                reply.headers = {"WWW-Authenticate": 'Bearer realm="api"'}
        reply.headers = {
            **reply.headers,
            **self._usual_headers(request.path, routed=self._is_routed(request, reply)),
        }
        return reply

    def _is_routed(self, request: Request, reply: Reply) -> bool:
        """Whether the request reached the API at all; what did not, lacks the API's own headers."""
        if request.path == "/v1/":
            return True
        return reply.status != 405 and any(route.path.fullmatch(request.path) for route in self._routes)

    def _answer(self, request: Request) -> Reply:
        if request.path == "/health":
            health: JsonObject = {"pid": os.getpid(), "status": "ok", "version": self._world.dialect.version}
            return json_reply(self._world, health)
        if request.path == "/demo/retrievals":
            shown: JsonObject = {"retrievals": self._world.log.as_json()}
            return json_reply(self._world, shown)
        near = [(route, found) for route in self._routes if (found := route.path.fullmatch(request.path))]
        for route, found in near:
            if route.method == request.method:
                self._admit(request)
                return route.handler(request, found.group(1) if found.groups() else "")
        if near:
            raise refused(405, "method_not_allowed", "The method is not allowed for the requested URL.")
        return Reply(404, NOT_FOUND_PAGE.encode(), "text/html; charset=utf-8")

    def _admit(self, request: Request) -> None:
        scheme, blank, key = request.headers.get("authorization", "").partition(" ")
        if not blank:
            raise unauthorized("Authorization header must be provided and start with 'Bearer'")
        if scheme.lower() != "bearer":
            raise unauthorized("Authorization scheme must be 'Bearer'")
        of_datasets = request.path.startswith("/v1/datasets")
        options = self._world.options
        if key.strip() != (options.dataset_key if of_datasets else options.api_key):
            raise unauthorized("Access token is invalid")
        if of_datasets:
            return
        if not self._world.options.api_enabled:
            raise refused(403, "forbidden", "The app's API service has been disabled.")

    def _usual_headers(self, path: str, *, routed: bool) -> dict[str, str]:
        newer = self._world.dialect.worker_streams
        usual = {"X-Version": self._world.dialect.version, "X-Env": "PRODUCTION"}
        if newer or path in _LOOKS_AT_COOKIES:
            usual["Vary"] = "Cookie"
        if routed:
            usual["Access-Control-Allow-Origin"] = "*"
        if routed and newer:
            usual["Access-Control-Expose-Headers"] = "X-Env, X-Trace-Id, X-Version"
        return usual
