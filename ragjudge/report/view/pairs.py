"""Today's answers beside the baseline's, in lines: the counts, then the losses with the judge's reasons. Pure."""

from collections.abc import Sequence

from ragjudge.language import Language, Text
from ragjudge.results.run import PairOutcome

_MOST = 10

_COUNTS = Text(
    "{win} better, {loss} worse, {tie} equal; {order} of the equal ones depended on the order of the answers.",
    "良くなった回答 {win}件、悪くなった回答 {loss}件、引き分け {tie}件（うち{order}件は並び順で結果が変わりました）",
)
_UNSCORED = Text("{count} could not be compared.", "比較できなかった回答: {count}件")
_LOSS = Text("worse: {case}{reason}", "悪化: {case}{reason}")


def lines(pairs: Sequence[PairOutcome], language: Language, *, with_reasons: bool = True) -> tuple[str, ...]:
    """Nothing where nothing was compared. Every number can be counted again in results.json."""
    if not pairs:
        return ()
    count = {name: sum(pair.result == name for pair in pairs) for name in ("win", "loss", "tie", "unscored")}
    order = sum(not pair.consistent for pair in pairs)
    found = [_COUNTS.in_language(language).format(order=order, **count)]
    if count["unscored"]:
        found.append(_UNSCORED.in_language(language).format(count=count["unscored"]))
    losses = [pair for pair in pairs if pair.result == "loss"]
    for pair in losses[:_MOST]:
        reason = f" ({pair.reason})" if with_reasons and pair.reason else ""
        found.append(_LOSS.in_language(language).format(case=pair.case_id, reason=reason))
    return (*found, *(["…"] if len(losses) > _MOST else []))
