"""What is wrong with a set of verdicts, in words that a judge can act on (pure).

A verdict that is missing, there twice or for something that was not asked is never guessed or left out of a
denominator: the judge is asked once more, and then the score is not had.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from ragjudge.language import Text
from ragjudge.metrics import tasks

MOST_AT_ONCE = 40
"""Verdicts asked for in one reply: with more of them a model's output is cut, or it loses count."""

_MISSING = Text("no verdict for {what} {numbers}", "{what}の{numbers}に対する判定がありません")
_TWICE = Text("more than one verdict for {what} {numbers}", "{what}の{numbers}に対する判定が重複しています")
_UNASKED = Text(
    "a verdict for {what} {numbers}, but there are only {count}",
    "{what}の{numbers}は存在しません（全部で{count}件です）",
)
_ONE_EACH = Text(
    "give exactly one verdict for each index from 1 to {count}",
    "1から{count}までの各indexに、判定をちょうど1つずつ返してください",
)
_COUNT = Text("{found} questions instead of {count}", "質問が{count}個必要ですが、{found}個でした")
_RANGE = Text(
    "the score {found} is not on the scale: give an integer from {low} to {high}",
    "点数 {found} は範囲外です。{low}から{high}までの整数で返してください",
)
_BLANK = Text("the statement at position {numbers} is empty", "{numbers}番目の主張が空です")
_NAMES = {
    "statement": Text("statement", "主張"),
    "sentence": Text("sentence", "文"),
    "context": Text("context", "コンテキスト"),
    "claim": Text("claim", "主張"),
}


def indices_fault(indices: Sequence[int], count: int, what: str) -> Text | None:
    """None where each of 1..count stands exactly once in `indices`; else every fault in one sentence.

    `what` is `statement`, `sentence`, `context` or `claim`.
    """
    seen = Counter(indices)
    faults = (
        (_MISSING, [i for i in range(1, count + 1) if i not in seen]),
        (_TWICE, sorted(i for i, times in seen.items() if times > 1)),
        (_UNASKED, sorted(i for i in seen if not 1 <= i <= count)),
    )
    found = [
        _filled(text, what=_NAMES[what], numbers=_listed(numbers), count=count)
        for text, numbers in faults
        if numbers
    ]
    return _joined([*found, _filled(_ONE_EACH, count=count)]) if found else None


def support(count: int) -> Callable[[tasks.Support], Text | None]:
    return lambda reply: indices_fault([v.index for v in reply.verdicts], count, "statement")


def attribution(count: int) -> Callable[[tasks.Attribution], Text | None]:
    return lambda reply: indices_fault([v.index for v in reply.verdicts], count, "sentence")


def context_review(contexts: int, sentences: int) -> Callable[[tasks.ContextReview], Text | None]:
    def fault(reply: tasks.ContextReview) -> Text | None:
        faults = (
            indices_fault([v.index for v in reply.usefulness], contexts, "context"),
            indices_fault([v.index for v in reply.attribution], sentences, "sentence"),
        )
        found = [one for one in faults if one is not None]
        return _joined(found) if found else None

    return fault


def claims(reply: tasks.Claims) -> Text | None:
    return indices_fault([c.index for c in reply.claims], len(reply.claims), "claim")


def statements(reply: tasks.Statements) -> Text | None:
    """A blank statement can be neither supported nor refuted."""
    blank = [i for i, text in enumerate(reply.statements, start=1) if not text.strip()]
    return _filled(_BLANK, numbers=_listed(blank)) if blank else None


def questions(count: int) -> Callable[[tasks.GeneratedQuestions], Text | None]:
    def fault(reply: tasks.GeneratedQuestions) -> Text | None:
        found = len(reply.questions)
        return None if found == count else _filled(_COUNT, found=found, count=count)

    return fault


def rubric(low: int, high: int) -> Callable[[tasks.RubricGrade], Text | None]:
    """Out of range is refused, never clamped."""

    def fault(reply: tasks.RubricGrade) -> Text | None:
        return None if low <= reply.score <= high else _filled(_RANGE, found=reply.score, low=low, high=high)

    return fault


def _joined(faults: Sequence[Text]) -> Text:
    return Text("; ".join(fault.en for fault in faults), "; ".join(fault.ja for fault in faults))


def _filled(text: Text, *, what: Text | None = None, **values: object) -> Text:
    named = what or Text("", "")
    return Text(text.en.format(what=named.en, **values), text.ja.format(what=named.ja, **values))


def _listed(numbers: Iterable[int], most: int = 10) -> str:
    numbers = list(numbers)
    shown = ", ".join(map(str, numbers[:most]))
    return f"{shown}, …" if len(numbers) > most else shown
