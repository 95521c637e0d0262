"""Notices a judge that cannot judge, so that a run stops after a few cases and not after thousands of paid calls.

A judge is on trial until its first reply that could be used; from then on what it fails at is a matter of single
scores. Several cases must have failed before: a single one may be beyond any judge.
"""

from ragjudge.errors import CaseFailure, JudgeMisconfigured
from ragjudge.language import Text
from ragjudge.results.outcome import Cause

JUDGEMENTS, CASES = 20, 5
"""So many judgements of so many cases, all asked for twice and none of use, are no accident."""

_OF_NO_USE = frozenset({Cause.JUDGE_REPLY_UNUSABLE, Cause.JUDGE_REPLY_TRUNCATED})
_CURE = Text(
    "Choose a judge that can reply in JSON (judge.model), or check what answers at judge.base_url"
    " (a judge app's prompt and output included), then run again.",
    "JSONで返答できるモデルを judge.model に指定するか、judge.base_url の接続先"
    "(評価用アプリの場合はそのプロンプトと出力)を確認してから、再実行してください。",
)


class Trial:
    """Of one judge in one run; raises JudgeMisconfigured once it is known to be of no use."""

    def __init__(self) -> None:
        self._passed = False
        self._judgements = 0
        self._cases: set[int] = set()

    def usable(self) -> None:
        self._passed = True

    def failure(self, error: CaseFailure, order: int) -> None:
        """`order` is the case's place in the run."""
        if self._passed or error.cause not in _OF_NO_USE:
            return
        self._judgements += 1
        self._cases.add(order)
        if self._judgements >= JUDGEMENTS and len(self._cases) >= CASES:
            raise JudgeMisconfigured(_none_of(self._judgements, error.what), hint=_CURE) from error


def _none_of(judgements: int, last: Text) -> Text:
    return Text(
        f"Not one of the judge's first {judgements} judgements could be used. {last.en}",
        f"評価者の最初の{judgements}件の判定は、1件も使えませんでした。{last.ja}",
    )
