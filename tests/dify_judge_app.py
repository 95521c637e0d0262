"""A Dify app that grades, on loopback: Dify's service API outside, the scripted judge's sense inside."""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

from tests.dify_events import CONVERSATION, WORKFLOW, finished, llm, message_end, says, started
from tests.judge_server import Asked, Fault, by_meaning


class DifyJudgeApp:
    """Use as a context manager. `queries` is everything it was asked; `base_url` ends in `/v1`.

    Set `workflow_id` for a version that was published anew, `answer` for other verdicts (a `Fault` for a refusal).
    `kept` holds the conversations in its log, with their users.
    """

    def __init__(self, api_key: str, mode: str = "advanced-chat") -> None:
        self.api_key = api_key
        self.mode = mode
        self.workflow_id = WORKFLOW
        self.answer: Callable[[Asked], Any] = by_meaning
        self.queries: list[str] = []
        self.kept: dict[str, str] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self):
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def reply(self, query: str) -> str | Fault:
        self.queries.append(query)
        if '"ready"' in query:
            return '{"ready": true}'
        asked = Asked(len(self.queries), "/chat/completions", {}, {"messages": [_user(query)]})
        said = self.answer(asked)
        return said if isinstance(said, Fault) else f"```json\n{json.dumps(said, ensure_ascii=False)}\n```"

    def stream(self, reply: str, user: str) -> bytes:
        """The events of one answer; where the app keeps conversations, it now keeps one more."""
        if self.mode == "completion":
            return says(reply) + message_end()
        begun, ended = (
            started(workflow_id=self.workflow_id),
            finished({"answer": reply}, workflow_id=self.workflow_id),
        )
        if self.mode == "workflow":
            return begun + llm(reply) + ended
        conversation = f"conversation-{len(self.queries)}"
        self.kept[conversation] = user
        chat = says(reply) + message_end()
        whole = begun + llm(reply) + chat + ended if self.mode == "advanced-chat" else chat
        return whole.replace(CONVERSATION.encode(), conversation.encode())


def _user(query: str) -> dict[str, str]:
    return {"role": "user", "content": query}


def _handler(app: DifyJudgeApp):
    variable = {"variable": "query", "label": "query", "required": True}
    form = [{"paragraph": variable}] if app.mode in ("completion", "workflow") else []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def _allowed(self) -> bool:
            if self.headers.get("authorization") == f"Bearer {app.api_key}":
                return True
            self._send(401, {"code": "unauthorized", "message": "Access token is invalid", "status": 401})
            return False

        def do_GET(self) -> None:
            if not self._allowed():
                return
            path, _, query = self.path.partition("?")
            users = parse_qs(query).get("user", [])
            known = {
                "/v1/info": {"name": "採点係", "description": "", "tags": [], "mode": app.mode},
                "/v1/parameters": {"user_input_form": form, "retriever_resource": {"enabled": False}},
                "/v1/conversations": {
                    "data": [{"id": name} for name, user in app.kept.items() if [user] == users],
                    "has_more": False,
                },
            }
            found = known.get(path)
            self._send(200, found) if found else self._send(404, {"code": "not_found", "message": ""})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            if not self._allowed():
                return
            reply = app.reply(body["inputs"]["query"] if form else body["query"])
            if isinstance(reply, Fault):
                self._send(reply.status, reply.error)
            else:
                self._send(200, app.stream(reply, body["user"]), "text/event-stream")

        def do_DELETE(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            if self._allowed():
                found = app.kept.pop(self.path.rpartition("/")[2], None)
                self._send(404 if found is None else 204, b"")

        def _send(self, status: int, body: Any, kind: str = "application/json") -> None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler
