"""Prism as a server, and a forwarder in front of it that keeps each exchange and can ask for an answer by status."""

import http
import http.client
import json
import re
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

MEDIA_TYPES = re.compile(r"application/vnd\.github(\.raw)?\+json")
"""GitHub describes its own media types in prose, not in the description: Prism is asked for plain JSON."""
SLASHED = re.compile(r"(/git/refs?/|/contents/)(.+)")


@dataclass(frozen=True)
class Exchange:
    method: str
    path: str
    status: int
    violations: str
    """What the description does not allow in the request, as Prism says it; empty where all is well."""


class Prism:
    """The mock server's process, as a context manager."""

    def __init__(self, command: str, description: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self._command = [command, "mock", "--host", "127.0.0.1", "--port", str(self.port), description]

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        give_up = time.monotonic() + 120
        while time.monotonic() < give_up:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                time.sleep(0.2)
            else:
                return self
        raise SystemExit("prism does not listen")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(10)


class Forwarder:
    """`wanted` is the status that Prism shall answer with; `rewrite` may replace an answer's body, by path."""

    def __init__(self, prism: Prism) -> None:
        self.seen: list[Exchange] = []
        self.wanted: tuple[str, str, int] | None = None
        """(method, pattern of the path, status); other calls get their usual answer."""
        self.rewrite: dict[str, Callable[[object], object]] = {}
        self.absent = ""
        """Calls that get a 404, though Prism is asked."""
        self.moved_to = b""
        """What stands at the place that a 302 names."""
        self._prism = prism
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def exchange(
        self, method: str, path: str, body: bytes, headers: dict[str, str]
    ) -> tuple[int, bytes, str]:
        bare = path.partition("?")[0]
        sent = {"Accept": MEDIA_TYPES.sub("application/json", headers.get("accept", ""))}
        if body:
            sent["Content-Type"] = headers.get("content-type", "")
        if self.wanted and self.wanted[0] == method and re.fullmatch(self.wanted[1], bare):
            sent["Prefer"] = f"code={self.wanted[2]}"
        connection = http.client.HTTPConnection("127.0.0.1", self._prism.port, timeout=30)
        # The description has `{ref}` and `{path}` with slashes in them; Prism knows them in one segment only.
        place = SLASHED.sub(lambda found: found[1] + found[2].replace("/", "%2F"), bare) + path[len(bare) :]
        connection.request(method, place, body or None, sent)
        answer = connection.getresponse()
        data = answer.read()
        # Prism also reports its own made-up answers where they miss the description.
        found = json.loads(answer.getheader("sl-violations") or "[]")
        violations = json.dumps([v for v in found if v["location"][0] == "request"]) if found else ""
        self.seen.append(Exchange(method, bare, answer.status, "" if violations == "[]" else violations))
        if self.absent and re.fullmatch(self.absent, f"{method} {bare}"):
            return 404, b'{"message": "Not Found"}', "application/json"
        for pattern, change in self.rewrite.items():
            if re.fullmatch(pattern, f"{method} {bare}") and answer.status < 300:
                data = json.dumps(change(json.loads(data))).encode()
        return answer.status, data, answer.getheader("content-type") or "application/json"


def _handler(forwarder: Forwarder) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def forward(self) -> None:
            if self.path == "/moved":
                self.answer(200, forwarder.moved_to, "application/zip")
                return
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            self.answer(*forwarder.exchange(self.command, self.path, body, headers))

        def answer(self, status: int, data: bytes, kind: str) -> None:
            self.send_response(status)
            if status == http.HTTPStatus.FOUND:
                self.send_header("Location", f"{forwarder.url}/moved")
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    for method in ("GET", "POST", "PATCH", "PUT", "DELETE"):
        setattr(Handler, f"do_{method}", Handler.forward)
    return Handler
