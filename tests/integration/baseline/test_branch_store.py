"""The data branch on a real bare repository and on GitHub's API over loopback."""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import timedelta

import pytest
from pydantic import SecretStr

from ragjudge.baseline.branch_store import BranchStore, CommitStore
from ragjudge.baseline.git_branch import GitBranch
from ragjudge.baseline.github_branch import GitHubBranch
from ragjudge.baseline.patience import Patience
from ragjudge.baseline.update import entry_of, renewed
from ragjudge.compare.drift import pin
from ragjudge.errors import BaselineNotAllowed, BaselineUnreachable, DamagedFile, StoredFileFault
from ragjudge.exit_codes import ExitCode
from ragjudge.github.api import GitHubApi
from ragjudge.github.base_branch import BaseBranch
from tests.builders import NOON, scored_run
from tests.github_server import FakeGitHub

AT_ONCE = Patience(sleep=lambda _: None, random=lambda: 0.5)
SUITE, BASE = "tests/rag/*.json", "main"


class NoWaiting:
    def now(self):
        return NOON

    def sleep(self, seconds):
        pass


def git(folder, *arguments):
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True)
    return done.stdout


def kept(*values, old=None, at=NOON):
    run = scored_run({f"c{n}": [v] for n, v in enumerate(values)})
    return renewed(old, run, stored_at=at, store_answers=True)


@pytest.fixture
def remote(tmp_path):
    """A bare repository with one commit on main."""
    bare, work = tmp_path / "remote.git", tmp_path / "work"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(bare)], check=True)
    subprocess.run(["git", "clone", "-q", str(bare), str(work)], check=True, capture_output=True)
    (work / "app.txt").write_text("app")
    git(work, "add", "app.txt")
    git(work, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "app")
    git(work, "push", "-q", "origin", "HEAD:main")
    return bare


@pytest.fixture(params=["git", "github"])
def new_store(request, tmp_path):
    """Makes stores that write to one and the same branch."""
    if request.param == "git":
        bare = request.getfixturevalue("remote")
        yield lambda suite=SUITE: BranchStore(_git_branch(bare), suite=suite, base_branch=BASE)
        return
    with FakeGitHub() as github, ExitStack() as clients:

        def make(suite=SUITE):
            branch = _github_branch(github, clients)
            return BranchStore(branch, suite=suite, base_branch=BASE)

        yield make


def _git_branch(bare):
    return GitBranch(str(bare), "ragjudge-baseline", environ=os.environ, patience=AT_ONCE)


def _github_branch(github, clients):
    api = clients.enter_context(GitHubApi(github.url, SecretStr("t"), clock=NoWaiting()))
    return GitHubBranch(api, github.repository, "ragjudge-baseline", patience=AT_ONCE)


def test_no_branch_is_no_baseline(new_store):
    assert new_store().load() is None


def test_a_repository_that_the_token_may_not_see_is_not_one_without_a_baseline(tmp_path):
    """GitHub answers 404 to both: the first is told as a missing right, for a branch and for a file."""
    with FakeGitHub() as github, ExitStack() as clients:
        branch = _github_branch(github, clients)
        file = CommitStore(BaseBranch(branch._api, github.repository, "b" * 40), "baseline.json")
        assert file.load() is None
        github.fail_next("GET", "/repos/octo/app$", 404, body={"message": "Not Found"}, times=2)

        for store in (BranchStore(branch, suite=SUITE, base_branch=BASE), file):
            with pytest.raises(BaselineNotAllowed) as refused:
                store.load()
            assert "contents: read" in refused.value.in_language("ja")
            assert refused.value.exit_code is ExitCode.MUST_CHANGE


def test_what_was_saved_is_loaded(new_store):
    """And a second suite on the same branch has a baseline of its own."""
    new_store().change(lambda _: kept(5, 4))
    new_store("other.csv").change(lambda _: kept(1))

    assert kept(5, 4) == new_store().load()
    assert kept(1) == new_store("other.csv").load()
    assert new_store("third.csv").load() is None


@pytest.mark.parametrize("writers", [3])
def test_writers_at_the_same_time_all_get_in(new_store, writers):
    """One suite each, then all on the same suite: nothing of anybody is lost."""
    with ThreadPoolExecutor(writers) as pool:
        list(pool.map(lambda n: new_store(f"suite-{n}").change(lambda _: kept(n)), range(1, writers + 1)))
    assert [kept(n) for n in range(1, writers + 1)] == [
        new_store(f"suite-{n}").load() for n in range(1, writers + 1)
    ]

    with ThreadPoolExecutor(writers) as pool:
        at = [NOON + timedelta(minutes=n) for n in range(1, writers + 1)]
        list(
            pool.map(
                lambda n: new_store().change(lambda old: kept(n, old=old, at=at[n - 1])),
                range(1, writers + 1),
            )
        )
    found = new_store().load()
    seen = [e.means["correctness"] for e in found.history] + [found.run.cases[0].scored("correctness")[0]]
    assert sorted(map(float, range(1, writers + 1))) == sorted(seen)


def test_an_update_that_was_overtaken_keeps_the_other_one_in_the_history(new_store):
    """B7: both jobs loaded the same baseline."""
    first, second = new_store(), new_store()
    first.change(lambda _: kept(5))
    second.load()
    first.change(lambda old: kept(4, old=old, at=NOON + timedelta(hours=1)))
    second.change(lambda old: kept(3, old=old, at=NOON + timedelta(hours=2)))

    found = new_store().load()
    assert [5.0, 4.0] == [entry.means["correctness"] for entry in found.history]
    assert (3.0,) == found.run.cases[0].scored("correctness")


def test_an_anchor_that_is_set_during_an_update_takes_nothing_back(new_store):
    """A person pins while a merge stores: the newest baseline and the anchor are both there."""
    first, second = new_store(), new_store()
    first.change(lambda _: kept(5))

    def pinned(current):
        if second.load() == kept(5):
            first.change(lambda old: kept(4, old=old, at=NOON + timedelta(hours=1)))
        return pin(current, entry_of(current.run, at=current.stored_at))

    second.change(pinned)

    found = new_store().load()
    assert (found.run, found.pinned.means) == (kept(4).run, {"correctness": 4.0})
    assert [{"correctness": 5.0}] == [entry.means for entry in found.history]


def test_the_branchs_log_says_what_each_change_was_for(remote):
    """`git log` of the data branch is where a person looks first."""
    store = BranchStore(_git_branch(remote), suite=SUITE, base_branch=BASE)
    store.change(lambda _: kept(5), note="Commit: abc")
    store.change(lambda old: kept(4, old=old))

    assert ["", "Commit: abc"] == git(remote, "log", "--format=%b<", "ragjudge-baseline").replace(
        "\n", ""
    ).split("<")[:2]


def test_a_damaged_file_is_replaced_only_on_demand(new_store):
    store = new_store()
    store.change(lambda _: kept(5))
    store._branch.write(store._path, lambda data: data[:50], "damage")

    with pytest.raises(DamagedFile, match="damaged") as caught:
        store.change(lambda _: kept(4))
    assert "--accept" in caught.value.in_language("ja")
    store.change(lambda old: kept(4, old=old), replace_damaged=True)

    assert kept(4) == new_store().load()


def test_a_checkout_is_never_touched(remote, tmp_path):
    """Neither its files nor its index, branch or config."""
    work = tmp_path / "work"
    (work / "half-done.txt").write_text("mine")
    git(work, "add", "half-done.txt")
    before = git(work, "status", "--porcelain"), git(work, "config", "--list"), git(work, "branch", "-a")
    store = BranchStore(
        GitBranch(
            str(remote),
            "ragjudge-baseline",
            environ={**os.environ, "GIT_DIR": str(work / ".git")},
            patience=AT_ONCE,
        ),
        suite=SUITE,
        base_branch=BASE,
    )
    store.change(lambda _: kept(5))

    after = git(work, "status", "--porcelain"), git(work, "config", "--list"), git(work, "branch", "-a")
    assert before == after
    assert "app" == git(remote, "show", "main:app.txt")
    assert "1" == git(remote, "rev-list", "--count", "ragjudge-baseline").strip()


@pytest.mark.parametrize(
    ("remote", "error"),
    [("http://127.0.0.1:9/r.git", BaselineUnreachable), ("/nowhere/r.git", BaselineNotAllowed)],
)
def test_a_remote_that_is_not_there_is_not_one_without_a_baseline(remote, error):
    """B4: nobody answers, which may pass; or there is no such repository, which will not."""
    store = BranchStore(_git_branch(remote), suite=SUITE, base_branch=BASE)

    with pytest.raises(error) as caught:
        store.load()
    assert caught.value.exit_code in (ExitCode.CANNOT_TELL, ExitCode.MUST_CHANGE)


def test_a_damaged_file_on_the_branch_is_an_error(remote):
    branch = _git_branch(remote)
    store = BranchStore(branch, suite=SUITE, base_branch=BASE)
    store.change(lambda _: kept(5))
    path = store.describe().removeprefix("branch:ragjudge-baseline/")
    branch.write(path, lambda data: data[: len(data) // 2], "cut")

    with pytest.raises(StoredFileFault) as caught:
        store.load()
    assert "ragjudge-baseline" in str(caught.value)
    with pytest.raises(StoredFileFault):
        BranchStore(branch, suite=SUITE, base_branch=BASE).change(lambda _: kept(4))


def test_a_branch_that_a_rule_protects_says_how_to_go_on(remote):
    """B8: GH013. Nothing is lost and the sentence names the way out."""
    hook = remote / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'GH013: Repository rule violations found' >&2\nexit 1\n")
    hook.chmod(0o755)

    with pytest.raises(BaselineNotAllowed, match="GH013") as caught:
        BranchStore(_git_branch(remote), suite=SUITE, base_branch=BASE).change(lambda _: kept(5))
    assert "Nothing was lost" in caught.value.hint.en


@pytest.mark.parametrize(
    ("status", "message", "expected"),
    [
        (403, "Resource not accessible by integration", BaselineNotAllowed),
        (401, "Bad credentials", BaselineNotAllowed),
        (422, "Changes must be made through a protected branch rule violation", BaselineNotAllowed),
        (503, "Service unavailable", BaselineUnreachable),
    ],
)
def test_each_trouble_of_the_api_has_its_own_error(status, message, expected):
    """Being refused needs a change; being unreachable needs patience."""
    with FakeGitHub() as github, ExitStack() as clients:
        store = BranchStore(_github_branch(github, clients), suite=SUITE, base_branch=BASE)
        github.fail_next("POST", r".*/git/refs", status, body={"message": message}, times=20)
        with pytest.raises(expected) as caught:
            store.change(lambda _: kept(5))

    assert caught.value.hint is not None


@pytest.mark.parametrize("first", [True, False])
def test_a_line_that_is_cut_after_the_work_was_done_is_no_failure(first):
    """The branch itself is asked, so that the update is neither repeated nor reported as lost."""
    with FakeGitHub() as github, ExitStack() as clients:
        store = BranchStore(_github_branch(github, clients), suite=SUITE, base_branch=BASE)
        if not first:
            store.change(lambda _: kept(1))
        method = "POST" if first else "PATCH"
        github.fail_next(method, r".*/git/refs.*", cut=True, done_first=True)
        store.change(lambda _: kept(5))

        assert kept(5).run == store.load().run
