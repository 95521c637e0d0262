"""A branch of plain data beside the code, read and written by GitHub's API: checkout, index and config stay untouched.

A write is a compare-and-swap: the commit is made on the branch's head, and the branch moves only if it is still there.
Whoever comes second builds on the first one's commit, so that nothing is lost.
"""

import base64
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import httpx
from pydantic import JsonValue

from ragjudge.errors import GitHubRefused, GitHubUnreachable
from ragjudge.github.api import GitHubApi
from ragjudge.github.base_branch import BaseBranch
from ragjudge.github.waiting import SyncClock, SystemClock
from ragjudge.language import Text

TRIES = 30
LONGEST_PAUSE_S = 8.0
BY = {"name": "ragjudge", "email": "ragjudge@users.noreply.github.com"}
MOVED = ("not a fast forward", "already exists", "is at ", "expected")
"""What GitHub says where somebody else moved or made the branch in between."""


@dataclass(frozen=True, slots=True)
class DataBranch:
    """Files on one branch. `random` gives the jitter between tries, from 0 up to 1."""

    api: GitHubApi
    repository: str
    branch: str
    clock: SyncClock = field(default_factory=SystemClock)
    random: Callable[[], float] = random.random

    def read(self, path: str) -> bytes | None:
        """A file as it is now, None where there is no such branch or file. Raises what the API raises."""
        head = self._head()
        return None if head is None else BaseBranch(self.api, self.repository, head).read(path)

    def write(self, path: str, change: Callable[[bytes | None], bytes], message: str) -> str:
        """Replace one file by `change(what is there now)`; the new commit's id.

        `change` is called again where somebody else wrote in between, with what they wrote.
        """
        for attempt in range(TRIES):
            head = self._head()
            current = None if head is None else BaseBranch(self.api, self.repository, head).read(path)
            commit = self._commit(head, path, change(current), message)
            if self._move(head, commit):
                return commit
            self.clock.sleep(min(LONGEST_PAUSE_S, 0.2 * 2**attempt) * (0.5 + self.random()))
        raise GitHubUnreachable(
            Text(
                f"The branch {self.branch} kept changing: {TRIES} tries to write were overtaken.",
                f"ブランチ {self.branch} が更新され続けているため、{TRIES}回試みても書き込めませんでした。",
            )
        )

    def _head(self) -> str | None:
        match self.api.find(f"{self._git}/ref/heads/{self.branch}"):
            case {"object": {"sha": str() as sha}}:
                return sha
            case _:
                return None

    def _commit(self, head: str | None, path: str, data: bytes, message: str) -> str:
        # Base64 in the JSON body: the only form that takes any bytes.
        blob = self._made("blobs", {"content": base64.b64encode(data).decode(), "encoding": "base64"})
        tree: dict[str, JsonValue] = {
            "tree": [{"path": path, "mode": "100644", "type": "blob", "sha": blob}],
        }
        if head is not None:
            tree["base_tree"] = self._tree_of(head)
        parents: list[JsonValue] = [] if head is None else [head]
        author: dict[str, JsonValue] = dict(BY)
        commit: dict[str, JsonValue] = {
            "message": message,
            "tree": self._made("trees", tree),
            "parents": parents,
            "author": author,
        }
        return self._made("commits", commit)

    def _tree_of(self, commit: str) -> str:
        match self.api.get(f"{self._git}/commits/{commit}"):
            case {"tree": {"sha": str() as sha}}:
                return sha
            case _:
                raise _unexpected()

    def _made(self, kind: str, body: dict[str, JsonValue]) -> str:
        """Objects are named by their content, so that making one twice is harmless."""
        match self.api.send("POST", f"{self._git}/{kind}", body, repeatable=True):
            case {"sha": str() as sha}:
                return sha
            case _:
                raise _unexpected()

    def _move(self, head: str | None, commit: str) -> bool:
        """False where somebody else was faster."""
        try:
            if head is None:
                self.api.send(
                    "POST", f"{self._git}/refs", {"ref": f"refs/heads/{self.branch}", "sha": commit}
                )
            else:
                # Not repeated blindly: a second try after a cut line would look like a lost race.
                place = f"{self._git}/refs/heads/{self.branch}"
                self.api.send("PATCH", place, {"sha": commit, "force": False}, repeatable=False)
        except GitHubUnreachable:
            # A gateway may fail after the work was done.
            if self._head() == commit:
                return True
            raise
        except GitHubRefused as refusal:
            raced = refusal.status in (httpx.codes.UNPROCESSABLE_ENTITY, httpx.codes.CONFLICT)
            if raced and any(sign in refusal.answer for sign in MOVED):
                return False
            raise
        return True

    @property
    def _git(self) -> str:
        return f"/repos/{self.repository}/git"


def _unexpected() -> GitHubUnreachable:
    return GitHubUnreachable(
        Text("GitHub's answer lacks an object's id.", "GitHubの応答にオブジェクトのIDがありません。")
    )
