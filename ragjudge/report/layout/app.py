"""What the pull request changes in the app, beside the cases that got worse."""

from collections.abc import Iterator

from ragjudge.compare.decision import CaseStatus
from ragjudge.dsl.word_diff import Piece
from ragjudge.report import escape
from ragjudge.report.blocks import (
    Block,
    Bullets,
    Code,
    Fold,
    Inline,
    Inserted,
    Line,
    Paragraph,
    Removed,
    Section,
    Strong,
)
from ragjudge.report.layout import sentences
from ragjudge.report.view.model import AppChangeView, ReportView
from ragjudge.report.wording.base import Wording

MOST_OPEN = 8
"""So many changes are read in ten seconds; the others are folded."""
LONGEST_CHANGE = 300
LONGEST_PIECE = 160
MOST_PIECES = 16
MOST_NODES = 6
LONGEST_ID = 40


def changes(view: ReportView, words: Wording) -> Section | None:
    """One line per change; then whether it is what was judged."""
    if not view.app_changes:
        return None
    lines = [
        _line(change, several=len({c.file for c in view.app_changes}) > 1) for change in view.app_changes
    ]
    blocks: list[Block] = [*_beside(view, words), Bullets(tuple(lines[:MOST_OPEN]))]
    if rest := lines[MOST_OPEN:]:
        blocks.append(Fold(words.phrases.more_changes.format(count=len(rest)), (Bullets(tuple(rest)),)))
    if view.unproven:
        blocks.append(Paragraph(("ℹ️ ", *_unproven(view, words))))
    return Section(words.headings.app_changes, tuple(blocks))


def _beside(view: ReportView, words: Wording) -> Iterator[Block]:
    """Which nodes changed while which cases got worse."""
    worse = view.with_status(CaseStatus.REGRESSED)
    nodes = list(dict.fromkeys(escape.cut(c.node, LONGEST_ID) for c in view.app_changes if c.node))
    if worse and nodes:
        shown = [*nodes[:MOST_NODES], *(["…"] if len(nodes) > MOST_NODES else [])]
        said = words.phrases.changed_beside.format(
            ids=sentences.ids([case.id for case in worse], words), nodes=words.phrases.list_comma.join(shown)
        )
        yield Paragraph((Strong(said),))


def _line(change: AppChangeView, *, several: bool) -> Line:
    file: tuple[Inline, ...] = (Code(escape.cut(change.file, 80)), " ") if several else ()
    text = escape.cut(change.text, LONGEST_CHANGE)
    return (*file, f"{text}: ", *_pieces(change.pieces)) if change.pieces else (*file, text)


def _pieces(pieces: tuple[Piece, ...]) -> Iterator[Inline]:
    for piece in pieces[:MOST_PIECES]:
        shown = escape.cut(piece.text, LONGEST_PIECE)
        if piece.kind == "same":
            yield piece.text if len(piece.text) <= LONGEST_PIECE else shown
            continue
        if piece.text[:1].isspace():
            yield " "
        yield Removed(shown) if piece.kind == "gone" else Inserted(shown)
        if piece.text[-1:].isspace():
            yield " "
    if len(pieces) > MOST_PIECES:
        yield " …"


def _unproven(view: ReportView, words: Wording) -> Line:
    """Which version was judged, and why that need not be the pull request's."""
    phrases = words.phrases
    ids = [escape.cut(one, LONGEST_ID) for one in (view.judged.workflow_ids if view.judged else ())]
    if not ids:
        return (f"{phrases.judged_unknown}{phrases.unproven}",)
    before, _, after = phrases.judged_version.partition("{ids}")
    shown = [part for one in ids for part in (phrases.list_comma, Code(one))][1:]
    return (before, *shown, f"{after}{phrases.unproven}")
