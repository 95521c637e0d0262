"""Which of the app's changes broke which cases, as far as that was tried: beside the changes themselves."""

from collections.abc import Iterator

from ragjudge.report import escape, numbers
from ragjudge.report.blocks import Block, Column, Faint, Line, NewLine, Paragraph, Section, Strong, Table
from ragjudge.report.layout import sentences
from ragjudge.report.view.model import ReportView
from ragjudge.report.wording.base import Wording
from ragjudge.results.attribution import Alone, Attribution

LONGEST_NAME = 120
LONGEST_CHANGE = 160
LONGEST_WHY = 240
MOST_LINES = 2


def section(view: ReportView, words: Wording) -> Section | None:
    """What was found in a sentence or two, then each change with the cases that it breaks alone."""
    found = view.attribution
    if found is None:
        return None
    if found.why_not is not None:
        why = escape.cut(found.why_not.in_language(words.language), LONGEST_WHY)
        said = Paragraph((words.phrases.not_attributed.format(why=why),))
        return Section(words.headings.attribution, (said,))
    blocks: list[Block] = [Paragraph((Strong(line),)) for line in _conclusions(found, words)]
    blocks += [_table(found, words), Paragraph((Faint(_took(found, words)),))]
    return Section(words.headings.attribution, tuple(blocks))


def _conclusions(found: Attribution, words: Wording) -> Iterator[str]:
    phrases = words.phrases
    if not found.asked:
        yield phrases.none_tried
    outside = found.unchanged.broken if found.unchanged is not None else ()
    unclear = found.by_every if found.unchanged is None and len(found.alone) > 1 else ()
    for one in found.alone:
        own = [case for case in one.broken if case not in (*outside, *unclear)]
        if own:
            yield phrases.breaks_alone.format(change=_name(one, words), ids=sentences.ids(own, words))
    for ids, phrase in (
        (found.together, phrases.breaks_together),
        (outside, phrases.breaks_anyway),
        (unclear, phrases.each_breaks),
    ):
        if ids:
            yield phrase.format(ids=sentences.ids(ids, words))
    if found.open:
        missing = [one for one in found.alone if not set(found.open) <= set(one.tried)]
        changes = words.phrases.list_comma.join(_name(one, words) for one in missing)
        yield phrases.not_found.format(ids=sentences.ids(found.open, words), changes=changes)


def _table(found: Attribution, words: Wording) -> Table:
    labels = words.labels
    columns = (Column(labels.change_alone), Column(labels.broken_alone), Column(labels.tried, "right"))
    shown = [*found.alone, *([found.unchanged] if found.unchanged is not None else [])]
    return Table(columns, tuple(_row(one, len(found.cases), words) for one in shown))


def _row(one: Alone, cases: int, words: Wording) -> tuple[Line, Line, Line]:
    name = _capital(one.name.in_language(words.language))
    said: list[Line] = [(Strong(escape.cut(name, LONGEST_NAME)),)]
    lines = [change.in_language(words.language).removeprefix(f"{name}: ") for change in one.changes]
    said += [(Faint(escape.cut(line, LONGEST_CHANGE)),) for line in lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        said.append((Faint(words.phrases.more_changes.format(count=len(lines) - MOST_LINES)),))
    result: Line = (sentences.ids(one.broken, words),) if one.broken else (numbers.NONE,)
    if one.why_not is not None:
        why = escape.cut(one.why_not.in_language(words.language), LONGEST_WHY)
        phrase = words.phrases.partly_tried if one.tried else words.phrases.not_tried
        not_tried = Faint(phrase.format(why=why))
        result = (*result, NewLine(), not_tried) if one.broken else (not_tried,)
    return _under_each_other(said), result, (f"{len(one.tried)} / {cases}",)


def _under_each_other(lines: list[Line]) -> Line:
    return tuple(inline for line in lines for inline in (NewLine(), *line))[1:]


def _took(found: Attribution, words: Wording) -> str:
    took = words.phrases.attributing_took.format(
        questions=numbers.count(found.questions), tokens=numbers.count(found.judge_tokens)
    )
    left = len(found.cases) - len(found.asked)
    if not left or not found.asked:
        return took
    return words.phrases.cases_not_asked.format(count=numbers.count(left)) + took


def _name(one: Alone, words: Wording) -> str:
    return escape.cut(one.name.in_language(words.language), LONGEST_NAME)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
