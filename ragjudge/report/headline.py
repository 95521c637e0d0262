"""The verdict in one sentence, for the action's output `exit-reason` and for a log line."""

from ragjudge.report import escape, wording
from ragjudge.report.layout import sentences
from ragjudge.report.view.model import ReportView


def headline(view: ReportView) -> str:
    """The most important reason as plain text on one line."""
    words = wording.of(view.language)
    said = sentences.of_reason(view.reasons[0], view, words).what
    return escape.one_line(sentences.ended(said, words))
