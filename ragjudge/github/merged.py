"""Which pull request a commit of the base branch came from, and what that pull request's own runs uploaded.

Needs `actions: read` and `pull-requests: read`. What a run uploaded is data of unknown origin: see `fork_run`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ragjudge.github import fork_run
from ragjudge.github.api import GitHubApi
from ragjudge.github.context import EventContext

RESULTS = "results.json"
MOST_RESULTS_BYTES = 100_000_000
MOST_RUNS = 10
"""Newest first; several workflows may have run on one commit."""


@dataclass(frozen=True, slots=True)
class MergedPull:
    """A merged pull request. `head` is the last commit that its own checks saw."""

    number: int
    head: str
    is_fork: bool


def merged_pull(api: GitHubApi, context: EventContext) -> MergedPull | None:
    """The pull request whose merge started this run, None where there was none (a direct push)."""
    pull = context.pull_request
    if pull is not None:
        return MergedPull(pull.number, pull.head_sha, context.is_fork) if pull.merged else None
    for item in api.pages(f"/repos/{context.repository}/commits/{context.sha}/pulls"):
        match item:
            case {
                "number": int() as number,
                "merged_at": str(),
                "merge_commit_sha": sha,
                "base": {"ref": ref},
                "head": {"sha": str() as head, "repo": repository},
            } if sha == context.sha and ref == context.base_ref:
                name = repository.get("full_name") if isinstance(repository, dict) else None
                return MergedPull(number, head, str(name or "").lower() != context.repository.lower())
    return None


def uploaded_results(api: GitHubApi, repository: str, pull: MergedPull) -> Iterator[bytes]:
    """`results.json` of each green run on the pull request's last commit, the newest first."""
    query: dict[str, str | int] = {
        "head_sha": pull.head,
        "event": "pull_request",
        "status": "success",
        "per_page": MOST_RUNS,
    }
    listing = api.get(f"/repos/{repository}/actions/runs", query)
    runs = listing.get("workflow_runs") if isinstance(listing, dict) else None
    for run in islice(runs if isinstance(runs, list) else (), MOST_RUNS):
        match run:
            case {"id": int() as run_id, "head_sha": sha, "conclusion": "success"} if sha == pull.head:
                archive = fork_run.artifact(api, repository, run_id)
                data = fork_run.entry(archive, RESULTS, MOST_RESULTS_BYTES) if archive is not None else None
                if data is not None:
                    yield data
