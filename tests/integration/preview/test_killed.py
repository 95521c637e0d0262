"""`kill -9` at any point of a preview's life: the next run leaves no app and no key on the server."""

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from ragjudge.preview.naming import Owner
from tests.console_server import PASSWORD
from tests.preview_app import DATASET, console, dsl, lend, preview

POINTS = {
    3: "POST /apps/imports",
    4: "GET /check-dependencies",
    5: "POST /workflows/publish",
    6: "GET /workflows/publish",
    8: "GET /export",
    10: "POST /api-keys",
    11: "GET /v1/info",
    13: "POST /v1/chat-messages",
    14: "GET /api-keys",
    15: "DELETE /api-keys",
}
"""After the effect of the process's n-th call (signing in is the first) and before its reply."""
STALE = 12
ROOT = Path(__file__).parents[3]


class Killer:
    """Kills a process in its n-th call; processes are told apart by the account that they sign in with."""

    def __init__(self, server, kind: signal.Signals = signal.SIGKILL) -> None:
        self._kind = kind
        self.killed: dict[int, str] = {}
        self._calls: Counter[int] = Counter()
        self._lock = threading.Lock()
        self._server = server
        self._processes: dict[int, int] = {}
        server.on_served = self._on_served

    def run(self, *points: int) -> list[int]:
        """The processes' return codes."""
        self._server.accounts |= {f"{point}@example.com": PASSWORD for point in points}
        command = [sys.executable, "-m", "tests.preview_process", self._server.url, *map(str, points)]
        with subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as parent:
            pids = map(int, parent.stdout.readline().split())
            self._processes = dict(zip(points, pids, strict=True))
            told, _ = parent.communicate("go\n", timeout=90)
        return list(map(int, told.split()))

    def _on_served(self, account: str, method: str, path: str) -> None:
        point = int(account.partition("@")[0]) if account[:1].isdigit() else 0
        if point not in self._processes:
            return
        with self._lock:
            self._calls[point] += 1
            if self._calls[point] == point:
                self.killed[point] = f"{method} {path}"
                os.kill(self._processes[point], self._kind)


@pytest.mark.slow
def test_after_a_kill_at_ten_points_the_next_runs_leave_nothing():
    """Ten processes judge ten pull requests, each is killed elsewhere; then each pull request runs again."""
    with console() as server:
        killer = Killer(server)
        assert killer.run(*POINTS) == [-signal.SIGKILL] * len(POINTS)
        for point, call in POINTS.items():
            method, _, path = call.partition(" ")
            assert killer.killed[point].startswith(method)
            assert path in killer.killed[point]
        left = len(server.apps)
        assert left == len(POINTS)
        assert server.living_keys

        for number, point in enumerate(POINTS, start=1):
            lease = lend(server, preview(dsl(dataset=DATASET), Owner("octo/bot", point)))
            assert lease.proof.equal
            assert len(server.apps) == left - number
        assert server.living_keys == []


def test_one_later_run_of_anybody_sweeps_what_is_stale():
    """A pull request that never runs again: seven hours later somebody else's run removes its app and key."""
    with console() as server:
        assert Killer(server).run(STALE) == [-signal.SIGKILL]
        assert (len(server.apps), len(server.living_keys)) == (1, 1)
        server.workspace.now += 7 * 3600
        lend(server, preview(dsl(dataset=DATASET), Owner("octo/bot", 99)))
        assert (server.apps, server.living_keys) == ([], [])


def test_an_interrupted_process_cleans_up_by_itself():
    """Ctrl+C, and SIGTERM as the action hands it on: key and app are gone when the process ends."""
    with console() as server:
        killer = Killer(server, signal.SIGINT)
        assert killer.run(5, 10, 13) == [130, 130, 130]
        assert killer.killed[13] == "POST /v1/chat-messages"
        assert len(server.tokens) == 2
        assert (server.apps, server.living_keys) == ([], [])
