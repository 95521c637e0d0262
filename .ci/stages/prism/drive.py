"""Drives every call of ours through Prism: each request allowed by the description, each documented error handled."""

import argparse
import contextlib
import io
import json
import re
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from cut import CALLS
from prism_server import Forwarder, Prism
from pydantic import SecretStr

from ragjudge.baseline.github_branch import GitHubBranch
from ragjudge.baseline.patience import Patience
from ragjudge.errors import RagjudgeError
from ragjudge.github import fork_run, merged
from ragjudge.github.api import GitHubApi
from ragjudge.github.base_branch import BaseBranch
from ragjudge.github.check_run import CheckRun, Concluded
from ragjudge.github.commands import Annotation
from ragjudge.github.comment import CommentMode, Fate, StickyComment
from ragjudge.github.context import from_event
from ragjudge.github.fork_run import ForkRun
from ragjudge.github.marker import Marker
from ragjudge.github.repository import completed
from ragjudge.github.viewer import ACTIONS_BOT

REPOSITORY = "octo/app"
MARKER = Marker(suite="ragjudge.yml", head="", run=2, attempt=1, number=2)
OURS = {
    "id": 42,
    "body": f"{Marker(suite='ragjudge.yml', head='', run=1, attempt=1, number=1)}\nold",
    "user": {"login": ACTIONS_BOT},
}
RUN = ForkRun(run_id=9, head_sha="a" * 40, head_branch="patch-1", head_owner="stranger")


class NoWait:
    def now(self) -> float:
        return 0.0

    def sleep(self, seconds: float) -> None:
        del seconds


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


class Drive:
    """Each method is something that we do on GitHub, in our own words."""

    def __init__(self, api: GitHubApi, forwarder: Forwarder) -> None:
        self.api = api
        self.forwarder = forwarder

    def repository(self) -> object:
        context = from_event("schedule", {}, {"GITHUB_REPOSITORY": REPOSITORY})
        return completed(context, self.api).private

    def first_comment(self) -> object:
        return self._comment(list)

    def updated_comment(self) -> object:
        return self._comment(lambda: [OURS])

    def overtaken_comment(self) -> object:
        """A newer run's first comment came beside ours: ours goes again."""
        newer = {
            **OURS,
            "id": 43,
            "body": f"{Marker(suite='ragjudge.yml', head='', run=3, attempt=1, number=3)}\nnew",
        }
        listed: list[list[object]] = [[], [newer]]
        return self._comment(lambda: listed.pop(0) if listed else [newer])

    def check_run(self) -> object:
        """Sixty remarks: made with fifty, then ten more."""
        self.forwarder.rewrite = {"POST .*/check-runs": lambda _: {"id": 4}}
        remarks = [Annotation("error", f"case {n}", "ragjudge", "tests/rag.json", n + 1) for n in range(60)]
        run = CheckRun(
            api=self.api,
            repository=REPOSITORY,
            name="ragjudge (ragjudge.yml)",
            head="a" * 40,
            details_url="https://github.example/octo/app/actions/runs/9",
        )
        ended = Concluded(
            conclusion="failure", title="2 cases got worse", summary="### report", annotations=remarks
        )
        return run.post(ended)

    def base_config(self) -> object:
        return BaseBranch(self.api, REPOSITORY, "b" * 40).read("ragjudge.yml")

    def fork_pull_request(self) -> object:
        return fork_run.pull_request(self.api, REPOSITORY, RUN)

    def fork_artifact(self) -> object:
        artifact = {"id": 5, "name": "ragjudge", "expired": False, "size_in_bytes": 10}
        self.forwarder.rewrite = {"GET .*/artifacts": lambda _: {"total_count": 1, "artifacts": [artifact]}}
        self.forwarder.moved_to = _archive()
        return fork_run.found(self.api, REPOSITORY, RUN)

    def merged_results(self) -> object:
        """What the runs of the pull request behind a merge commit uploaded."""
        merge, head = "c" * 40, "a" * 40
        pull = {
            "number": 7,
            "merged_at": "2026-01-02T03:04:05Z",
            "merge_commit_sha": merge,
            "base": {"ref": "main"},
            "head": {"sha": head, "repo": {"full_name": REPOSITORY}},
        }
        run = {"id": 9, "head_sha": head, "conclusion": "success"}
        artifact = {"id": 5, "name": "ragjudge", "expired": False, "size_in_bytes": 10}
        self.forwarder.rewrite = {
            "GET .*/commits/[^/]+/pulls": lambda _: [pull],
            "GET .*/actions/runs": lambda _: {"total_count": 1, "workflow_runs": [run]},
            "GET .*/artifacts": lambda _: {"total_count": 1, "artifacts": [artifact]},
        }
        self.forwarder.moved_to = _archive(merged.RESULTS)
        given = {"GITHUB_REPOSITORY": REPOSITORY, "GITHUB_SHA": merge, "GITHUB_REF": "refs/heads/main"}
        found = merged.merged_pull(self.api, from_event("push", {}, given))
        return found and list(merged.uploaded_results(self.api, REPOSITORY, found))

    def stored_baseline(self) -> object:
        """Read and replace a file on a data branch that is there already."""
        self._data_branch()
        return self._branch().write("suite/main/baseline.json", lambda _: b"{}", "Baseline")

    def first_baseline(self) -> object:
        """The same where there is no branch yet."""
        self._data_branch()
        self.forwarder.absent = "GET .*/git/ref/.*"
        try:
            return self._branch().write("suite/main/baseline.json", lambda _: b"{}", "Baseline")
        finally:
            self.forwarder.absent = ""

    def _branch(self) -> GitHubBranch:
        return GitHubBranch(
            self.api, REPOSITORY, "ragjudge-baseline", patience=Patience(lambda _: None, lambda: 0.5)
        )

    def _data_branch(self) -> None:
        objects = {"sha": "c" * 40, "tree": {"sha": "d" * 40}, "object": {"sha": "e" * 40}}
        self.forwarder.rewrite = {
            "(GET|POST|PATCH) .*/git/(ref|refs|commits|blobs|trees)(/.*)?": lambda _: objects
        }

    def _comment(self, listed: Callable[[], list[object]]) -> object:
        self.forwarder.rewrite = {
            "GET .*/issues/[0-9]+/comments": lambda _: listed(),
            "GET .*/issues/comments/[0-9]+": lambda _: OURS,
            "POST .*/issues/[0-9]+/comments": lambda _: {"id": 44, "html_url": "https://github.example/44"},
            "GET .*/pulls/[0-9]+": lambda _: {"head": {"sha": ""}},
        }
        posted = StickyComment(self.api, REPOSITORY, 7, MARKER).post("### report", CommentMode.UPDATE)
        return posted.fate


def _archive(name: str = fork_run.FILE) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(name, fork_run.Found("suite.json", 2, ()).dumps())
    return packed.getvalue()


EXPECTED: dict[str, Callable[[object], bool]] = {
    "repository": lambda value: isinstance(value, bool),
    "first_comment": lambda value: value is Fate.CREATED,
    "updated_comment": lambda value: value is Fate.UPDATED,
    "overtaken_comment": lambda value: value is Fate.LEFT_TO_NEWER,
    "check_run": lambda value: value is None,
    "base_config": lambda value: value is None or isinstance(value, bytes),
    "fork_pull_request": lambda value: value is None,
    "merged_results": lambda value: isinstance(value, list) and len(value) == 1,
    "stored_baseline": lambda value: value == "c" * 40,
    "first_baseline": lambda value: value == "c" * 40,
    "fork_artifact": lambda value: isinstance(value, fork_run.Found),
}


def all_valid(drive: Drive, forwarder: Forwarder) -> None:
    for name, holds in EXPECTED.items():
        value = getattr(drive, name)()
        say(f"  {name}: {value!r}")
        if not holds(value):
            raise SystemExit(f"prism stage failed: {name} gave {value!r}")
    for exchange in forwarder.seen:
        if exchange.violations or exchange.status >= 400:
            raise SystemExit(f"prism stage failed: {exchange}")
    missing = [call for call in CALLS if not any(_is(call, e.method, e.path) for e in forwarder.seen)]
    if missing:
        raise SystemExit(f"prism stage failed: never made {missing}")
    say(f"  {len(forwarder.seen)} calls of {len(CALLS)} kinds made, all valid")


def a_wrong_request_is_noticed(drive: Drive, forwarder: Forwarder) -> None:
    """Else a mock that accepts anything would make this stage worthless."""
    forwarder.rewrite = {}
    with contextlib.suppress(RagjudgeError):
        drive.api.send("POST", f"/repos/{REPOSITORY}/issues/7/comments", {"bod": 1})
    if not forwarder.seen[-1].violations:
        raise SystemExit("prism stage failed: a malformed request was not noticed")
    say("  a malformed request is refused")


def every_documented_error(drive: Drive, forwarder: Forwarder, description: dict) -> None:
    """For each call, each status that the description names: our own error or a value, never a crash."""
    tried = 0
    for call in CALLS:
        method, path = call.split(" ")
        statuses = [
            int(s)
            for s in description["paths"][path][method.lower()]["responses"]
            if s.isdigit() and int(s) >= 300
        ]
        for status in statuses:
            if status == 302 and call.endswith("{archive_format}"):
                continue
            forwarder.wanted = (method, _pattern(path), status)
            before = len(forwarder.seen)
            for name in EXPECTED:
                try:
                    getattr(drive, name)()
                except RagjudgeError as error:
                    if not error.in_language("ja").strip():
                        raise SystemExit(f"prism stage failed: {call} {status} has no sentence") from error
            met = [e for e in forwarder.seen[before:] if _is(call, e.method, e.path) and e.status == status]
            if not met:
                raise SystemExit(f"prism stage failed: {call} never answered {status}")
            tried += 1
    forwarder.wanted = None
    say(f"  {tried} documented errors answered")


def _pattern(path: str) -> str:
    """`{path}` and `{ref}` may hold slashes."""
    return re.sub(r"\{(path|ref)\}", ".+", re.sub(r"\{(?!path|ref)[a-z_]+\}", "[^/]+", path))


def _is(call: str, method: str, path: str) -> bool:
    wanted, template = call.split(" ")
    return wanted == method and re.fullmatch(_pattern(template), path) is not None


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--prism", required=True)
    options.add_argument("--description", required=True)
    chosen = options.parse_args()
    description = json.loads(Path(chosen.description).read_text("utf-8"))
    say(f"GitHub REST API {description['info']['version']}, {len(CALLS)} kinds of calls")
    with Prism(chosen.prism, chosen.description) as prism:
        forwarder = Forwarder(prism)
        with GitHubApi(forwarder.url, SecretStr("ghs_x"), clock=NoWait(), timeout_s=60) as api:
            drive = Drive(api, forwarder)
            all_valid(drive, forwarder)
            a_wrong_request_is_noticed(drive, forwarder)
            every_documented_error(drive, forwarder, description)
    say("prism stage: everything ran, nothing was skipped")


if __name__ == "__main__":
    main()
