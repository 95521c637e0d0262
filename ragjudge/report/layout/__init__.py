"""From the view model to the story a reader gets: which sections, in which order, in which words."""

from collections.abc import Iterator

from ragjudge.report import wording
from ragjudge.report.blocks import Document, Section
from ragjudge.report.layout import cases, foot, head, scores
from ragjudge.report.layout.shape import COMMENT, FILE, Shape
from ragjudge.report.view.model import ReportView
from ragjudge.report.wording.base import Wording

__all__ = ["COMMENT", "FILE", "Shape", "lay_out"]


def lay_out(view: ReportView, shape: Shape) -> Document:
    """The verdict first, then why, then where, then everything else."""
    words = wording.of(view.language)
    found = _sections(view, words, shape)
    return Document(head.title(view, words), tuple(section for section in found if section is not None))


def _sections(view: ReportView, words: Wording, shape: Shape) -> Iterator[Section | None]:
    yield head.notices(view, words)
    yield head.why(view, words)
    yield scores.metrics(view, words)
    yield foot.honesty(view, words)
    yield head.problems(view, words)
    yield cases.regressed(view, words, shape)
    yield cases.suspects(view, words, shape)
    yield cases.unscored(view, words, shape)
    yield cases.suite_changes(view, words, shape)
    yield cases.accepted(view, words, shape)
    yield head.warnings(view, words)
    yield head.app_changes(view, words)
    yield cases.improvement(view, words, shape)
    yield scores.groups(view, words)
    yield cases.noise(view, words, shape)
    yield head.suggestions(view, words)
    yield scores.trend(view, words)
    yield cases.everything(view, words, shape)
    yield foot.judged(view, words, opened=shape.opens_everything)
