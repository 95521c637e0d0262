"""Cells that show a value in Excel, or an error, and hold nothing that can be asked or sent."""

import pytest

from ragjudge.errors import SuiteFault
from ragjudge.settings import load as load_settings
from ragjudge.suite import load_fitting
from tests.unit.suite.books import edit

SETTINGS = load_settings("suite: a.xlsx\napp: {inputs: {Who: ['${ENTITY}の人'], n: 1}}").settings


@pytest.fixture
def fitting(book):
    """The workbook read with `entity` as an input of the app."""

    def read():
        book.workbook.save(book.folder / "a.xlsx")
        return load_fitting(SETTINGS, book.folder)

    return read


def rows(book):
    """An error and formulas without results, in a column that is sent to the app and in one that is not."""
    book.rows(
        ["No", "質問", "正解", "entity", "メモ"], [1, "q", "r", "#N/A", "#REF!"], [2, "q2", "r2", "=A1", "=B1"],
        [None, None, None, "=A1", "=B1"],
    )  # fmt: skip
    return book


def test_what_would_be_sent_to_the_app_is_a_fault(book, fitting):
    """The app would be asked for the entity `#N/A`, or for none."""
    rows(book)

    with pytest.raises(SuiteFault) as caught:
        fitting()

    assert [p.in_language("en") for p in caught.value.problems] == [
        "a.xlsx#ケース!D2: The cell holds the error #N/A.",
        "a.xlsx#ケース!D3: The formula has no stored result. Open the workbook in Excel and save it.",
    ]


def test_elsewhere_it_is_a_note(book):
    """Columns of the team's own that nobody sends; rows without a case say nothing."""
    found = rows(book).load()

    assert [n.en for n in found.notes] == [
        "a.xlsx: columns of your own hold errors or formulas without a stored result (D2, E2, D3, E3)."
    ]


def test_an_error_merged_over_rows_is_one_for_each(book, fitting):
    """Also where the first of them is hidden."""
    book.rows(["No", "質問", "entity"], [1, "q", "#N/A"], [2, "q2", None])
    book.sheet.merge_cells("C2:C3")
    book.sheet.row_dimensions[2].hidden = True

    with pytest.raises(SuiteFault) as caught:
        fitting()

    assert [str(p.place) for p in caught.value.problems] == ["a.xlsx#ケース!C3"]


def test_a_formula_whose_result_is_an_empty_text_has_one(book, fitting):
    """`=IF(A2="","",A2)` was calculated: the cell is empty, as it looks."""
    book.rows(["No", "質問", "entity", "正解"], [1, "q", "=E2", "=F2"])
    book.workbook.save(book.folder / "a.xlsx")
    for cell in ("C2", "D2"):
        edit(book.folder / "a.xlsx", "xl/worksheets/sheet1.xml", f'<c r="{cell}"', f'<c r="{cell}" t="str"')

    (case,) = load_fitting(SETTINGS, book.folder).cases

    assert (case.reference, case.fields) == (None, {"entity": ""})
