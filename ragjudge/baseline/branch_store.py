"""A baseline kept beside the code: on a data branch (`branch:NAME`), or in a file as it is at one commit."""

from collections.abc import Callable
from typing import Protocol
from urllib.parse import quote

import httpx2

from ragjudge.baseline import codec
from ragjudge.baseline.github_branch import LOST_THE_RACE
from ragjudge.baseline.troubles import is_protected, not_allowed, protected, refused, unreachable
from ragjudge.errors import GitHubRefused, GitHubUnreachable, RagjudgeError
from ragjudge.github.base_branch import BaseBranch
from ragjudge.results.baseline import Baseline

FILE = "baseline.json"
NO_RIGHT = frozenset({httpx2.codes.UNAUTHORIZED, httpx2.codes.FORBIDDEN, httpx2.codes.NOT_FOUND})


class Branch(Protocol):
    """A branch of plain data that is read and written without a checkout: `github_branch` or `git_branch`."""

    @property
    def branch(self) -> str: ...

    def read(self, path: str) -> bytes | None:
        """A file as it is now, None where there is no such branch or file."""
        ...

    def write(self, path: str, change: Callable[[bytes | None], bytes], message: str) -> str:
        """Replace one file by `change(what is there now)`, again where somebody else was faster."""
        ...


class BranchStore:
    """One folder per suite and base branch, so that several share a data branch."""

    def __init__(self, branch: Branch, *, suite: str, base_branch: str) -> None:
        self._branch = branch
        self._path = f"{_folder(suite)}/{_folder(base_branch)}/{FILE}"

    def describe(self) -> str:
        return f"branch:{self._branch.branch}/{self._path}"

    def load(self) -> Baseline | None:
        """None where there is no such branch or file; every other trouble is an error of its own."""
        try:
            data = self._branch.read(self._path)
        except (GitHubRefused, GitHubUnreachable) as trouble:
            raise trouble_with(self.describe(), trouble, writing=False) from trouble
        return codec.found(data, place=self.describe())

    def change(
        self, change: Callable[[Baseline | None], Baseline], *, note: str = "", replace_damaged: bool = False
    ) -> None:
        """On top of what is there at that moment: what somebody else stored since `load` is not lost."""

        def on_top(current: bytes | None) -> bytes:
            found = codec.found(current, place=self.describe(), replace_damaged=replace_damaged)
            return codec.dumps(change(found))

        try:
            self._branch.write(self._path, on_top, f"Baseline of {self._path}\n\n{note}".rstrip())
        except (GitHubRefused, GitHubUnreachable) as trouble:
            raise trouble_with(self.describe(), trouble, writing=True) from trouble


class CommitStore:
    """A file of the repository as it is on the base branch: a pull request's own copy of it decides nothing."""

    def __init__(self, base: BaseBranch, path: str) -> None:
        self._base = base
        self._path = path

    def describe(self) -> str:
        return f"file:{self._path} ({self._base.commit[:12]})"

    def load(self) -> Baseline | None:
        try:
            data = self._base.read(self._path)
            if data is None:
                self._base.require_visible()
        except (GitHubRefused, GitHubUnreachable) as trouble:
            raise trouble_with(self.describe(), trouble, writing=False) from trouble
        return codec.found(data, place=self.describe())

    def change(
        self, change: Callable[[Baseline | None], Baseline], *, note: str = "", replace_damaged: bool = False
    ) -> None:
        raise NotImplementedError("a proposal never stores a baseline")


def _folder(name: str) -> str:
    """Any name as one folder's name; git knows no folders `.` and `..`."""
    quoted = quote(name, safe="", errors="replace")
    return quoted.replace(".", "%2E") if set(quoted) <= {"."} else quoted


def trouble_with(place: str, trouble: GitHubRefused | GitHubUnreachable, *, writing: bool) -> RagjudgeError:
    """Being refused and being unreachable are two things: one needs a change, the other a later try."""
    if isinstance(trouble, GitHubRefused):
        if is_protected(trouble.answer):
            return protected(place, trouble.answer)
        if trouble.status in NO_RIGHT:
            return not_allowed(place, trouble.answer, writing=writing)
        if writing and trouble.status in LOST_THE_RACE:
            return refused(place, trouble.answer)
    return unreachable(place, trouble.what)
