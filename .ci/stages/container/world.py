"""What the workflows meet on loopback: a Dify app that can be degraded, a scripted judge, a GitHub that remembers."""

import socket
import threading
import time
from dataclasses import dataclass, field
from typing import Self

from ragjudge.demo.corpus import load_corpus
from ragjudge.demo.definition import load_app
from ragjudge.demo.packaged import APP, CORPUS, DEGRADED_APP
from ragjudge.demo.server import DemoServer, ServerOptions
from tests.github_server import FakeGitHub
from tests.judge_server import JudgeServer

APP_KEY = "app-Container+Secret/1"
JUDGE_KEY = "sk-Container-Secret-2"
TOKEN = "ghs_ContainerSecret3"
SECRETS = (APP_KEY, JUDGE_KEY, TOKEN)


class Watched:
    """Forwards to the app and notes when the first question came by."""

    def __init__(self, to_port: int) -> None:
        self.first_question: float | None = None
        self._to = to_port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def forget(self) -> None:
        self.first_question = None

    def _serve(self) -> None:
        while True:
            here, _ = self._listening.accept()
            there = socket.create_connection(("127.0.0.1", self._to))
            threading.Thread(target=self._pump, args=(here, there, True), daemon=True).start()
            threading.Thread(target=self._pump, args=(there, here, False), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, asking: bool) -> None:
        try:
            while data := source.recv(65536):
                if asking and self.first_question is None and b"/chat-messages" in data:
                    self.first_question = time.time()
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            sink.close()


@dataclass
class World:
    """Use as a context manager."""

    app: DemoServer = field(
        default_factory=lambda: DemoServer(load_app(APP), load_corpus(CORPUS), ServerOptions(api_key=APP_KEY))
    )
    judge: JudgeServer = field(default_factory=JudgeServer)
    github: FakeGitHub = field(default_factory=FakeGitHub)

    def __enter__(self) -> Self:
        self.app.start()
        self.judge.__enter__()
        self.github.__enter__()
        self.github.token = TOKEN
        self.watched = Watched(int(self.app.base_url.rsplit(":", 1)[1].split("/")[0]))
        return self

    def __exit__(self, *_: object) -> None:
        self.app.stop()
        self.judge.__exit__()
        self.github.__exit__()

    @property
    def app_url(self) -> str:
        return f"http://127.0.0.1:{self.watched.port}/v1"

    def degrade(self) -> None:
        self.app.publish(load_app(DEGRADED_APP))

    def restore(self) -> None:
        self.app.publish(load_app(APP))
