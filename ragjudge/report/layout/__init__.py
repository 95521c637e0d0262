"""From the view model to the story a reader gets: which sections, in which order, in which words."""

from collections.abc import Iterator

from ragjudge.report import wording
from ragjudge.report.blocks import Document, Section
from ragjudge.report.layout import app, attribution, cases, foot, head, scores
from ragjudge.report.layout.shape import BRIEF, COMMENT, FILE, Shape
from ragjudge.report.view.model import ReportView
from ragjudge.report.wording.base import Wording

__all__ = ["BRIEF", "COMMENT", "FILE", "Shape", "brief", "lay_out"]


def lay_out(view: ReportView, shape: Shape) -> Document:
    """The verdict first, then why, then where, then everything else."""
    words = wording.of(view.language)
    found = (*_in_short(view, words, shape), *_in_full(view, words, shape))
    return Document(head.title(view, words), tuple(section for section in found if section is not None))


def brief(view: ReportView) -> Document:
    """What a person at a terminal wants to see; the rest is in the report's file."""
    words = wording.of(view.language)
    found = (*_in_short(view, words, BRIEF), foot.in_short(view, words))
    return Document(head.title(view, words), tuple(section for section in found if section is not None))


def _in_short(view: ReportView, words: Wording, shape: Shape) -> Iterator[Section | None]:
    yield head.notices(view, words)
    yield head.why(view, words)
    yield head.scope(view)
    yield cases.accepted(view, words, shape)
    yield scores.metrics(view, words)
    yield foot.honesty(view, words)
    yield app.changes(view, words)
    yield attribution.section(view, words)
    yield head.problems(view, words)
    yield cases.regressed(view, words, shape)
    yield cases.suspects(view, words, shape)
    yield cases.unscored(view, words, shape)
    yield cases.suite_changes(view, words, shape)
    yield head.warnings(view, words)


def _in_full(view: ReportView, words: Wording, shape: Shape) -> Iterator[Section | None]:
    yield cases.improvement(view, words, shape)
    yield scores.groups(view, words)
    yield cases.noise(view, words, shape)
    yield head.pairs(view, words)
    yield head.suggestions(view, words)
    yield scores.trend(view, words)
    yield cases.everything(view, words, shape)
    yield foot.judged(view, words, opened=shape.opens_everything)
