"""A baseline in a file of the repository, as that file is at one commit."""

from ragjudge.baseline import codec
from ragjudge.baseline.branch_store import trouble_with
from ragjudge.errors import GitHubRefused, GitHubUnreachable
from ragjudge.github.base_branch import BaseBranch
from ragjudge.results.baseline import Baseline


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
            raise trouble_with(self.describe(), trouble, writing=False) from trouble
        return None if data is None else codec.loads(data, place=self.describe())

    def save(self, baseline: Baseline) -> None:
        raise NotImplementedError("a proposal never stores a baseline")
