"""A data branch written through GitHub's Git data API: no checkout, no git, a few small calls."""

import base64
from collections.abc import Callable, Mapping
from typing import Protocol
from urllib.parse import quote

from pydantic import JsonValue

from ragjudge.baseline.patience import MOST_TRIES, Patience, Race
from ragjudge.baseline.troubles import is_protected, overtaken
from ragjudge.errors import GitHubRefused, GitHubUnreachable
from ragjudge.language import Text

LOST_THE_RACE = frozenset({409, 422})


class GitDataApi(Protocol):
    """The calls of `github.api.GitHubApi` that are needed here."""

    def get(self, path: str) -> JsonValue: ...

    def find(self, path: str) -> JsonValue: ...

    def raw(self, path: str, params: Mapping[str, str | int] | None = None) -> bytes | None: ...

    def send(
        self, method: str, path: str, body: Mapping[str, JsonValue], *, repeatable: bool | None = None
    ) -> JsonValue: ...


class GitHubBranch:
    """`repository` is `owner/name`; `branch` has no `refs/heads/` before it. Raises what the API raises."""

    def __init__(self, api: GitDataApi, repository: str, branch: str, *, patience: Patience) -> None:
        self._api = api
        self._root = f"/repos/{repository}"
        self._branch = branch
        self._patience = patience

    @property
    def branch(self) -> str:
        return self._branch

    def read(self, path: str) -> bytes | None:
        """A file as it is now, None where there is no such branch or file."""
        head = self._head()
        return None if head is None else self._file(head, path)

    def write(self, path: str, change: Callable[[bytes | None], bytes], message: str) -> str:
        """Replace one file by `change(what is there now)`; the new commit's id.

        `change` is called again where somebody else wrote in between, with what they wrote.
        """
        race = Race()
        for tries in range(MOST_TRIES):
            head = self._head()
            data = change(None if head is None else self._file(head, path))
            commit = self._commit(head, path, data, message)
            refusal = self._move(head, commit)
            if refusal is None:
                return commit
            if race.is_none(head):
                raise refusal
            self._patience.after(tries)
        raise overtaken(f"branch:{self._branch}", MOST_TRIES)

    def _head(self) -> str | None:
        ref = self._api.find(f"{self._root}/git/ref/heads/{quote(self._branch)}")
        if ref is None:
            # GitHub hides what a token may not see behind 404 as well: that is not "there is no branch".
            self._api.get(self._root)
            return None
        return _text(_field(ref, "object"), "sha")

    def _file(self, head: str, path: str) -> bytes | None:
        return self._api.raw(f"{self._root}/contents/{quote(path)}", {"ref": head})

    def _commit(self, head: str | None, path: str, data: bytes, message: str) -> str:
        content = base64.b64encode(data).decode("ascii")
        blob = self._sent("blobs", {"content": content, "encoding": "base64"})
        entry: dict[str, JsonValue] = {"path": path, "mode": "100644", "type": "blob", "sha": blob}
        tree: dict[str, JsonValue] = {"tree": [entry]}
        if head is not None:
            tree["base_tree"] = _text(
                _field(self._api.find(f"{self._root}/git/commits/{head}"), "tree"), "sha"
            )
        parents: list[JsonValue] = [] if head is None else [head]
        return self._sent(
            "commits", {"message": message, "tree": self._sent("trees", tree), "parents": parents}
        )

    def _sent(self, kind: str, body: Mapping[str, JsonValue]) -> str:
        """Objects are named by their content, so that making one twice is harmless."""
        return _text(self._api.send("POST", f"{self._root}/git/{kind}", body, repeatable=True), "sha")

    def _move(self, head: str | None, commit: str) -> GitHubRefused | None:
        """The only step that others see. Never forced: GitHub refuses unless `head` is still the branch's head.

        None where it was done; the refusal where somebody may have been faster. Not repeated blindly: after a cut
        line the branch itself is asked whether the step was done.
        """
        ref = f"heads/{self._branch}"
        try:
            if head is None:
                self._api.send("POST", f"{self._root}/git/refs", {"ref": f"refs/{ref}", "sha": commit})
            else:
                body: dict[str, JsonValue] = {"sha": commit, "force": False}
                self._api.send("PATCH", f"{self._root}/git/refs/{quote(ref)}", body, repeatable=False)
        except GitHubRefused as refusal:
            if refusal.status in LOST_THE_RACE and not is_protected(refusal.answer):
                return refusal
            raise
        except GitHubUnreachable:
            if self._head() == commit:
                return None
            raise
        return None


def _field(value: JsonValue, name: str) -> JsonValue:
    return value.get(name) if isinstance(value, dict) else None


def _text(value: JsonValue, name: str) -> str:
    found = _field(value, name)
    if not isinstance(found, str):
        raise GitHubUnreachable(
            Text(f"GitHub's answer lacks {name}.", f"GitHubの応答に {name} がありません。")
        )
    return found
