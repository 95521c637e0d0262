"""A data branch written through GitHub's Git data API: no checkout, no git, a few small calls."""

import base64
from collections.abc import Mapping
from typing import Protocol
from urllib.parse import quote

from pydantic import JsonValue

from ragjudge.baseline.branch_store import Kept
from ragjudge.baseline.troubles import not_allowed, protected, unreachable
from ragjudge.errors import GitHubRefused, GitHubUnreachable

LOST_THE_RACE = frozenset({409, 422})


class GitDataApi(Protocol):
    """The calls of `github.api.GitHubApi` that are needed here."""

    def find(self, path: str) -> JsonValue: ...

    def send(
        self, method: str, path: str, body: Mapping[str, JsonValue], *, repeatable: bool | None = None
    ) -> JsonValue: ...


class GitHubBranch:
    """`repository` is `owner/name`; `branch` has no `refs/heads/` before it."""

    def __init__(self, api: GitDataApi, repository: str, branch: str) -> None:
        self._api = api
        self._root = f"/repos/{repository}"
        self._repository = repository
        self._branch = branch

    def describe(self) -> str:
        return f"branch:{self._branch}"

    def read(self, path: str) -> Kept:
        try:
            return self._read(path)
        except GitHubRefused as refusal:
            raise not_allowed(self.describe(), refusal.answer, writing=False) from refusal
        except GitHubUnreachable as trouble:
            raise unreachable(self.describe(), str(trouble)) from trouble

    def write(self, path: str, data: bytes, *, on: Kept, message: str) -> bool:
        try:
            commit = self._commit(path, data, on=on, message=message)
        except GitHubRefused as refusal:
            raise not_allowed(self.describe(), refusal.answer, writing=True) from refusal
        except GitHubUnreachable as trouble:
            raise unreachable(self.describe(), str(trouble)) from trouble
        return self._move(commit, on=on)

    def _read(self, path: str) -> Kept:
        ref = self._api.find(f"{self._root}/git/ref/heads/{quote(self._branch)}")
        if ref is None:
            self._make_sure_that_we_may_look()
            return Kept(None, None)
        head = _text(_field(ref, "object"), "sha")
        tree = _text(_field(self._api.find(f"{self._root}/git/commits/{head}"), "tree"), "sha")
        *folders, name = path.split("/")
        for folder in folders:
            entry = self._entry(tree, folder)
            if entry is None:
                return Kept(head, None)
            tree = entry
        blob = self._entry(tree, name)
        return Kept(head, None if blob is None else self._blob(blob))

    def _make_sure_that_we_may_look(self) -> None:
        """GitHub says 404 for a branch that is not there and for a repository that we may not see."""
        if self._api.find(self._root) is None:
            raise not_allowed(self.describe(), f"404 for {self._repository}", writing=False)

    def _entry(self, tree: str, name: str) -> str | None:
        listed = _field(self._api.find(f"{self._root}/git/trees/{tree}"), "tree")
        for entry in listed if isinstance(listed, list) else []:
            if _field(entry, "path") == name:
                return _text(entry, "sha")
        return None

    def _blob(self, sha: str) -> bytes:
        return base64.b64decode(_text(self._api.find(f"{self._root}/git/blobs/{sha}"), "content"))

    def _commit(self, path: str, data: bytes, *, on: Kept, message: str) -> str:
        content = base64.b64encode(data).decode("ascii")
        blob = self._sent("blobs", {"content": content, "encoding": "base64"})
        entry: dict[str, JsonValue] = {"path": path, "mode": "100644", "type": "blob", "sha": blob}
        tree: dict[str, JsonValue] = {"tree": [entry]}
        if on.head is not None:
            tree["base_tree"] = _text(
                _field(self._api.find(f"{self._root}/git/commits/{on.head}"), "tree"), "sha"
            )
        parents: list[JsonValue] = [] if on.head is None else [on.head]
        return self._sent(
            "commits", {"message": message, "tree": self._sent("trees", tree), "parents": parents}
        )

    def _sent(self, kind: str, body: Mapping[str, JsonValue]) -> str:
        """Objects are named by their content, so that making one twice is harmless."""
        return _text(self._api.send("POST", f"{self._root}/git/{kind}", body, repeatable=True), "sha")

    def _move(self, commit: str, *, on: Kept) -> bool:
        """The only step that others see. Never forced: GitHub refuses unless `on` is still the head.

        Not repeated blindly: after a cut line the branch itself is asked whether the step was done.
        """
        ref = f"heads/{self._branch}"
        try:
            if on.head is None:
                body: dict[str, JsonValue] = {"ref": f"refs/{ref}", "sha": commit}
                self._api.send("POST", f"{self._root}/git/refs", body)
            else:
                body = {"sha": commit, "force": False}
                self._api.send("PATCH", f"{self._root}/git/refs/{quote(ref)}", body, repeatable=False)
        except GitHubRefused as refusal:
            if refusal.status in LOST_THE_RACE and not _is_protected(refusal.answer):
                return False
            if _is_protected(refusal.answer):
                raise protected(self.describe(), refusal.answer) from refusal
            raise not_allowed(self.describe(), refusal.answer, writing=True) from refusal
        except GitHubUnreachable as trouble:
            return self._moved_after_all(commit, trouble)
        return True

    def _moved_after_all(self, commit: str, trouble: GitHubUnreachable) -> bool:
        try:
            ref = self._api.find(f"{self._root}/git/ref/heads/{quote(self._branch)}")
        except (GitHubRefused, GitHubUnreachable):
            raise unreachable(self.describe(), str(trouble)) from trouble
        return ref is not None and _text(_field(ref, "object"), "sha") == commit


def _is_protected(answer: str) -> bool:
    return any(word in answer.lower() for word in ("protected", "rule violations", "gh006", "gh013"))


def _field(value: JsonValue, name: str) -> JsonValue:
    return value.get(name) if isinstance(value, dict) else None


def _text(value: JsonValue, name: str) -> str:
    found = _field(value, name)
    if not isinstance(found, str):
        raise unreachable("GitHub", f"an answer without {name}")
    return found
