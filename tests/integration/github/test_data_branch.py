"""A branch of plain data, written by several at once."""

import threading

import pytest
from pydantic import SecretStr

from ragjudge.errors import GitHubRefused, GitHubUnreachable
from ragjudge.github.api import GitHubApi
from ragjudge.github.data_branch import DataBranch
from tests.integration.github.conftest import NotedClock


@pytest.fixture
def branch(api, clock):
    return DataBranch(api, "octo/app", "ragjudge-baseline", clock, lambda: 0.5)


def grown(by):
    return lambda current: (current or b"") + by


def test_what_is_written_is_read(branch, github):
    """The first write makes the branch, without a parent; the next builds on it."""
    assert branch.read("a/baseline.json") is None

    branch.write("a/baseline.json", grown("あ".encode()), "one")
    branch.write("a/baseline.json", grown(b"b"), "two")
    branch.write("b.json", grown(b"c"), "three")

    assert branch.read("a/baseline.json") == "あb".encode()
    assert branch.read("b.json") == b"c"
    head = github.objects[github.refs["heads/ragjudge-baseline"]]
    assert len(head["parents"]) == 1


def test_ten_writers_at_once_lose_nothing(github):
    """Each builds on what the others wrote."""

    def write(n):
        with GitHubApi(github.url, SecretStr("ghs_token")) as api:
            DataBranch(api, "octo/app", "data", NotedClock()).write("list", grown(f"{n}\n".encode()), f"{n}")

    threads = [threading.Thread(target=write, args=(n,)) for n in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    with GitHubApi(github.url, SecretStr("ghs_token")) as api:
        text = DataBranch(api, "octo/app", "data").read("list")
    assert sorted(map(str, range(10))) == sorted((text or b"").decode().split())


def test_a_gateway_error_after_the_work_is_no_second_commit(branch, github):
    """The branch is looked at before anything is repeated."""
    branch.write("list", grown(b"1"), "one")
    github.fail_next("PATCH", "git/refs", 502, done_first=True, times=9)

    branch.write("list", grown(b"2"), "two")

    assert branch.read("list") == b"12"


def test_a_missing_right_is_a_refusal_and_not_tried_again(branch, github, clock):
    """`contents: write` is missing."""
    github.fail_next("POST", "git/blobs", 403, body={"message": "Resource not accessible by integration"})

    with pytest.raises(GitHubRefused, match="not accessible"):
        branch.write("list", grown(b"1"), "one")
    assert clock.slept == []


def test_a_protected_branch_is_a_refusal(branch, github):
    """A rule forbids the push: no race, so nothing is repeated."""
    branch.write("list", grown(b"1"), "one")
    github.fail_next("PATCH", "git/refs", 422, body={"message": "Cannot update this protected ref."}, times=9)

    with pytest.raises(GitHubRefused, match="protected"):
        branch.write("list", grown(b"2"), "two")
    assert len([c for c in github.calls if c.method == "PATCH"]) == 1


def test_an_outage_is_not_an_absence(branch, github):
    """Nobody may take a server that is down for a branch that is not there."""
    github.fail_next("GET", "git/ref", 503, times=9)

    with pytest.raises(GitHubUnreachable):
        branch.read("list")
