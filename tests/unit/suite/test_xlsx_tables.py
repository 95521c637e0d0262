"""Sheets on which more stands than one table."""

import pytest

from ragjudge.errors import SuiteFault


def test_a_header_over_two_rows_that_is_repeated_is_left_out_with_both(book):
    """The first of them has the titles of groups."""
    head = (["No", "質問", "期待する結果", None], [None, None, "回答", "出典"])
    book.rows(*head, [1, "q", "r", "s"], [], *head, [2, "q2", "r2", "s2"])
    for merged in ("A1:A2", "B1:B2", "C1:D1", "A5:A6", "B5:B6", "C5:D5"):
        book.sheet.merge_cells(merged)

    found = book.load()

    assert [(c.id, c.reference) for c in found.cases] == [("1", "r"), ("2", "r2")]
    assert [n.en for n in found.notes] == ["a.xlsx: rows that repeat the header were left out (5–6)."]


def test_a_heading_merged_over_question_and_answer_is_no_case(book):
    """Only where it is certain: one value alone, over both columns."""
    book.rows(
        ["質問", "回答", "部署"], ["▼経費関連"], ["q", "r", "本社"], ["次の質問", None, "本社"], ["※検討中"],
        ["q3", "r3"], ["部署不問の質問"],
    )  # fmt: skip
    for merged in ("A2:C2", "A4:B4", "B7:C7"):
        book.sheet.merge_cells(merged)

    found = book.load()

    assert [c.question for c in found.cases] == ["q", "次の質問", "※検討中", "q3", "部署不問の質問"]
    assert [n.en for n in found.notes] == [
        "a.xlsx: headings merged over question and answer were left out (2)."
    ]


def test_hidden_rows_are_told_where_no_case_is_left(book):
    """A filter hides all of them: the error alone would send the tester looking for the questions."""
    book.rows(["質問", "回答"], ["q", "r"], ["q2", "r2"])
    for row in (2, 3):
        book.sheet.row_dimensions[row].hidden = True

    with pytest.raises(SuiteFault) as caught:
        book.load()

    assert caught.value.in_language("en").splitlines() == [
        "The suite needs a change:",
        "  - a.xlsx: The suite holds no case. Add at least one question.",
        "Notes:",
        "  - a.xlsx: hidden rows were left out (2–3).",
    ]
    assert caught.value.in_language("ja").splitlines()[2:] == [
        "注意:",
        "  - a.xlsx: 非表示の行は使いません(2–3行目)。",
    ]


def test_a_question_merged_with_an_untitled_column_stays_a_case(book):
    """A form with a wide question."""
    book.rows(["質問", None, "回答"], ["q", None, None], ["q2", None, "r2"])
    for merged in ("A1:B1", "A2:B2", "A3:B3"):
        book.sheet.merge_cells(merged)

    assert [c.question for c in book.load().cases] == ["q", "q2"]
