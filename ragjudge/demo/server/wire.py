"""HTTP/1.1 on loopback: parses requests, sends bodies and event streams. Knows nothing of what they mean."""

import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

_LARGEST_BODY = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Request:
    """Header names are in lower case; of repeated query keys the first counts."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes


@dataclass(slots=True)
class Reply:
    """A status with either a body or a stream of pieces.

    `done` is called once in any case. `cut` is set where the client went away before the end; the stream is read
    to its end all the same, as a server goes on with a run that nobody listens to any more.
    """

    status: int
    body: bytes = b""
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    stream: Iterator[bytes] | None = None
    cut: threading.Event = field(default_factory=threading.Event)
    done: Callable[[], None] = lambda: None


class WebServer:
    """Serves `handle` on 127.0.0.1 from threads of its own, from `start` to `stop`."""

    def __init__(self, port: int, handle: Callable[[Request], Reply]) -> None:
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.handle_it = handle
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, name="demo-server", daemon=True
        )

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Accept nothing more and close. Answers under way end with their threads."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    handle_it: Callable[[Request], Reply]

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is nothing to tell; anything else is."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        self._serve()

    do_POST = do_DELETE = do_PUT = do_PATCH = do_HEAD = do_OPTIONS = do_GET  # noqa: N815  (names that http.server looks for)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (http.server's own name)
        """Say nothing: a demo's output is its story."""

    def _serve(self) -> None:
        body = self._read_body()
        if body is None:
            self.close_connection = True
            self.send_error(413)
            return
        target = urlsplit(self.path)
        query: dict[str, str] = {}
        for key, value in parse_qsl(target.query, keep_blank_values=True):
            query.setdefault(key, value)
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.server.handle_it(Request(self.command, target.path, query, headers, body))
        try:
            self._send(reply)
        finally:
            reply.done()

    def _read_body(self) -> bytes | None:
        given = self.headers.get("Content-Length", "0")
        if not given.isascii() or not given.isdigit() or int(given) > _LARGEST_BODY:
            return None
        return self.rfile.read(int(given))

    def _send(self, reply: Reply) -> None:
        try:
            self.send_response_only(reply.status)
            self.send_header("Content-Type", reply.content_type)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.stream is not None:
                self.send_header("Transfer-Encoding", "chunked")
            elif reply.status != 204:
                self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            if reply.stream is None:
                self.wfile.write(reply.body if self.command != "HEAD" else b"")
        except OSError:
            reply.cut.set()
        if reply.stream is not None:
            self._send_stream(reply, reply.stream)
        if reply.cut.is_set():
            self.close_connection = True

    def _send_stream(self, reply: Reply, stream: Iterator[bytes]) -> None:
        for piece in stream:
            self._try_write(reply, b"%x\r\n%b\r\n" % (len(piece), piece))
        self._try_write(reply, b"0\r\n\r\n")

    def _try_write(self, reply: Reply, data: bytes) -> None:
        if reply.cut.is_set():
            return
        try:
            self.wfile.write(data)
        except OSError:
            reply.cut.set()
