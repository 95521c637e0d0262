"""Which event started us: the event file and GITHUB_* become one frozen value.

Branch names, titles and users in an event are other people's text: they are kept as data and never reach a shell.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from ragjudge.errors import UsageFault
from ragjudge.language import Text, why_not

DEPENDABOT = "dependabot[bot]"
PUBLIC_API = "https://api.github.com"
PUBLIC_SERVER = "https://github.com"
PULL_REQUEST_EVENTS = frozenset({"pull_request", "pull_request_target"})
PULL_REQUEST_REFS = "refs/pull/"


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """The pull request of an event, as it was when the event happened."""

    number: int
    head_ref: str
    head_sha: str
    head_repository: str | None
    """`owner/name`; None where the fork was deleted."""
    base_ref: str
    base_sha: str
    merged: bool = False
    merged_as: str = ""
    """The commit of the base branch that a merged one became; empty where GitHub does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventContext:
    """Everything about the run that GitHub tells. `sha` is the commit that was checked out (GITHUB_SHA)."""

    event: str
    action: str
    repository: str
    ref: str
    sha: str
    default_branch: str
    private: bool | None
    """None where the event does not say."""
    pull_request: PullRequest | None
    is_fork: bool
    """The pull request's head lives in another repository: no secrets, a read-only token."""
    is_dependabot: bool
    base_ref: str
    """The branch that a change is to be merged into; else the branch of the event."""
    base_sha: str
    """The commit of `base_ref` that GitHub named; empty where it named none."""
    run_id: int
    run_attempt: int
    run_number: int
    api_url: str
    graphql_url: str
    server_url: str
    payload: Mapping[str, JsonValue]

    @property
    def head_sha(self) -> str:
        return self.pull_request.head_sha if self.pull_request else self.sha

    @property
    def without_secrets(self) -> bool:
        """GitHub hands out no secrets for this event, whatever the workflow says.

        Of Dependabot's runs only those of a pull request: on any other event, green would hide that nothing ran.
        """
        return self.is_fork or (self.is_dependabot and self.pull_request is not None)

    @property
    def run_url(self) -> str:
        return f"{self.server_url}/{self.repository}/actions/runs/{self.run_id}"

    @property
    def is_proposal(self) -> bool:
        """The workspace holds a change that is not merged: gate, accept and addresses come from the base branch.

        So do reviews and every other event of a pull request, which check out its merge commit as well.
        """
        if self.event == "pull_request" and self.action == "closed" and self.pull_request is not None:
            return not self.pull_request.merged
        of_pull_request = self.pull_request is not None or self.ref.startswith(PULL_REQUEST_REFS)
        return of_pull_request or self.event == "merge_group"


def load(environ: Mapping[str, str]) -> EventContext:
    """The context of this run, from the variables that GitHub sets in every step. Raises UsageFault."""
    event = environ.get("GITHUB_EVENT_NAME", "")
    repository = environ.get("GITHUB_REPOSITORY", "")
    if not event or repository.count("/") != 1:
        raise UsageFault(
            Text(
                "GITHUB_EVENT_NAME or GITHUB_REPOSITORY is not set: this entry works inside GitHub Actions.",
                "GITHUB_EVENT_NAMEまたはGITHUB_REPOSITORYがありません。この入口はGitHub Actions専用です。",
            ),
            hint=Text("Elsewhere use `ragjudge check`.", "それ以外では `ragjudge check` を使ってください。"),
        )
    return from_event(event, _payload(environ.get("GITHUB_EVENT_PATH", "")), environ)


def from_event(event: str, payload: Mapping[str, JsonValue], environ: Mapping[str, str]) -> EventContext:
    """As `load`, with the event's payload given."""
    repository = environ.get("GITHUB_REPOSITORY", "")
    described = _mapping(payload.get("repository"))
    named = event in PULL_REQUEST_EVENTS or "pull_request" in payload
    pull_request = _pull_request(payload) if named else None
    group = _mapping(payload.get("merge_group")) if event == "merge_group" else {}
    private = described.get("private")
    ref = environ.get("GITHUB_REF", "")
    branch = _text(described.get("default_branch")) if ref.startswith(PULL_REQUEST_REFS) else ref
    return EventContext(
        event=event,
        action=_text(payload.get("action")),
        repository=repository,
        ref=ref,
        sha=environ.get("GITHUB_SHA", ""),
        default_branch=_text(described.get("default_branch")),
        private=private if isinstance(private, bool) else None,
        pull_request=pull_request,
        is_fork=pull_request is not None
        and (pull_request.head_repository or "").lower() != repository.lower(),
        is_dependabot=environ.get("GITHUB_ACTOR") == DEPENDABOT,
        base_ref=_branch(pull_request.base_ref if pull_request else _text(group.get("base_ref")) or branch),
        base_sha=pull_request.base_sha if pull_request else _text(group.get("base_sha")),
        run_id=_number(environ.get("GITHUB_RUN_ID")),
        run_attempt=_number(environ.get("GITHUB_RUN_ATTEMPT")),
        run_number=_number(environ.get("GITHUB_RUN_NUMBER")),
        api_url=environ.get("GITHUB_API_URL") or PUBLIC_API,
        graphql_url=environ.get("GITHUB_GRAPHQL_URL") or f"{PUBLIC_API}/graphql",
        server_url=environ.get("GITHUB_SERVER_URL") or PUBLIC_SERVER,
        payload=payload,
    )


def _payload(path: str) -> Mapping[str, JsonValue]:
    try:
        value = json.loads(Path(path).read_text("utf-8")) if path else {}
    except OSError as error:
        raise _damaged(why_not(error)) from error
    except ValueError as error:
        raise _damaged(Text(f"it is not JSON ({error})", "JSONとして読めません")) from error
    if not isinstance(value, dict):
        raise _damaged(Text("it is not an object", "オブジェクトではありません"))
    return value


def _pull_request(payload: Mapping[str, JsonValue]) -> PullRequest:
    described = _mapping(payload.get("pull_request"))
    head, base = _mapping(described.get("head")), _mapping(described.get("base"))
    number = described.get("number")
    if not isinstance(number, int) or not _text(head.get("sha")):
        raise _damaged(Text("it names no pull request", "プルリクエストの情報がありません"))
    return PullRequest(
        number=number,
        head_ref=_text(head.get("ref")),
        head_sha=_text(head.get("sha")),
        head_repository=_text(_mapping(head.get("repo")).get("full_name")) or None,
        base_ref=_text(base.get("ref")),
        base_sha=_text(base.get("sha")),
        merged=described.get("merged") is True,
        merged_as=_text(described.get("merge_commit_sha")) if described.get("merged") is True else "",
    )


def _mapping(value: JsonValue) -> Mapping[str, JsonValue]:
    return value if isinstance(value, dict) else {}


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


def _number(value: str | None) -> int:
    return int(value) if value and value.isascii() and value.isdigit() else 0


def _branch(ref: str) -> str:
    return ref.removeprefix("refs/heads/")


def _damaged(why: Text) -> UsageFault:
    return UsageFault(
        Text(
            f"GitHub's event file can't be used: {why.en}.",
            f"GitHubのイベントファイルを使えません({why.ja})。",
        )
    )
