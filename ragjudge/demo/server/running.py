"""Starts and stops the server, and lets a new version of the app be published while it runs."""

import threading
import uuid
from types import TracebackType
from typing import Self

from ragjudge.demo.corpus import Corpus
from ragjudge.demo.definition import AppDefinition
from ragjudge.demo.retrieval import Index
from ragjudge.demo.retrieval_log import RetrievalLog
from ragjudge.demo.server.asking import World
from ragjudge.demo.server.memory import Memory
from ragjudge.demo.server.options import ServerOptions, dialect_of
from ragjudge.demo.server.service import Service
from ragjudge.demo.server.wire import Reply, Request, WebServer


class DemoServer:
    """One Dify app on loopback, as a context manager.

    >>> with DemoServer(app, corpus) as server:  # doctest: +SKIP
    ...     ask(server.base_url, server.api_key)
    """

    def __init__(self, app: AppDefinition, corpus: Corpus, options: ServerOptions | None = None) -> None:
        self._options = options or ServerOptions()
        self._index = Index(corpus)
        self._memory = Memory()
        self._closing = threading.Event()
        self.log = RetrievalLog()
        self._service = self._serving(app)
        self._web = WebServer(self._options.port, self._handle)

    @property
    def base_url(self) -> str:
        """The service API's address, ending in `/v1`."""
        return f"http://127.0.0.1:{self._web.port}/v1"

    @property
    def api_key(self) -> str:
        return self._options.api_key

    def publish(self, app: AppDefinition) -> None:
        """Answer with another version from now on. Answers under way end as they began; memory is kept."""
        self._service = self._serving(app)

    def start(self) -> None:
        self._web.start()

    def stop(self) -> None:
        self._closing.set()
        self._web.stop()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, where: TracebackType | None
    ) -> None:
        self.stop()

    def _handle(self, request: Request) -> Reply:
        return self._service.handle(request)

    def _serving(self, app: AppDefinition) -> Service:
        world = World(
            app=app,
            index=self._index,
            options=self._options,
            dialect=dialect_of(self._options.release),
            memory=self._memory,
            log=self.log,
            new_id=lambda: str(uuid.uuid4()),
            closing=self._closing,
        )
        return Service(world)
