"""A baseline kept on GitHub: on a data branch (`branch:NAME`), or in a file as it is at one commit."""

from urllib.parse import quote

import httpx

from ragjudge.baseline import codec
from ragjudge.errors import BaselineUnreachable, GitHubRefused, GitHubUnreachable, RagjudgeError
from ragjudge.github.base_branch import BaseBranch
from ragjudge.github.data_branch import DataBranch
from ragjudge.language import Text
from ragjudge.results.baseline import Baseline

FILE = "baseline.json"


class BranchStore:
    """One folder per suite and base branch, so that several share a data branch."""

    def __init__(self, branch: DataBranch, *, suite: str, base_branch: str) -> None:
        self._branch = branch
        self._path = f"{_folder(suite)}/{_folder(base_branch)}/{FILE}"

    def describe(self) -> str:
        return f"branch:{self._branch.branch}/{self._path}"

    def load(self) -> Baseline | None:
        """None where there is no such branch or file; every other trouble is an error of its own."""
        try:
            data = self._branch.read(self._path)
        except (GitHubRefused, GitHubUnreachable) as trouble:
            raise _unreachable(self.describe(), trouble) from trouble
        return None if data is None else codec.loads(data, place=self.describe())

    def save(self, baseline: Baseline) -> None:
        """Whoever else wrote meanwhile stays in the branch's history."""
        data = codec.dumps(baseline)
        message = f"Baseline of {self._path}\n\nCommit: {baseline.run.commit or 'unknown'}"
        try:
            self._branch.write(self._path, lambda _: data, message)
        except (GitHubRefused, GitHubUnreachable) as trouble:
            raise _unreachable(self.describe(), trouble, writing=True) from trouble


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
        except (GitHubRefused, GitHubUnreachable) as trouble:
            raise _unreachable(self.describe(), trouble) from trouble
        return None if data is None else codec.loads(data, place=self.describe())

    def save(self, baseline: Baseline) -> None:
        raise NotImplementedError("a proposal never stores a baseline")


def _folder(name: str) -> str:
    """Any name as one folder's name; git knows no folders `.` and `..`."""
    quoted = quote(name, safe="", errors="replace")
    return quoted.replace(".", "%2E") if set(quoted) <= {"."} else quoted


def _unreachable(place: str, trouble: RagjudgeError, *, writing: bool = False) -> BaselineUnreachable:
    done = Text("written", "保存") if writing else Text("read", "読み込み")
    right = Text("`contents: write`" if writing else "`contents: read`", "")
    hint = None
    if isinstance(trouble, GitHubRefused) and trouble.status in (
        httpx.codes.FORBIDDEN,
        httpx.codes.NOT_FOUND,
        httpx.codes.UNPROCESSABLE_ENTITY,
    ):
        hint = Text(
            f"The job needs `permissions:` with {right.en}, and no rule may protect that branch.",
            f"ジョブの `permissions:` に {right.en} が必要です。また、このブランチを保護ルールの対象から外してください。",
        )
    return BaselineUnreachable(
        Text(
            f"The baseline {place} could not be {done.en}: {trouble.what.en}",
            f"ベースライン {place} を{done.ja}できませんでした: {trouble.what.ja}",
        ),
        hint=hint,
    )
