"""Who we are on GitHub, so that we only ever touch our own comments.

`GET /user` is closed to installation tokens such as GITHUB_TOKEN; GraphQL's `viewer` answers every kind of token.
"""

import httpx2

from ragjudge.errors import GitHubRefused
from ragjudge.github.api import GitHubApi

ACTIONS_BOT = "github-actions[bot]"
"""The author of everything done with GITHUB_TOKEN:
https://docs.github.com/en/actions/concepts/security/github_token"""


def viewer_login(api: GitHubApi, graphql_url: str) -> str:
    """The login that our comments carry. Falls back to GITHUB_TOKEN's own where GitHub does not tell."""
    if graphql_url and api.is_same_server(graphql_url):
        try:
            answer = api.send("POST", graphql_url, {"query": "{ viewer { login } }"}, repeatable=True)
        except GitHubRefused as refusal:
            if refusal.status not in (
                httpx2.codes.UNAUTHORIZED,
                httpx2.codes.FORBIDDEN,
                httpx2.codes.NOT_FOUND,
            ):
                raise
            answer = None
        match answer:
            case {"data": {"viewer": {"login": str() as login}}} if login:
                return login
    return ACTIONS_BOT
