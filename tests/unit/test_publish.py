"""The report on its way to those who show it."""

from ragjudge.publish import rendered
from tests.unit.report import stories


def test_what_only_github_shows_is_cut_only_for_github():
    """And once, however often it is asked for; secrets are out of it too."""
    seen = []

    def redact(text):
        seen.append(text)
        return text.replace("ragjudge", "***")

    report = rendered(stories.failed("ja").view(), redact, {}, 1)
    before = len(seen)
    comments = {report.comment() for _ in range(3)}
    summaries = {report.summary() for _ in range(3)}

    assert 2 == len(seen) - before
    assert 1 == len(comments) == len(summaries)
    assert "***" in comments.pop()
    assert "ragjudge" not in summaries.pop()
