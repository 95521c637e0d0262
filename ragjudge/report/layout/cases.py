"""The sections that list cases. Each case stands there by its own id."""

from collections.abc import Sequence
from dataclasses import replace

from ragjudge.compare.decision import CaseStatus
from ragjudge.metric_specs import CORRECTNESS
from ragjudge.report import numbers
from ragjudge.report.blocks import Block, Bullets, Fold, Paragraph, Section, Table
from ragjudge.report.layout import case_cells as cells
from ragjudge.report.layout import case_table as columns
from ragjudge.report.layout.card import card
from ragjudge.report.layout.shape import Shape
from ragjudge.report.view.model import CaseView, ReportView
from ragjudge.report.wording.base import Wording

_SUITE_CHANGES = (
    CaseStatus.REMOVED,
    CaseStatus.NEWLY_SKIPPED,
    CaseStatus.QUESTION_CHANGED,
    CaseStatus.REFERENCE_CHANGED,
    CaseStatus.NEW,
)
_HAS_CARD_ABOVE = frozenset({CaseStatus.REGRESSED, CaseStatus.SUSPECT})


def regressed(view: ReportView, words: Wording, shape: Shape) -> Section | None:
    found = view.with_status(CaseStatus.REGRESSED)
    return _with_cards(words.headings.regressed, found, view, words, shape)


def suspects(view: ReportView, words: Wording, shape: Shape) -> Section | None:
    found = view.with_status(CaseStatus.SUSPECT)
    section = _with_cards(words.headings.suspects, found, view, words, shape)
    if section is None:
        return None
    return replace(section, blocks=(Paragraph((words.phrases.intro_suspects,)), *section.blocks))


def improvement(view: ReportView, words: Wording, shape: Shape) -> Section | None:
    """Cases of 3 or less, lowest first; those that regressed have their cards further up."""
    found = sorted((case for case in view.cases if case.needs_improvement), key=columns.correctness_of)
    if not found:
        return None
    extras = [columns.score(CORRECTNESS.name, words), *_summary(view, words)]
    blocks: list[Block] = [Paragraph((words.phrases.intro_improvement,))]
    blocks += _rows(columns.table(found, view, words, extras), words, shape)
    weak = [case for case in found if case.status not in _HAS_CARD_ABOVE]
    if view.details and weak:
        blocks += _cards(weak, words, shape, opened=shape.opens_everything)
    return Section(words.headings.improvement, tuple(blocks))


def noise(view: ReportView, words: Wording, shape: Shape) -> Section | None:
    found = view.with_status(CaseStatus.NOISE)
    if not found:
        return None
    table = columns.table(found, view, words, (columns.change(words), columns.fresh(words)))
    intro = Paragraph((words.phrases.intro_noise,))
    return Section(words.headings.noise, (intro, *_rows(table, words, shape)))


def accepted(view: ReportView, words: Wording, shape: Shape) -> Section | None:
    found = view.with_status(CaseStatus.ACCEPTED)
    if not found:
        return None
    extras = (columns.change(words), columns.accepted_reason(words))
    intro = Paragraph((words.phrases.in_force,))
    table = columns.table(found, view, words, extras)
    return Section(words.headings.accepted, (intro, *_rows(table, words, shape)))


def unscored(view: ReportView, words: Wording, shape: Shape) -> Section | None:
    """Each case with its cause, then one cure per cause."""
    found = [case for case in view.cases if columns.causes_of(case)]
    if not found:
        return None
    extras = (columns.what_is_missing(view, words), columns.why_missing(words))
    table = columns.table(found, view, words, extras)
    causes = dict.fromkeys(cause for case in found for cause in columns.causes_of(case))
    cures = Bullets(tuple((f"{words.causes[c].what} → {words.causes[c].todo}",) for c in causes))
    return Section(words.headings.unscored, (*_rows(table, words, shape), cures))


def suite_changes(view: ReportView, words: Wording, shape: Shape) -> Section | None:
    found = [case for status in _SUITE_CHANGES for case in view.with_status(status)]
    if not found:
        return None
    table = columns.table(found, view, words, (columns.status(words),))
    return Section(words.headings.suite_changes, _rows(table, words, shape))


def everything(view: ReportView, words: Wording, shape: Shape) -> Section | None:
    """Every case in two tables, one of words and one of numbers: a single one would be too wide to read."""
    if not view.details or not view.cases:
        return None
    names = view.metric_names
    first = CORRECTNESS.name if CORRECTNESS.name in names else names[0] if names else None
    extras = [columns.score(name, words) for name in names if name == first]
    blocks: list[Block] = []
    seen = dict.fromkeys(words.statuses[case.status] for case in view.cases if case.status is not None)
    if seen:
        extras.insert(0, columns.status_icon(words))
        blocks.append(Paragraph((" · ".join(str(mark) for mark in seen),)))
    blocks.append(columns.table(view.cases, view, words, (*extras, *_summary(view, words))))
    if len(names) > 1:
        blocks.append(columns.numbers_only(view.cases, [name for name in names if name != first], words))
    if not shape.opens_everything:
        summary = words.phrases.in_fold.format(count=numbers.count(len(view.cases)))
        blocks = [Fold(summary, tuple(blocks))]
    return Section(words.headings.all_cases, tuple(blocks))


def _with_cards(
    heading: str, found: Sequence[CaseView], view: ReportView, words: Wording, shape: Shape
) -> Section | None:
    """Few cases: their cards alone. Many: a table of all of them first, the cards behind a fold."""
    if not found:
        return None
    ordered = sorted(found, key=cells.drop)
    few = len(ordered) <= shape.open_cards and view.details
    blocks: list[Block] = []
    if not few or shape.opens_everything:
        extras = [columns.change(words), *_summary(view, words)]
        blocks += _rows(columns.table(ordered, view, words, extras), words, shape)
    if view.details and shape.has_cards:
        blocks += _cards(ordered, words, shape, opened=few)
    return Section(heading, tuple(blocks))


def _cards(found: Sequence[CaseView], words: Wording, shape: Shape, *, opened: bool) -> list[Block]:
    tables: list[Block] = [card(case, words, shape) for case in found]
    if opened:
        return tables
    count = numbers.count(len(found))
    return [Fold(words.phrases.details_of.format(count=count), tuple(tables))]


def _summary(view: ReportView, words: Wording) -> list[columns.Field]:
    return [] if view.scores_only else [columns.summary(words)]


def _rows(table: Table, words: Wording, shape: Shape) -> tuple[Block, ...]:
    return (table,) if len(table.rows) <= shape.open_rows else (_fold(table, words),)


def _fold(table: Table, words: Wording) -> Fold:
    return Fold(words.phrases.in_fold.format(count=numbers.count(len(table.rows))), (table,))
