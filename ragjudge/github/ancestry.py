"""Which of two commits of a repository came first."""

from ragjudge.errors import GitHubRefused, GitHubUnreachable
from ragjudge.github.api import GitHubApi


def came_before(api: GitHubApi, repository: str, commit: str, other: str) -> bool | None:
    """Is `commit` an ancestor of `other`? None where GitHub does not know both, or does not tell.

    https://docs.github.com/en/rest/commits/commits#compare-two-commits
    """
    try:
        found = api.find(f"/repos/{repository}/compare/{commit}...{other}", {"per_page": 1})
    except (GitHubRefused, GitHubUnreachable):
        return None
    return found.get("status") == "ahead" if isinstance(found, dict) else None
