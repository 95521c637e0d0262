"""Notices that a server is down, so that a run stops after a few failures and not after hundreds."""

from ragjudge.errors import AppUnreachable, CaseFailure, JudgeUnreachable, RagjudgeError
from ragjudge.language import Text
from ragjudge.results.outcome import Cause

PATIENCE = 8
"""This many failures to reach a server, with no success between them, are an outage."""


class Outage:
    """Counts failures in a row of one kind of server; raises once they are an outage."""

    def __init__(self, whole: type[RagjudgeError], what: Text, cause: Cause) -> None:
        self._whole = whole
        self._what = what
        self._cause = cause
        self._in_a_row = 0

    def success(self) -> None:
        self._in_a_row = 0

    def failure(self, error: CaseFailure) -> None:
        if error.cause != self._cause:
            return
        self._in_a_row += 1
        if self._in_a_row >= PATIENCE:
            detail = Text(f"{self._what.en} {error.what.en}", f"{self._what.ja}{error.what.ja}")
            raise self._whole(detail, hint=error.hint) from error


def app_outage() -> Outage:
    return Outage(
        AppUnreachable,
        Text(
            f"The Dify app failed to answer {PATIENCE} times in a row.",
            f"Difyアプリに{PATIENCE}回続けて接続できませんでした。",
        ),
        Cause.APP_UNREACHABLE,
    )


def judge_outage() -> Outage:
    return Outage(
        JudgeUnreachable,
        Text(
            f"The judge could not be reached {PATIENCE} times in a row.",
            f"評価LLMに{PATIENCE}回続けて接続できませんでした。",
        ),
        Cause.JUDGE_UNREACHABLE,
    )
