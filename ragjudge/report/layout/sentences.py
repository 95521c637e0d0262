"""The gate's reasons as sentences. Placeholders of `Says`:

{count} and {cases}  how many cases ("3" and "3 cases")      {ids}  their ids, ten at most
{metric}  its name     {before} {now} {tolerance} {minimum}  that metric's numbers     {number}  the reason's own
{detail}  what the gate adds, in brackets, or nothing
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from ragjudge.compare.decision import Reason, ReasonCode
from ragjudge.report import escape, numbers
from ragjudge.report.view.model import CaseView, ReportView
from ragjudge.report.wording.base import Says, Wording
from ragjudge.suite.case import WITHHELD
from ragjudge.suite.values import SKIPPED

MOST_IDS = 10
LONGEST_ID = 40
LONGEST_DETAIL = 300
MOST_SKIPPED_IDS = 5
MOST_SKIP_REASONS = 3


def of_reason(reason: Reason, view: ReportView, words: Wording) -> Says:
    """The sentence and the advice of one reason, finished."""
    says = words.reasons[reason.code]
    values = _values(reason, view, words)
    return Says(says.what.format(**values), says.todo.format(**values))


def ids(case_ids: Iterable[str], words: Wording, *, most: int = MOST_IDS) -> str:
    """Case ids one by one, never as a range; how many more where there are too many for a sentence."""
    every = [escape.cut(case_id, LONGEST_ID) for case_id in case_ids]
    shown = every[:most]
    if len(every) > most:
        shown.append(words.phrases.more_ids.format(count=len(every) - most))
    return words.phrases.list_comma.join(shown)


def cases(count: int, words: Wording) -> str:
    if words.language == "ja":
        return f"{numbers.count(count)} 件"
    return f"{numbers.count(count)} {'case' if count == 1 else 'cases'}"


def bracketed(detail: str, words: Wording) -> str:
    if not detail:
        return ""
    short = escape.cut(detail, LONGEST_DETAIL)
    return f"（{short}）" if words.language == "ja" else f" ({short})"


def of_skipped(found: Sequence[CaseView], words: Wording) -> str:
    """How many cases the suite leaves out, which, and why as far as it says; one line however many they are."""
    reasons = Counter(case.skipped for case in found if case.skipped not in {SKIPPED, WITHHELD})
    said = [
        f"{escape.cut(reason or '', LONGEST_ID)}: {cases(count, words)}"
        for reason, count in reasons.most_common(MOST_SKIP_REASONS)
    ]
    if (more := len(reasons) - len(said)) > 0:
        said.append(words.phrases.more_reasons.format(count=more))
    return words.phrases.skipped.format(
        cases=cases(len(found), words),
        ids=ids((case.id for case in found), words, most=MOST_SKIPPED_IDS),
        reasons=bracketed(words.phrases.list_comma.join(said), words),
    )


def ended(sentence: str, words: Wording) -> str:
    """The sentence with its capital and its full stop."""
    sentence = sentence[:1].upper() + sentence[1:]
    stop = "。" if words.language == "ja" else "."
    return sentence if sentence.endswith((stop, "!", "?")) else sentence + stop


def _values(reason: Reason, view: ReportView, words: Wording) -> dict[str, str]:
    metric = next((m for m in view.metrics if m.name == reason.metric), None)
    name = reason.metric or ""
    count = len(reason.cases) or int(reason.number or 0)
    return {
        "count": numbers.count(count),
        "cases": cases(count, words),
        "ids": ids(reason.cases, words) or words.metric(name),
        "metric": words.metric(name),
        "before": numbers.mean(name, metric.before if metric else None),
        "now": numbers.mean(name, metric.now if metric else None),
        "tolerance": numbers.limit(metric.tolerance if metric else None),
        "minimum": numbers.limit(metric.minimum if metric else None),
        "number": _number(reason),
        "detail": bracketed(_detail(reason, words), words),
    }


def _number(reason: Reason) -> str:
    if reason.number is None:
        return numbers.NONE
    if reason.code is ReasonCode.DRIFTED:
        return numbers.change_of_mean(reason.metric or "", reason.number)
    return numbers.count(int(reason.number)) if reason.number.is_integer() else numbers.limit(reason.number)


def _detail(reason: Reason, words: Wording) -> str:
    if reason.code not in (ReasonCode.NOT_COMPARABLE, ReasonCode.NOTHING_COMPARED):
        return reason.detail
    parts = [words.differences.get(part, part) for part in reason.detail.split(", ") if part]
    where = words.metric(reason.metric) if reason.metric else ids(reason.cases, words)
    return ": ".join(part for part in (where, words.phrases.list_comma.join(parts)) if part)
