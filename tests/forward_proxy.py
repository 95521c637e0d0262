"""A real forward proxy on loopback: CONNECT tunnels and plain requests by absolute address. Keeps whom it was asked for."""

import socket
import threading
from typing import Self
from urllib.parse import urlsplit


class ForwardProxy:
    """Use as a context manager; `url` goes into HTTP_PROXY and HTTPS_PROXY. `asked` holds `(method, host, port)`."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, int]] = []
        self._tunnels: list[threading.Thread] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def __enter__(self) -> Self:
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Waits for the tunnels, whose two ends are closed by then."""
        self._listening.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listening.close()
        for tunnel in self._tunnels:
            tunnel.join(5)

    @property
    def ports(self) -> set[int]:
        return {port for _, _, port in self.asked}

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            tunnel = threading.Thread(target=self._serve, args=(client,), daemon=True)
            self._tunnels.append(tunnel)
            tunnel.start()

    def _serve(self, client: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            data = client.recv(65536)
            if not data:
                client.close()
                return
            head += data
        method, target, version = head.split(b"\r\n", 1)[0].decode().split(" ")
        if method == "CONNECT":
            host, _, port = target.rpartition(":")
            server = self._reach(method, host, int(port))
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            split = urlsplit(target)
            server = self._reach(method, split.hostname or "", split.port or 80)
            path = split.path + (f"?{split.query}" if split.query else "")
            rest = head.split(b"\r\n", 1)[1]
            server.sendall(f"{method} {path} {version}\r\nConnection: close\r\n".encode() + rest)
        back = threading.Thread(target=_pump, args=(server, client), daemon=True)
        back.start()
        _pump(client, server)
        back.join()
        client.close()
        server.close()

    def _reach(self, method: str, host: str, port: int) -> socket.socket:
        self.asked.append((method, host, port))
        return socket.create_connection((host, port))


def _pump(source: socket.socket, sink: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass
