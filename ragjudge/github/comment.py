"""One comment per suite on a pull request, found again by author and marker, and updated in place.

Trouble with a comment never reaches the verdict: every refusal comes back as a note for the log and the summary.
"""

from dataclasses import dataclass
from enum import StrEnum

import httpx2
from pydantic import JsonValue

from ragjudge.errors import GitHubRefused, GitHubUnreachable, RagjudgeError
from ragjudge.github import racing
from ragjudge.github.api import GitHubApi
from ragjudge.github.marker import Marker
from ragjudge.github.viewer import viewer_login
from ragjudge.language import Text

LONGEST = 65_536
"""GitHub's limit for a comment's body, in characters."""


UNKNOWN = 0
"""In place of a comment's id, where GitHub's answer named none."""


class CommentMode(StrEnum):
    """The action's `comment` input."""

    UPDATE = "update"
    NEW = "new"
    OFF = "off"


class Fate(StrEnum):
    CREATED = "created"
    UPDATED = "updated"
    LEFT_TO_NEWER = "left_to_newer"
    """A newer run has spoken, or the pull request has moved on: ours would be old news."""
    NOT_POSTED = "not_posted"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Posted:
    """What became of the comment. `note` is for people, where it did not go as planned."""

    fate: Fate
    url: str = ""
    note: Text | None = None


@dataclass(frozen=True, slots=True)
class _Existing:
    id: int
    url: str
    marker: Marker


@dataclass(frozen=True, slots=True)
class StickyComment:
    """The comment of one suite on one pull request."""

    api: GitHubApi
    repository: str
    pull_request: int
    marker: Marker
    graphql_url: str = ""

    def post(self, markdown: str, mode: CommentMode) -> Posted:
        """Creates or updates the comment. `markdown` has no marker yet and fits GitHub's limit with one."""
        if mode is CommentMode.OFF:
            return Posted(Fate.OFF)
        try:
            return self._post(f"{self.marker}\n{markdown}", mode)
        except RagjudgeError as trouble:
            return Posted(Fate.NOT_POSTED, note=_why_not(trouble))

    def _post(self, body: str, mode: CommentMode) -> Posted:
        if self._pull_request_moved_on():
            return Posted(Fate.LEFT_TO_NEWER, note=_MOVED_ON)
        if mode is CommentMode.NEW:
            return Posted(Fate.CREATED, self._create(body).url)
        existing = self._mine()
        if existing is None:
            return self._first(self._create(body))
        if existing.marker.is_newer_than(self.marker):
            return Posted(Fate.LEFT_TO_NEWER, existing.url, _NEWER_SPOKE)
        written = racing.overwrite(self.api, self._path_of(existing), body, self.marker)
        if written.overtaken:
            return Posted(Fate.LEFT_TO_NEWER, existing.url, _NEWER_SPOKE)
        return Posted(Fate.UPDATED, _url(written.answer) or existing.url)

    def _first(self, made: _Existing) -> Posted:
        newest: list[_Existing] = []

        def look() -> Marker | None:
            newest[:] = [found for found in [self._mine()] if found is not None]
            return newest[0].marker if newest else None

        if made.id == UNKNOWN or racing.stay_or_leave(self.api, self._path_of(made), look, self.marker):
            return Posted(Fate.CREATED, made.url)
        return Posted(Fate.LEFT_TO_NEWER, newest[0].url, _NEWER_SPOKE)

    def _create(self, body: str) -> _Existing:
        path = self._comments(of_issue=True)
        try:
            answer = self.api.send("POST", path, {"body": body})
        except GitHubUnreachable:
            # A 5xx or a cut line may hide a comment that was made: look before a second try doubles it.
            existing = self._mine()
            if existing is not None and existing.marker == self.marker:
                return existing
            answer = self.api.send("POST", path, {"body": body})
        number = answer.get("id") if isinstance(answer, dict) else None
        return _Existing(number if isinstance(number, int) else UNKNOWN, _url(answer), self.marker)

    def _path_of(self, comment: _Existing) -> str:
        return f"{self._comments(of_issue=False)}/{comment.id}"

    def _mine(self) -> _Existing | None:
        """Of our own comments about this suite, the one that the newest run wrote."""
        login = viewer_login(self.api, self.graphql_url)
        mine: _Existing | None = None
        for item in self.api.pages(self._comments(of_issue=True)):
            found = _existing(item, login)
            if found is None or found.marker.suite != self.marker.suite:
                continue
            if mine is None or found.marker.is_newer_than(mine.marker):
                mine = found
        return mine

    def _pull_request_moved_on(self) -> bool:
        """Its head is no longer the commit that this run is about. Where we may not look, the marker decides."""
        try:
            found = self.api.get(f"/repos/{self.repository}/pulls/{self.pull_request}")
        except GitHubRefused:
            return False
        head = found.get("head") if isinstance(found, dict) else None
        sha = head.get("sha") if isinstance(head, dict) else None
        return bool(self.marker.head) and isinstance(sha, str) and sha != self.marker.head

    def _comments(self, *, of_issue: bool) -> str:
        issue = f"/{self.pull_request}" if of_issue else ""
        return f"/repos/{self.repository}/issues{issue}/comments"


def _existing(item: JsonValue, login: str) -> _Existing | None:
    match item:
        case {"id": int() as number, "body": str() as body, "user": {"login": str() as author}} if (
            author.lower() == login.lower()
        ):
            marker = Marker.of(body)
            return None if marker is None else _Existing(number, _url(item), marker)
        case _:
            return None


def _url(answer: JsonValue) -> str:
    url = answer.get("html_url") if isinstance(answer, dict) else None
    return url if isinstance(url, str) else ""


def _why_not(trouble: RagjudgeError) -> Text:
    if isinstance(trouble, GitHubRefused) and trouble.status in (
        httpx2.codes.FORBIDDEN,
        httpx2.codes.NOT_FOUND,
    ):
        return Text(
            f"The comment could not be posted: {trouble.answer}. The job needs `permissions: pull-requests: write`;"
            " on a pull request from a fork GitHub gives no such right. The report is in the job summary.",
            f"コメントを投稿できませんでした: {trouble.answer}。ジョブに `permissions: pull-requests: write` が必要"
            "です。フォークからのプルリクエストではこの権限は与えられません。レポートはジョブサマリーにあります。",
        )
    return Text(
        f"The comment could not be posted: {trouble.what.en} The report is in the job summary.",
        f"コメントを投稿できませんでした: {trouble.what.ja} レポートはジョブサマリーにあります。",
    )


_MOVED_ON = Text(
    "The pull request has newer commits, so this run leaves the comment to theirs.",
    "プルリクエストに新しいコミットがあるため、コメントはその実行に任せました。",
)
_NEWER_SPOKE = Text(
    "A newer run has already written the comment, so this one left it alone.",
    "より新しい実行がすでにコメントを書いているため、上書きしませんでした。",
)
