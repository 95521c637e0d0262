"""What stands where in a report."""

from dataclasses import replace

import pytest

from ragjudge.compare.decision import Reason, ReasonCode
from ragjudge.report import layout
from ragjudge.report.blocks import Alert, Bullets, Fold, Table
from tests.unit.report.stories import failed, inconclusive, large, no_baseline, passed, skipped


def titles(document):
    return [section.title for section in document.sections if section.title]


def section(document, title):
    return next(section for section in document.sections if section.title == title)


def test_notices_stand_before_everything_else():
    """What the pull request changes in its own rules is read first."""
    first = layout.lay_out(skipped("ja").view(), layout.COMMENT).sections[0]
    assert isinstance(first.blocks[0], Alert)
    assert first.blocks[0].kind == "important"


@pytest.mark.parametrize("story", [no_baseline, skipped, inconclusive])
def test_what_is_no_verdict_has_a_banner(story):
    """No baseline, not judged and inconclusive are told in a banner, not only in the title."""
    blocks = [
        block for s in layout.lay_out(story("en").view(), layout.COMMENT).sections for block in s.blocks
    ]
    assert any(isinstance(block, Alert) and block.kind in {"note", "warning"} for block in blocks)


def test_order_is_by_what_a_reader_needs():
    """Metrics, what changed in the app beside the cases that decided, then the rest, the full table near the end."""
    found = titles(layout.lay_out(failed("en").view(), layout.COMMENT))
    assert found == [
        "Metrics",
        "What changes in the app",
        "Regressed cases",
        "Changes to the suite",
        "Notes",
        "Cases that need improvement",
        "Means per group",
        "Recovered when asked again (noise)",
        "Baselines over time",
        "All cases",
    ]


def test_few_regressed_cases_show_their_cards_many_a_table_first():
    """Three cards are read at once; with more, the table of all stands before folded cards."""
    few = section(layout.lay_out(failed("en").view(), layout.COMMENT), "Regressed cases")
    assert [type(block) for block in few.blocks] == [Table, Table]
    many = section(layout.lay_out(large("en", cases=5).view(), layout.COMMENT), "Regressed cases")
    assert [type(block) for block in many.blocks] == [Table, Fold]
    assert len(many.blocks[0].rows) == 5
    assert len(many.blocks[1].blocks) == 5


def test_worst_case_comes_first():
    """The largest drop first."""
    cards = section(layout.lay_out(failed("en").view(), layout.COMMENT), "Regressed cases").blocks
    assert [card.columns[0].title for card in cards] == ["7", "3"]


def test_same_advice_is_given_once():
    """Three metrics that fell share one advice, after the last of them."""
    view = failed("en").view()
    reasons = tuple(
        Reason(code=ReasonCode.METRIC_REGRESSED, metric=name) for name in ("correctness", "faithfulness")
    )
    document = layout.lay_out(replace(view, reasons=reasons), layout.COMMENT)
    bullets = next(block for block in document.sections[0].blocks if isinstance(block, Bullets))
    assert [len(item) for item in bullets.items] == [1, 3]


@pytest.mark.parametrize(
    ("suite", "shown"),
    [
        ("tests/rag/*.json", "tests/rag/*.json"),
        ("/home/runner/work/app/app/tests/rag/a.json", "…/tests/rag/a.json"),
        ("C:\\repo\\app\\tests\\rag\\a.json", "…/tests/rag/a.json"),
        ("", "ragjudge"),
    ],
)
def test_title_names_the_suite(suite, shown):
    """The suite as the user wrote it; of an absolute path its end."""
    assert layout.lay_out(replace(passed("en").view(), suite=suite), layout.COMMENT).title.endswith(
        f"— {shown}"
    )


def test_first_screen_is_small_however_much_is_wrong():
    """Hundreds of ids do not push the metrics off the first screen: ten are named, the rest counted."""
    ids = tuple(f"case-{n}" for n in range(500))
    view = replace(
        failed("en").view(), reasons=(Reason(code=ReasonCode.CASES_REGRESSED, cases=ids, number=500),)
    )
    words = layout.lay_out(view, layout.COMMENT).sections[0].blocks[0].line[0].text
    assert words.startswith("500 cases got worse: case-0, case-1,")
    assert words.endswith("case-9, and 490 more.")


def test_offline_judge_is_never_behind_a_fold():
    """Whoever reads the numbers reads what they are not."""
    document = layout.lay_out(no_baseline("en").view(), layout.COMMENT)
    open_text = [
        part
        for s in document.sections
        for block in s.blocks
        if not isinstance(block, Fold | Table | Alert | Bullets)
        for part in block.line
    ]
    assert any(isinstance(part, str) and "offline judge" in part for part in open_text)


def test_unscored_cases_have_cause_and_cure():
    """Each cause comes with what to do about it."""
    blocks = section(
        layout.lay_out(inconclusive("en").view(), layout.COMMENT), "Cases that could not be scored"
    ).blocks
    assert [row[0][0].text for row in blocks[0].rows] == ["2", "5"]
    cures = [item[0] for item in blocks[1].items]
    assert cures[1] == "No answer came in time → Raise app.timeout_s, or lower app.concurrency."
