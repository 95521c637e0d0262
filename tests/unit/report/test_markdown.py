"""The comment and the file, as whole texts."""

import os
from pathlib import Path

import pytest

from ragjudge.report import markdown
from tests.unit.report import reading
from tests.unit.report.stories import STORIES, failed, large

GOLDEN = Path(__file__).parents[2] / "golden"
UPDATE = os.environ.get("UPDATE_GOLDENS") == "1"
LANGUAGES = ("ja", "en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", STORIES)
def test_comment_reads_as_agreed(name, language):
    """Each story's comment is the golden file, word for word (UPDATE_GOLDENS=1 writes them anew)."""
    _agrees(f"comment-{name}-{language}.md", markdown.comment(STORIES[name](language).view()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_file_reads_as_agreed(language):
    """report.md is the golden file, word for word."""
    _agrees(f"report-failed-{language}.md", markdown.file(failed(language).view()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_scores_only_reads_as_agreed(language):
    """The comment of a public repository is the golden file, word for word."""
    _agrees(f"comment-scores-only-{language}.md", markdown.comment(failed(language).view(content="scores")))


def _agrees(name: str, text: str) -> None:
    path = GOLDEN / name
    if UPDATE:
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.md")), ids=lambda path: path.name)
def test_golden_is_whole_markdown(path):
    """Every golden has equal cells per row, closed folds, our own HTML only, and fits a comment."""
    text = path.read_text(encoding="utf-8")
    reading.is_whole(text)
    assert len(text) <= markdown.COMMENT_CHARACTERS


def test_verdict_is_first():
    """The first line holds the verdict, in the reader's words."""
    assert markdown.comment(failed("ja").view()).startswith("### ❌ ragjudge: 不合格")
    assert markdown.comment(failed("en").view()).startswith("### ❌ ragjudge: Failed")


def test_no_details_leaves_cards_and_full_table_out():
    """`report.details: false` keeps verdict, metrics and lists, but neither cards nor the table of all cases."""
    text = markdown.comment(failed("ja").view(details=False))
    assert "品質が下がったケース" in text
    assert "要改善のケース" in text
    assert "全ケースの一覧" not in text
    assert "観点ごとの評価" not in text


def test_scores_only_holds_no_text_of_app_judge_or_tester():
    """`report.content: scores` shows no question, answer, reference, reason, comment, title or error text."""
    story = failed("ja")
    view = story.view(content="scores")
    texts = [markdown.comment(view), markdown.file(view), markdown.summary(view)]
    for result in (*story.run.cases, *story.before.cases):
        for secret in _texts_of(result):
            assert all(secret not in text for text in texts), secret
    assert all("`7`" in text for text in texts)


def _texts_of(result):
    yield result.case.question
    yield result.case.reference
    for sample in result.samples:
        yield sample.answer.text
        if sample.answer.contexts.kind == "retrieved":
            for item in sample.answer.contexts.items:
                yield item.document_name
        for outcome in sample.scores.values():
            yield from outcome.comments.values()
            if outcome.reason:
                yield outcome.reason


def test_every_case_stands_in_file_by_its_own_id():
    """report.md names each case, however many there are."""
    text = markdown.file(large("ja", cases=120).view())
    assert all(f"`Q-{n:04d}`" in text for n in range(1, 121))
    reading.is_whole(text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_large_comment_is_cut_at_row_borders(language):
    """300 regressed cases: within the limit, whole Markdown, how many are left out, and a link to the rest."""
    text = markdown.comment(large(language, cases=300).view())
    assert len(text) <= markdown.COMMENT_CHARACTERS
    reading.is_whole(text)
    assert "https://github.example/acme/rules-bot/actions/runs/42" in reading.targets(text)
    assert ("…ほか" in text) if language == "ja" else ("… and" in text)
    assert len(text) > markdown.COMMENT_CHARACTERS * 0.8


def test_summary_is_counted_in_bytes():
    """A job summary of Japanese text stays within its limit of UTF-8 bytes."""
    view = large("ja", cases=400).view()
    text = markdown.summary(view, most=100_000)
    assert len(text.encode()) <= 100_000
    assert len(text.encode()) > 80_000
    reading.is_whole(text)


@pytest.mark.parametrize("most", [600, 1_500, 4_000, 12_000, 30_000])
def test_any_limit_gives_whole_markdown(most):
    """However small the limit, the verdict is there and nothing is left open."""
    text = markdown.comment(large("ja", cases=60).view(), most=most)
    assert len(text) <= most
    assert text.startswith("### ❌")
    reading.is_whole(text)
