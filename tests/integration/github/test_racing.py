"""Two runs that end at the same moment, as two threads against one loopback GitHub."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import SecretStr

from ragjudge.github.api import GitHubApi
from ragjudge.github.comment import CommentMode, Fate, StickyComment
from ragjudge.github.marker import Marker
from tests.github_server import BOT
from tests.integration.github.conftest import HEAD

OLDER, NEWER = 100, 101


def marker(run):
    return Marker(suite="rag.json", head=HEAD, run=run, attempt=1, number=run)


def body(run):
    return f"{marker(run)}\nreport of {run}"


class Gate:
    """GitHub as seen by one run: `hold` holds its first call of a method until another event happened."""

    def __init__(self, github, method, until):
        self.method, self.until = method, until
        self.held = threading.Event()
        self.client = GitHubApi(github.url, SecretStr("ghs_token"), timeout_s=5.0)

    def __getattr__(self, name):
        return getattr(self.client, name)

    def send(self, method, *args, **more):
        if method == self.method and not self.held.is_set():
            self.held.set()
            assert self.until.wait(5)
        return self.client.send(method, *args, **more)


class After:
    """GitHub as seen by the other run: `written` is set right after its first call of a method."""

    def __init__(self, github, method, start):
        self.method, self.start = method, start
        self.written = threading.Event()
        self.client = GitHubApi(github.url, SecretStr("ghs_token"), timeout_s=5.0)

    def __getattr__(self, name):
        return getattr(self.client, name)

    def send(self, method, *args, **more):
        if method == self.method and not self.written.is_set():
            assert self.start().wait(5)
            answer = self.client.send(method, *args, **more)
            self.written.set()
            return answer
        return self.client.send(method, *args, **more)


def post(api, run):
    return StickyComment(api, "octo/app", 7, marker(run)).post(f"report of {run}", CommentMode.UPDATE)


def race(github, method):
    """The older run has looked and is about to write; the newer writes; then the older's write arrives."""
    gate = None
    fast = After(github, method, lambda: gate.held)
    gate = Gate(github, method, fast.written)
    with ThreadPoolExecutor(2) as threads, gate.client, fast.client:
        older, newer = threads.submit(post, gate, OLDER), threads.submit(post, fast, NEWER)
        return older.result(20), newer.result(20)


def test_an_older_update_that_arrives_last_does_not_stay(github):
    """Both found the same comment; the older's PATCH is the last to be served."""
    github.add_comment(7, body(50), BOT)

    older, newer = race(github, "PATCH")

    assert github.bodies(7) == [body(NEWER)]
    assert newer.fate is Fate.UPDATED
    assert [call.body["body"] for call in github.calls if call.method == "PATCH"][:2] == [
        body(NEWER),
        body(OLDER),
    ]
    assert older.fate in (Fate.UPDATED, Fate.LEFT_TO_NEWER)


def test_of_two_first_comments_the_newer_stays(github):
    """Both found none; each made one, the older's came last and goes again."""
    older, newer = race(github, "POST")

    assert github.bodies(7) == [body(NEWER)]
    assert (older.fate, newer.fate) == (Fate.LEFT_TO_NEWER, Fate.CREATED)
    assert older.url == newer.url
    assert len(github.made("DELETE")) == 1


@pytest.mark.parametrize("there", [True, False])
def test_ten_runs_at_once_leave_the_newest_report(github, there):
    """In reverse order, without any help in timing."""
    if there:
        github.add_comment(7, body(50), BOT)
    apis = [GitHubApi(github.url, SecretStr("ghs_token"), timeout_s=5.0) for _ in range(10)]
    with ThreadPoolExecutor(10) as threads:
        runs = [threads.submit(post, api, NEWER + 9 - n) for n, api in enumerate(apis)]
        assert all(run.result(30).fate is not Fate.NOT_POSTED for run in runs)
    for api in apis:
        api.close()

    assert github.bodies(7)[-1:] == [body(NEWER + 9)]
    assert len(github.bodies(7)) == 1


def test_a_comment_that_may_not_be_removed_stays_beside_the_newer(github, api):
    """No right to delete: two comments, no error."""
    github.fail_next("DELETE", "comments", 403, times=9)

    older, newer = race(github, "POST")

    assert (older.fate, newer.fate) == (Fate.CREATED, Fate.CREATED)
    assert set(github.bodies(7)) == {body(OLDER), body(NEWER)}


def test_a_server_that_does_not_show_single_comments_is_no_trouble(github, api):
    """What was written counts."""
    github.add_comment(7, body(50), BOT)
    github.fail_next("GET", "/issues/comments/", 404, times=9)

    assert post(api, NEWER).fate is Fate.UPDATED
    assert github.bodies(7) == [body(NEWER)]
