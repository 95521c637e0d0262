"""Sentences of Japanese and English text (pure).

Ends of a sentence: 。 ． ｡ ！ ？ and their runs, a newline, and `.` `!` `?` before a blank or the end. Not an end:
a point inside a number or a name (3.5, v1.2, example.co.jp), after an abbreviation or an initial, after a list
number, anything inside 「…」, 『…』 or （…） that is closed on the same line.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

SPLITTING = "1"
"""Bumped when the same text would be split otherwise; part of context recall's version."""

_ENDERS = "。．｡！？!?."
_CLOSERS = "」』）)】〕］]”’\"'»"
_BRACKETS = {"「": "」", "『": "』", "（": "）", "(": ")", "【": "】", "〔": "〕"}
_LIST_MARK = re.compile(
    r"^[\s　]*(?:[・•●○■□◆◇▪▫‣]+|[-*+–—]+(?=[\s　])|[(（]?[0-9０-９]{1,3}[)）.．](?![0-9０-９])|[①-⑳])[\s　]*"
)
_NEVER_ENDS = frozenset(
    {"mr", "mrs", "ms", "dr", "prof", "st", "gen", "col", "sgt", "rev", "hon", "vs", "fig", "figs", "eq"}
    | {"eqs", "sec", "ch", "vol", "pp", "ed", "eds", "cf", "viz", "e.g", "i.e"}
)
_BEFORE_NUMBER = frozenset({"no", "nos", "p", "art", "para", "ver", "approx", "ca"})
_MAY_END = frozenset(
    {"etc", "a.m", "p.m", "u.s", "u.k", "e.u", "inc", "ltd", "co", "corp", "jr", "sr", "ph.d", "dept", "al"}
)
_LONGEST_WORD = 40
_WORD_BEFORE = re.compile(r"[A-Za-z](?:[A-Za-z]|\.(?=[A-Za-z]))*$")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f々〆]")
_HIRAGANA_OR_COMMA = re.compile(r"[ぁ-ゟ、,]")


def sentences(text: str) -> list[str]:
    """The sentences in order, trimmed, each with at least one letter or digit; list marks are taken off."""
    return [part for line in _lines(text) for part in _with_words(_split_line(line))]


def _with_words(parts: Iterable[str]) -> list[str]:
    """A part without a letter or digit belongs to the one before it."""
    found: list[str] = []
    for part in parts:
        if _has_words(part):
            found.append(part)
        elif found:
            found[-1] += part
    return found


def _has_words(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _lines(text: str) -> Iterator[str]:
    """Logical lines: a heading that ends in a colon leads the line after it, hard-wrapped English is joined."""
    pending = ""
    for raw in re.split(r"[\n\r\x0b\x0c\x85\u2028\u2029]+", text):
        bare = _LIST_MARK.sub("", raw)
        line = (bare if _has_words(bare) else raw).strip()
        if not _has_words(line):
            continue
        if pending and (pending[-1] in ":：" or _wraps(pending, raw)):
            pending = f"{pending} {line}"
            continue
        if pending:
            yield pending
        pending = line
    if pending:
        yield pending


def _wraps(before: str, raw: str) -> bool:
    """Does an English sentence run over the line end?"""
    return before[-1].isascii() and before[-1] not in ".!?;" and bool(re.match(r"[a-z]", raw))


def _split_line(line: str) -> Iterator[str]:
    start = at = 0
    closes = _closing_positions(line)
    while at < len(line):
        if at in closes:
            at = closes[at]
            if not _ends_after_bracket(line, at):
                at += 1
                continue
        elif line[at] not in _ENDERS:
            at += 1
            continue
        end = _run_end(line, at)
        if _is_end(line, at, end):
            yield line[start:end].strip()
            start = end
        at = end
    if line[start:].strip():
        yield line[start:].strip()


def _closing_positions(line: str) -> dict[int, int]:
    """Where each outermost bracket opens → where it closes; brackets that stay open count as plain text."""
    stack: list[tuple[str, int]] = []
    awaited: Counter[str] = Counter()
    spans: dict[int, int] = {}
    for at, char in enumerate(line):
        if char in _BRACKETS:
            stack.append((_BRACKETS[char], at))
            awaited[_BRACKETS[char]] += 1
        elif awaited[char]:
            closer, opened = "", at
            while closer != char:
                closer, opened = stack.pop()
                awaited[closer] -= 1
            spans[opened] = at
    return spans


def _ends_after_bracket(line: str, close: int) -> bool:
    """A quotation that ends like a sentence ends one, unless the sentence goes on: 「はい。」と答えた。"""
    inner, after = line[close - 1], line[close + 1 : close + 2]
    return (
        inner in "。．｡！？!?"
        and bool(after)
        and not _HIRAGANA_OR_COMMA.match(after)
        and after not in _ENDERS
    )


def _run_end(line: str, at: int) -> int:
    """The end of a run of end marks and of the quotes that close behind it."""
    end = at + 1
    while end < len(line) and line[end] in _ENDERS:
        end += 1
    while end < len(line) and line[end] in _CLOSERS:
        end += 1
    return end


def _is_end(line: str, at: int, end: int) -> bool:
    mark, after = line[at], line[end : end + 1]
    if not after or mark in "。｡！？」』）)】〕":
        return True
    before = line[at - 1 : at]
    if mark == "．":
        return not (before.isdigit() and after.isdigit())
    if mark in "!?":
        return after.isspace() or bool(_CJK.match(after) and _CJK.match(before))
    near = line[max(0, at - _LONGEST_WORD) : at], line[end : end + _LONGEST_WORD].lstrip()
    return after.isspace() and not _is_abbreviation(*near)


def _is_abbreviation(before: str, after: str) -> bool:
    found = _WORD_BEFORE.search(before)
    if not found:
        return False
    word, following = found.group(), after[:1]
    if len(word) == 1 and word.isupper() and word != "I":
        return following.isupper()
    word = word.lower()
    if word in _NEVER_ENDS:
        return True
    if word in _BEFORE_NUMBER:
        return following.isdigit()
    return word in _MAY_END and not (following.isupper() or bool(_CJK.match(following)))
