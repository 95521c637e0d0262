"""The second half of the fork-safe pair: what a fork's run left as an artifact, and the pull request it belongs to.

The run had no secrets, and whoever opened the pull request decided what it did: its artifact is data of unknown
origin. Nothing of it is executed, no path of it is used, its size is bounded, and its words are escaped like any other.
"""

import io
import json
import lzma
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from ragjudge.errors import UsageFault
from ragjudge.github.api import GitHubApi
from ragjudge.github.context import EventContext
from ragjudge.language import Text

ARTIFACT = "ragjudge"
"""The name under which the first workflow uploads its `out` folder."""
FILE = "not-judged.json"
MOST_ARTIFACT_BYTES = 20_000_000
MOST_FILE_BYTES = 200_000
MOST_PROBLEMS = 50
MOST_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class ForkRun:
    """The finished run that GitHub tells about in a `workflow_run` event."""

    run_id: int
    head_sha: str
    head_branch: str
    head_owner: str


@dataclass(frozen=True, slots=True)
class Found:
    """What a run without keys could tell. Every text is outside text."""

    suite: str
    cases: int
    problems: tuple[str, ...]

    def dumps(self) -> str:
        """Within the bounds that the reader has, however much was found."""
        told = [problem[:MOST_CHARACTERS] for problem in self.problems]
        if len(told) > MOST_PROBLEMS:
            told[MOST_PROBLEMS - 1 :] = [f"… (+{len(told) - MOST_PROBLEMS + 1})"]
        fields = {"suite": self.suite[:MOST_CHARACTERS], "cases": self.cases, "problems": told}
        return json.dumps(fields, ensure_ascii=False)


def origin(context: EventContext) -> ForkRun | None:
    """The run of the event, None where it was not started by a pull request. Raises UsageFault."""
    match context.payload.get("workflow_run"):
        case {
            "id": int() as run_id,
            "event": str() as event,
            "head_sha": str() as sha,
            "head_branch": str() as branch,
            "head_repository": {"owner": {"login": str() as owner}},
        }:
            return ForkRun(run_id, sha, branch, owner) if event == "pull_request" else None
        case _:
            raise UsageFault(
                Text(
                    "GitHub's event names no finished run with a head repository.",
                    "GitHubのイベントに、終了した実行の情報がありません。",
                )
            )


def pull_request(api: GitHubApi, repository: str, run: ForkRun) -> int | None:
    """The open pull request whose head is the run's commit. The event itself names none for a fork."""
    head = f"{run.head_owner}:{run.head_branch}"
    for item in api.pages(f"/repos/{repository}/pulls", {"head": head, "state": "open"}):
        match item:
            case {"number": int() as number, "head": {"sha": sha}} if sha == run.head_sha:
                return number
    return None


def found(api: GitHubApi, repository: str, run: ForkRun) -> Found | None:
    """What the run's artifact says, None where it left none (a run with keys, or one that never began)."""
    archive = artifact(api, repository, run.run_id)
    return None if archive is None else parse(archive)


def artifact(api: GitHubApi, repository: str, run_id: int) -> bytes | None:
    """The archive that a run of a workflow uploaded, None where there is none, or one that is too large."""
    listing = api.get(f"/repos/{repository}/actions/runs/{run_id}/artifacts", {"name": ARTIFACT})
    artifacts = listing.get("artifacts") if isinstance(listing, dict) else None
    for described in artifacts if isinstance(artifacts, list) else ():
        match described:
            case {
                "id": int() as number,
                "name": "ragjudge",
                "expired": False,
                "size_in_bytes": int() as size,
            } if size <= MOST_ARTIFACT_BYTES:
                path = f"/repos/{repository}/actions/artifacts/{number}/zip"
                return api.download(path, MOST_ARTIFACT_BYTES)
    return None


def entry(archive: bytes, name: str, most: int) -> bytes | None:
    """One file of an archive by its exact name. None where there is none, it is damaged or unpacks to more."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened, opened.open(name) as file:
            data = file.read(most + 1)
    except (
        *(zipfile.BadZipFile, zlib.error, lzma.LZMAError),
        *(KeyError, ValueError, NotImplementedError, RuntimeError, EOFError, OSError),
    ):
        return None
    return data if len(data) <= most else None


def parse(archive: bytes) -> Found | None:
    """What the archive's one file says. None for anything that is not as we wrote it."""
    data = entry(archive, FILE, MOST_FILE_BYTES)
    try:
        value = json.loads(data.decode()) if data is not None else None
    except (ValueError, RecursionError):
        return None
    return _found(value) if isinstance(value, dict) else None


def _found(value: Mapping[str, JsonValue]) -> Found | None:
    match value:
        case {"suite": str() as suite, "cases": int() as cases, "problems": list() as problems}:
            texts = [problem[:MOST_CHARACTERS] for problem in problems if isinstance(problem, str)]
            return Found(suite[:MOST_CHARACTERS], max(0, min(cases, 10**6)), tuple(texts[:MOST_PROBLEMS]))
        case _:
            return None
