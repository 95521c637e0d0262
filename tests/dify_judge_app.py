"""A Dify chatflow that grades, on loopback: Dify's service API outside, the scripted judge's sense inside."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.dify_events import finished, message_end, says, started
from tests.judge_server import Asked, by_meaning


class DifyJudgeApp:
    """Use as a context manager. `queries` is everything it was asked; `base_url` ends in `/v1`."""

    def __init__(self, api_key: str) -> None:
        self.api_key = api_key
        self.queries: list[str] = []
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

    def reply(self, query: str) -> str:
        self.queries.append(query)
        if '"ready"' in query:
            return '{"ready": true}'
        asked = Asked(len(self.queries), "/chat/completions", {}, {"messages": [_user(query)]})
        return f"```json\n{json.dumps(by_meaning(asked), ensure_ascii=False)}\n```"


def _user(query: str) -> dict[str, str]:
    return {"role": "user", "content": query}


def _handler(app: DifyJudgeApp):
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
            known = {
                "/v1/info": {"name": "採点係", "description": "", "tags": [], "mode": "advanced-chat"},
                "/v1/parameters": {"user_input_form": [], "retriever_resource": {"enabled": False}},
            }
            if self._allowed():
                found = known.get(self.path.partition("?")[0])
                self._send(200, found) if found else self._send(404, {"code": "not_found", "message": ""})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            if not self._allowed():
                return
            reply = app.reply(body["query"])
            stream = b"".join((started(), says(reply), message_end(), finished({"answer": reply})))
            self._send(200, stream, "text/event-stream")

        def do_DELETE(self) -> None:
            if self._allowed():
                self._send(204, b"")

        def _send(self, status: int, body: Any, kind: str = "application/json") -> None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler
