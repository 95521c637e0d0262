"""The cases in Excel."""

import csv
from io import BytesIO, StringIO

import pytest
from openpyxl import load_workbook

from ragjudge.report import formats, sheets
from tests.unit.report.stories import STORIES, failed, skipped


def table(view):
    return list(csv.reader(StringIO(sheets.as_csv(view).removeprefix(sheets.BOM), newline="")))


def test_csv_opens_in_excel_as_it_is():
    """A byte order mark, CRLF line ends, and every row as long as the header."""
    text = sheets.as_csv(failed("ja").view())
    assert text.startswith("\ufeffID,entity,カテゴリ,")
    assert text.count("\r\n") == text.count("\n")
    assert len({len(row) for row in table(failed("ja").view())}) == 1


def test_csv_has_a_row_per_case_with_numbers_as_numbers():
    """Score now, before and change are columns of their own."""
    header, *rows = table(failed("ja").view())
    assert [row[0] for row in rows] == [str(n) for n in range(1, 14)]
    case = dict(zip(header, rows[2], strict=True))
    assert (case["正答度"], case["正答度 (ベースライン)"], case["正答度 (変化)"]) == ("2", "5", "-3")
    assert case["今回の回答"].startswith("出張旅費の精算は、翌月末までに")
    assert case["状態"] == "品質低下"


def test_workbook_has_cases_and_metrics():
    """Two sheets; numbers are numbers, the header stays in sight and can be filtered."""
    book = load_workbook(BytesIO(sheets.as_xlsx(failed("ja").view())))
    assert book.sheetnames == ["ケース", "指標"]
    cases = book["ケース"]
    header = [cell.value for cell in cases[1]]
    row = dict(zip(header, [cell.value for cell in cases[4]], strict=True))
    assert (row["ID"], row["正答度"], row["正答度 (変化)"]) == ("3", 2, -3)
    assert (cases.freeze_panes, cases.auto_filter.ref) == ("B2", cases.dimensions)
    metrics = book["指標"]
    assert [cell.value for cell in metrics[5]][:2] == ["検索の再現率", pytest.approx(0.985, abs=0.001)]


def test_scores_only_has_no_text_columns():
    """With `content: scores` there is no column for what anyone wrote."""
    header, *_ = table(failed("ja").view(content="scores"))
    assert not {"質問", "正解", "今回の回答", "総評", "理由"} & set(header)
    assert "正答度" in header


def test_nothing_judged_gives_a_header_only():
    """A skipped check has no rows, and still opens."""
    assert len(table(skipped("ja").view())) == 1
    assert load_workbook(BytesIO(sheets.as_xlsx(skipped("ja").view()))).sheetnames == ["ケース", "指標"]


@pytest.mark.parametrize("form", formats.FORMATS)
@pytest.mark.parametrize("name", STORIES)
def test_every_story_in_every_form(name, form):
    """Each form of each story is written, and has a file name."""
    assert formats.render(STORIES[name]("en").view(), form)
    assert formats.FILES[form]
