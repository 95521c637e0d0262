"""An entry of our own among a commit's checks (`report.check_run: true`), with every annotation instead of ten.

Needs `checks: write`. As with the comment, trouble comes back as a note and never reaches the verdict.
https://docs.github.com/en/rest/checks/runs
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import httpx2
from pydantic import JsonValue

from ragjudge.errors import GitHubRefused, RagjudgeError
from ragjudge.exit_codes import ExitCode
from ragjudge.github.api import GitHubApi
from ragjudge.github.commands import LONE, Annotation, Level, within_bytes
from ragjudge.language import Text

SUMMARY_BYTES = 65_535
"""GitHub's limit in characters; kept in bytes, which are never fewer."""
ANNOTATIONS_PER_CALL = 50
LONGEST_TITLE = 255
LONGEST_MESSAGE = 8_000
"""GitHub takes 64 KB; 50 of these fit a request."""

_LEVELS: Mapping[Level, str] = {"error": "failure", "warning": "warning", "notice": "notice"}
_BY_VERDICT = {"passed": "success", "no_baseline": "success", "skipped": "neutral"}


def conclusion(verdict: str, exit_code: int, *, never_red: bool) -> str:
    """GitHub's word for an ending. Whatever nobody can vouch for is no success; `never_red` is `fail-on: never`."""
    if exit_code in (ExitCode.INTERRUPTED, ExitCode.TERMINATED):
        return "cancelled"
    if exit_code == ExitCode.OK and verdict in _BY_VERDICT:
        return _BY_VERDICT[verdict]
    finding = exit_code in (ExitCode.OK, ExitCode.FAILED, ExitCode.CANNOT_TELL)
    return "neutral" if never_red and finding else "failure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Concluded:
    """How a run ended. `title` and `summary` are Markdown made by us, secrets taken out."""

    conclusion: str
    title: str
    summary: str
    annotations: Sequence[Annotation] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRun:
    """The check run of one suite on one commit. `details_url` is where "Details" leads."""

    api: GitHubApi
    repository: str
    name: str
    head: str
    details_url: str

    def post(self, ended: Concluded) -> Text | None:
        """Makes the check run, fifty annotations per call; a note for people where that did not work."""
        output: dict[str, JsonValue] = {
            "title": ended.title[:LONGEST_TITLE],
            "summary": within_bytes(ended.summary, SUMMARY_BYTES),
        }
        first, *more = list(_batches(ended.annotations)) or [[]]
        body: dict[str, JsonValue] = {
            "name": self.name,
            "head_sha": self.head,
            "status": "completed",
            "conclusion": ended.conclusion,
            "output": {**output, "annotations": first},
        }
        if self.details_url.startswith("https://"):
            body["details_url"] = self.details_url
        runs = f"/repos/{self.repository}/check-runs"
        try:
            made = self.api.send("POST", runs, body)
            for batch in more:
                # GitHub appends; a repeat after a cut line could show fifty twice, so there is none.
                update: dict[str, JsonValue] = {"output": {**output, "annotations": batch}}
                self.api.send("PATCH", f"{runs}/{_id(made)}", update, repeatable=False)
        except RagjudgeError as trouble:
            return _why_not(trouble)
        return None


def _batches(annotations: Sequence[Annotation]) -> Iterator[list[JsonValue]]:
    """GitHub wants a file and a line for each; what has none stands in the summary."""
    placed = [_described(annotation) for annotation in annotations if annotation.file]
    for start in range(0, len(placed), ANNOTATIONS_PER_CALL):
        yield placed[start : start + ANNOTATIONS_PER_CALL]


def _described(annotation: Annotation) -> JsonValue:
    line = annotation.line or 1
    return {
        "path": annotation.file,
        "start_line": line,
        "end_line": line,
        "annotation_level": _LEVELS[annotation.level],
        "message": _sound(annotation.message, LONGEST_MESSAGE),
        "title": _sound(annotation.title, LONGEST_TITLE),
    }


def _sound(text: str, most: int) -> str:
    return text.encode("utf-8", LONE).decode()[:most]


def _id(made: JsonValue) -> int:
    number = made.get("id") if isinstance(made, dict) else None
    return number if isinstance(number, int) else 0


def _why_not(trouble: RagjudgeError) -> Text:
    if isinstance(trouble, GitHubRefused) and trouble.status in (
        httpx2.codes.FORBIDDEN,
        httpx2.codes.NOT_FOUND,
    ):
        return Text(
            f"The check run could not be made: {trouble.answer}. `report.check_run` needs `permissions: checks: write`"
            " in the job; on a pull request from a fork GitHub gives no such right. The verdict is not affected.",
            f"チェックを作成できませんでした: {trouble.answer}。`report.check_run` を使うには、ジョブに"
            " `permissions: checks: write` が必要です。フォークからのプルリクエストではこの権限は与えられません。"
            "判定には影響しません。",
        )
    return Text(
        f"The check run could not be made: {trouble.what.en} The verdict is not affected.",
        f"チェックを作成できませんでした: {trouble.what.ja} 判定には影響しません。",
    )
