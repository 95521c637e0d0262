"""Checks without a judge: what a tester can say in plain words about an answer (pure, but for the regex's clock)."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ragjudge.language import Text
from ragjudge.metrics.patterns import TookTooLong, found
from ragjudge.results.answer import Answer
from ragjudge.suite import json_shape
from ragjudge.suite.case import Checks

Search = Callable[[str, str], bool]
"""(pattern, text) → does the pattern occur? May raise TookTooLong."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check: its kind (a field of `Checks`), what was wanted, whether it holds, and why not."""

    kind: str
    wanted: str
    passed: bool
    why_not: Text | None = None


def run_checks(checks: Checks, answer: Answer, *, search: Search = found) -> tuple[CheckResult, ...]:
    """Every check of a case, in the order of its fields. All look at the text as a reader sees it.

    A time limit of an answer whose latency nobody measured has no result.
    """
    return (
        *_contains(checks, answer.text),
        *_regex(checks, answer.text, search),
        *_latency(checks, answer.latency_s),
        *_cites(checks, answer),
        *_shape(checks, answer.text, search),
    )


def _contains(checks: Checks, text: str) -> Iterator[CheckResult]:
    missing = Text("The answer does not hold this text.", "回答にこの文字列が含まれていません。")
    present = Text("The answer holds this text.", "回答にこの文字列が含まれています。")
    for wanted in checks.contains:
        yield _result("contains", wanted, wanted in text, missing)
    for unwanted in checks.not_contains:
        yield _result("not_contains", unwanted, unwanted not in text, present)


def _regex(checks: Checks, text: str, search: Search) -> Iterator[CheckResult]:
    no_match = Text("The pattern does not occur in the answer.", "回答がこの正規表現に一致しません。")
    slow = Text(
        "The pattern took too long on this answer; write it more simply.",
        "この回答では正規表現の処理に時間がかかりすぎました。より簡単な書き方にしてください。",
    )
    for pattern in checks.regex:
        try:
            yield _result("regex", pattern, search(pattern, text), no_match)
        except TookTooLong:
            yield _result("regex", pattern, False, slow)


def _latency(checks: Checks, took_s: float | None) -> Iterator[CheckResult]:
    limit = checks.max_latency_s
    if limit is not None and took_s is not None:
        why_not = Text(f"The answer took {took_s:.1f} s.", f"回答に{took_s:.1f}秒かかりました。")
        yield _result("max_latency_s", f"{limit:g}", took_s <= limit, why_not)


def _cites(checks: Checks, answer: Answer) -> Iterator[CheckResult]:
    retrieved = answer.contexts
    names = (
        {name for item in retrieved.items for name in (item.document_name, item.title) if name}
        if retrieved.kind == "retrieved"
        else set()
    )
    absent = Text(
        "This document is not among the retrieved contexts.", "この文書は検索結果に含まれていません。"
    )
    for wanted in checks.cites:
        yield _result("cites", wanted, wanted in names, absent)


def _shape(checks: Checks, text: str, search: Search) -> Iterator[CheckResult]:
    if checks.json_schema is None:
        return
    wanted = json.dumps(checks.json_schema, ensure_ascii=False)
    try:
        found = json_shape.mismatch(json_shape.parse(text), checks.json_schema, search)
    except json_shape.NotJson as broken:
        where = "({}行{}文字目)".format(*broken.at) if broken.at else ""
        why_not = Text(f"The answer is not JSON: {broken}.", f"回答がJSONではありません{where}。")
        yield _result("json_schema", wanted, False, why_not)
    except TookTooLong:
        why_not = Text(
            "A pattern of the schema took too long.", "スキーマの正規表現の処理に時間がかかりすぎました。"
        )
        yield _result("json_schema", wanted, False, why_not)
    else:
        why_not = Text(f"The answer does not fit at {found}.", f"回答がスキーマに合いません: {found}")
        yield _result("json_schema", wanted, found is None, why_not)


def _result(kind: str, wanted: str, passed: bool, why_not: Text) -> CheckResult:
    return CheckResult(kind, wanted, passed, None if passed else why_not)
