"""A baseline goes the way that the user's own `git push` goes, and a refusal that lasts is told at once."""

import os
import subprocess
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from ragjudge.baseline.branch_store import trouble_with
from ragjudge.baseline.checkout_config import REMOTE, carried_over, entries
from ragjudge.baseline.git_branch import GitBranch
from ragjudge.baseline.github_branch import GitHubBranch
from ragjudge.baseline.patience import Patience
from ragjudge.errors import BaselineNotAllowed, BaselineUnreachable, GitHubRefused
from ragjudge.github.api import GitHubApi
from tests.github_server import FakeGitHub
from tests.integration.baseline.test_branch_store import NoWaiting, git

BRANCH = "ragjudge-baseline"


class Slept(list):
    @property
    def patience(self):
        return Patience(sleep=self.append, random=lambda: 0.5)


@pytest.fixture
def checkout(tmp_path):
    """A checkout of a bare repository with one commit on main."""
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "r.git")
    git(tmp_path, "clone", "-q", "r.git", "work")
    work = tmp_path / "work"
    git(work, "config", "user.name", "t")
    git(work, "config", "user.email", "t@example.com")
    git(work, "commit", "-q", "--allow-empty", "-m", "app")
    git(work, "push", "-q", "origin", "HEAD:main")
    return work


def branch_of(checkout, name=BRANCH, slept=None):
    patience = (slept if slept is not None else Slept()).patience
    return GitBranch(REMOTE, name, environ=os.environ, patience=patience, checkout=checkout)


def script(tmp_path, text):
    path = tmp_path / "ssh.sh"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def over_ssh(checkout, text):
    """The remote's address is one of ssh, and `core.sshCommand` of this checkout alone says how it is reached."""
    git(checkout, "remote", "set-url", "origin", f"ssh://git@nowhere.invalid{checkout.parent}/r.git")
    git(checkout, "config", "core.sshCommand", str(script(checkout.parent, text)))


def as_ssh(checkout):
    """Stands for `ssh -i deploy_key`: runs the command here."""
    over_ssh(checkout, 'shift; exec sh -c "$*"')


def with_another_address(checkout):
    """An address that only this checkout's config can resolve."""
    git(checkout, "remote", "set-url", "origin", "ours:r.git")
    git(checkout, "config", f"url.{checkout.parent}/.insteadOf", "ours:")


def included(checkout):
    """As actions/checkout does it: the config proper only includes the file that says how."""
    as_ssh(checkout)
    command = git(checkout, "config", "core.sshCommand").strip()
    git(checkout, "config", "--unset", "core.sshCommand")
    (checkout.parent / "more").write_text(f"[core]\n\tsshCommand = {command}\n")
    git(checkout, "config", f"includeIf.gitdir:{checkout}/.git.path", str(checkout.parent / "more"))


def as_a_relative_folder(checkout):
    """Relative to the checkout, wherever in it the command runs."""
    git(checkout, "remote", "set-url", "origin", "../r.git")


@pytest.mark.parametrize("way", [as_ssh, with_another_address, included, as_a_relative_folder])
def test_whoever_can_push_can_store_a_baseline(checkout, monkeypatch, way):
    """Also where only the checkout's own config says how; the checkout itself stays as it was."""
    way(checkout)
    (checkout / "deep").mkdir()
    monkeypatch.chdir(checkout / "deep")
    git(checkout, "push", "-q", "origin", "HEAD:refs/heads/by-hand")
    before = (
        git(checkout, "config", "--list"),
        git(checkout, "for-each-ref"),
        sorted((checkout / ".git").iterdir()),
    )

    branch_of(checkout).write("b.json", lambda _: b"{}", "m")

    assert b"{}" == branch_of(checkout).read("b.json")
    after = (
        git(checkout, "config", "--list"),
        git(checkout, "for-each-ref"),
        sorted((checkout / ".git").iterdir()),
    )
    assert before == after


def test_the_push_address_is_where_it_is_stored(checkout):
    """`remote.origin.pushurl`, as `git push` takes it."""
    folder = checkout.parent
    git(folder, "clone", "-q", "--bare", "r.git", "mirror.git")
    git(checkout, "remote", "set-url", "origin", str(folder / "mirror.git"))
    git(checkout, "remote", "set-url", "--push", "origin", str(folder / "r.git"))

    branch_of(checkout).write("b.json", lambda _: b"{}", "m")

    assert "b.json" in git(folder / "r.git", "ls-tree", BRANCH)
    assert BRANCH not in git(folder / "mirror.git", "for-each-ref")


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ("git@nowhere.invalid: Permission denied (publickey).", BaselineNotAllowed),
        ("Host key verification failed.", BaselineNotAllowed),
        ("ERROR: Repository not found.", BaselineNotAllowed),
        ("", BaselineNotAllowed),
        ("ssh: Could not resolve hostname nowhere.invalid: Name or service not known", BaselineUnreachable),
        ("ssh: connect to host nowhere.invalid port 22: Connection refused", BaselineUnreachable),
        ("kex_exchange_identification: Connection closed by remote host", BaselineUnreachable),
    ],
)
def test_a_missing_right_is_no_outage(checkout, said, error):
    """git closes both with the same advice about access rights; what ssh said before tells them apart."""
    over_ssh(checkout, f"echo '{said}' >&2; exit 255")

    with pytest.raises(error):
        branch_of(checkout).read("b.json")


VALUES = st.text(st.sampled_from(" a\"\\\n\t#;=[]é本'"), max_size=12)


@settings(max_examples=40, deadline=None)
@given(
    values=st.lists(
        st.tuples(
            st.sampled_from(
                [
                    "http.https://a.b/?c=d.extraheader",
                    "core.askpass",
                    'url.a"\\b.insteadof',
                    "credential.helper",
                ]
            ),
            VALUES,
        ),
        max_size=5,
    )
)
def test_values_are_carried_over_to_the_letter(tmp_path_factory, values):
    """Quotes, comment signs, blanks at the ends; several of one key, in their order. Other keys stay behind."""
    file = tmp_path_factory.mktemp("config") / "config"

    file.write_text(
        carried_over(
            [("user.name", "x"), ("core.editor", "x"), ("remote.origin.mirror", "true"), *values], []
        ),
        "utf-8",
    )

    said = subprocess.run(
        ["git", "config", "--file", str(file), "--list", "-z"], capture_output=True, check=True
    )
    assert values == entries(said.stdout)


def test_what_the_other_repository_sees_anyway_is_not_given_twice():
    """A header that is sent twice is refused by servers; a key without a value means true."""
    header = ("http.extraheader", "Authorization: x")

    assert "" == carried_over([header], [header])
    assert "[http]\n\tsslverify\n" == carried_over([("http.sslverify", None)], [])
    assert 1 == carried_over([header, header], [header]).count("extraheader")


@pytest.mark.parametrize(("there", "wanted"), [(f"{BRANCH}/old", BRANCH), (BRANCH, f"{BRANCH}/new")])
def test_a_branch_that_stands_in_the_way_is_told_at_once(checkout, there, wanted):
    """git knows no folder and file of one name; waiting does not help."""
    git(checkout, "push", "-q", "origin", f"HEAD:refs/heads/{there}")
    slept = Slept()

    with pytest.raises(BaselineNotAllowed) as caught:
        branch_of(checkout, wanted, slept).write("b.json", lambda _: b"{}", "m")

    assert wanted in caught.value.what.en
    assert "Choose another branch's name" in caught.value.hint.en
    assert len(slept) <= 2


def refusing(github, *, times, status=422, message="Reference update failed"):
    github.fail_next("POST", r".*/git/refs", status, body={"message": message}, times=times)


@contextmanager
def on_github(github, slept):
    with GitHubApi(github.url, SecretStr("t"), clock=NoWaiting()) as api:
        yield GitHubBranch(api, github.repository, BRANCH, patience=slept.patience)


@pytest.mark.parametrize("status", [409, 422])
def test_a_lasting_refusal_by_github_is_no_race(status):
    """The head stands still: after some seconds the answer is told, as something to change."""
    slept = Slept()
    with FakeGitHub() as github, on_github(github, slept) as branch:
        refusing(github, times=99, status=status, message="refname conflict")
        with pytest.raises(GitHubRefused) as caught:
            branch.write("b.json", lambda _: b"{}", "m")

    told = trouble_with(f"branch:{BRANCH}", caught.value, writing=True)
    assert (BaselineNotAllowed, 2) == (type(told), told.exit_code)
    assert "refname conflict" in told.what.ja
    assert 4 == len(slept)
    assert sum(slept) < 5


def test_a_short_refusal_by_github_is_waited_out():
    """As where a lock is held for a moment."""
    slept = Slept()
    with FakeGitHub() as github, on_github(github, slept) as branch:
        refusing(github, times=3)
        branch.write("b.json", lambda _: b"{}", "m")

        assert b"{}" == branch.read("b.json")
    assert 3 == len(slept)
