"""A loopback GitHub, a client for it, and a clock that only notes how long it was asked to wait."""

import pytest
from pydantic import SecretStr

from ragjudge.github.api import GitHubApi
from tests.github_server import FakeGitHub, Pull

HEAD = "a" * 40


class NotedClock:
    """Stands still; `slept` is what it was asked for."""

    def __init__(self):
        self.slept = []
        self.at = 1_800_000_000.0

    def now(self):
        return self.at

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.at += seconds


@pytest.fixture
def github():
    with FakeGitHub() as server:
        server.token = "ghs_token"
        server.pulls[7] = Pull(head_sha=HEAD)
        yield server


@pytest.fixture
def clock():
    return NotedClock()


@pytest.fixture
def api(github, clock):
    with GitHubApi(github.url, SecretStr("ghs_token"), clock=clock, timeout_s=1.0) as client:
        yield client
