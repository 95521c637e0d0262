"""Why a gate's finding keeps a run from becoming the baseline, in a few words per reason."""

from collections.abc import Iterable

from ragjudge.compare.decision import Reason, ReasonCode, Verdict
from ragjudge.language import Language, Text

_VERDICTS = {
    Verdict.FAILED: Text("failed", "不合格"),
    Verdict.INCONCLUSIVE: Text("inconclusive", "判定不能"),
}
_REASONS = {
    ReasonCode.CASES_REGRESSED: Text("cases got worse", "ケースの品質低下"),
    ReasonCode.METRIC_REGRESSED: Text("a mean got worse", "指標の平均の低下"),
    ReasonCode.BELOW_MINIMUM: Text("a mean is below its floor", "下限を下回る平均"),
    ReasonCode.CASES_REMOVED: Text("cases were removed", "ケースの削除"),
    ReasonCode.CASES_NEWLY_SKIPPED: Text("cases are newly skipped", "ケースの新たなスキップ"),
    ReasonCode.METRIC_REMOVED: Text("a metric was removed", "指標の削除"),
    ReasonCode.NOT_COMPARABLE: Text("scores are not comparable", "比較できない採点条件"),
    ReasonCode.UNSCORED: Text("scores are missing", "採点できなかったケース"),
    ReasonCode.SUSPECTS_NOT_CONFIRMED: Text("suspects were not confirmed", "確認しきれなかった疑い"),
    ReasonCode.NOTHING_EVALUATED: Text("nothing was evaluated", "評価できたケースがない"),
    ReasonCode.NOTHING_COMPARED: Text("nothing could be compared", "比較できたケースがない"),
    ReasonCode.RUN_STOPPED: Text("the run ended early", "実行の中断"),
    ReasonCode.WORKFLOW_CHANGED_DURING_RUN: Text(
        "the app was published anew during the run", "実行中のアプリの再公開"
    ),
}


def gate_says(verdict: Verdict, reasons: Iterable[Reason]) -> Text:
    """For a verdict that is failed or inconclusive; the report tells each reason at length."""
    codes = tuple(dict.fromkeys(reason.code for reason in reasons))

    def named(language: Language) -> str:
        words = (_REASONS[code].in_language(language) if code in _REASONS else code.value for code in codes)
        return {"en": ", ", "ja": "、"}[language].join(words)

    shown = _VERDICTS[verdict]
    return Text(f"the gate says {shown.en} ({named('en')})", f"判定が「{shown.ja}」です({named('ja')})")
