"""What an event does not say about its repository: a `schedule` event's payload says next to nothing."""

from dataclasses import replace

from ragjudge.errors import GitHubRefused, GitHubUnreachable
from ragjudge.github.api import GitHubApi
from ragjudge.github.context import EventContext


def completed(context: EventContext, api: GitHubApi) -> EventContext:
    """The context with visibility and default branch filled in, as far as GitHub tells them.

    Where it does not, the repository is taken for a public one: nothing is shown that should not be.
    """
    if context.private is not None and context.default_branch:
        return context
    try:
        found = api.get(f"/repos/{context.repository}")
    except (GitHubRefused, GitHubUnreachable):
        return context
    match found:
        case {"private": bool() as private, "default_branch": str() as branch}:
            return replace(context, private=private, default_branch=context.default_branch or branch)
        case _:
            return context
