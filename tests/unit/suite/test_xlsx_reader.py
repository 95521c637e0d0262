import io
import zipfile
from datetime import date, datetime

import pytest
from openpyxl.styles import Font

from ragjudge.errors import SuiteFault
from ragjudge.suite import load
from tests.unit.suite.books import edit


def test_a_sheet_as_a_tester_keeps_it(book):
    """Title row, header in the third row over two rows, group titles, merged categories."""
    book.rows(
        ["RAGテストケース一覧"],
        [],
        ["No.", "分類", "質問内容(必須)", "期待する結果", None, "作成日"],
        [None, None, None, "回答", "出典"],
        [1, "経費システム", "締め日は?\r\n詳しく", "月末_x000D_\nです。", "規程", date(2026, 1, 2)],
        [2.0, None, "q2", "r2", None, datetime(2026, 1, 2, 9, 30)],  # noqa: DTZ001 - Excel knows no zones
        ["■ ここから人事"],
        ["３", "人事", "q3", 42],
    )
    for merged in ("A1:F1", "D3:E3", "A3:A4", "B3:B4", "C3:C4", "F3:F4", "B5:B6", "A7:F7"):
        book.sheet.merge_cells(merged)

    found = book.load()

    assert [(c.id, c.category, c.question, c.reference) for c in found.cases] == [
        ("1", "経費システム", "締め日は?\n詳しく", "月末\nです。"),
        ("2", "経費システム", "q2", "r2"),
        ("3", "人事", "q3", "42"),
    ]
    assert found.cases[0].fields == {"出典": "規程", "作成日": "2026-01-02"}
    assert found.cases[1].fields == {"出典": "", "作成日": "2026-01-02 09:30"}
    assert (found.cases[0].source.sheet, found.cases[0].source.cell) == ("ケース", "A5")
    assert [n.en for n in found.notes] == ["a.xlsx: rows without question and answer were left out (7)."]


def test_numbers_are_read_as_they_are_shown(book):
    """`1.0` is 1, and 5 shown as 005 is 005."""
    book.rows(["id", "question"], [1.0, "a"], [5, "b"], [0.5, "c"], [10**12, "d"], [True, "e"])
    book.sheet["A3"].number_format = "000"

    assert [c.id for c in book.load().cases] == ["1", "005", "0.5", "1000000000000", "true"]


def test_text_is_read_as_the_sheet_shows_it(book):
    """Percent, thousands, units and Japanese dates; ids, variables and numbers of checks stay what is stored."""
    titles = ["No", "質問", "回答", "必須語", "カテゴリ", "inputs.Limit", "最大応答秒数", "人数"]
    day = date(2024, 4, 1)
    book.rows(
        titles,
        [1000, "税率は?", 0.1, 3000, 2024, 3000, 5, 1200],
        [2, "日当は?", 3000, "3000円、日当", None, None, None, None],
        [3, "開始日は?", day, day, None, None, None, None],
        [4, 0.5, 0.1 + 0.2, None, None, None, None, None],
    )
    formats = {
        "A2": "#,##0", "C2": "0%", "D2": '#,##0"円"', "E2": '0"年度"', "F2": '#,##0"円"', "G2": '0.0"秒"',
        "H2": '#,##0"名"', "C3": '#,##0"円"', "C4": 'm"月"d"日"', "D4": 'm"月"d"日"', "B5": "0%",
    }  # fmt: skip
    for cell, number_format in formats.items():
        book.sheet[cell].number_format = number_format
    book.sheet.merge_cells("E2:E3")

    found = book.load()

    assert [(c.id, c.question, c.reference, c.checks.contains, c.category) for c in found.cases] == [
        ("1000", "税率は?", "10%", ("3,000円",), "2024年度"),
        ("2", "日当は?", "3,000円", ("3000円", "日当"), "2024年度"),
        ("3", "開始日は?", "4月1日", ("4月1日",), None),
        ("4", "50%", "0.3", (), None),
    ]
    assert (found.cases[0].inputs, found.cases[0].checks.max_latency_s) == ({"Limit": 3000}, 5.0)
    assert found.cases[0].fields == {"人数": "1200"}
    assert found.notes == ()


def test_a_format_that_is_not_known_is_told_with_its_cells(book):
    """The stored value is kept; the tester decides."""
    book.rows(["id", "question", "answer", "memo"], [1, "a", 0.5, 0.5], [2, "b", date(2024, 4, 1)])
    book.sheet["C2"].number_format = book.sheet["D2"].number_format = "# ?/?"
    book.sheet["C3"].number_format = "mm-dd-yy"

    found = book.load()

    assert [c.reference for c in found.cases] == ["0.5", "2024-04-01"]
    (note,) = found.notes
    assert note.en == (
        "a.xlsx: the display format of these cells is not known, so their stored values were read (C2, C3); "
        "type what is meant as text."
    )


def test_a_japanese_date_that_excel_stores_by_the_number_of_its_format_alone(book):
    """Format 56 is `4月1日` wherever Japanese Excel wrote it, and stands in no list of the file."""
    book.rows(["id", "question", "answer"], [1, "a", 45383])
    book.sheet["C2"].number_format = "0.00"
    book.workbook.save(book.folder / "a.xlsx")
    edit(book.folder / "a.xlsx", "xl/styles.xml", 'numFmtId="2"', 'numFmtId="56"')

    assert load(["a.xlsx"], base_dir=book.folder).cases[0].reference == "4月1日"


def test_hidden_rows_are_left_out_and_told(book):
    """A filtered-out case is not run, and nobody has to wonder why."""
    book.rows(["id", "question"], [1, "a"], [2, "b"], [3, "c"])
    book.sheet.row_dimensions[3].hidden = True

    found = book.load()

    assert [c.id for c in found.cases] == ["1", "3"]
    assert [n.ja for n in found.notes] == ["a.xlsx: 非表示の行は使いません(3行目)。"]


def test_a_hidden_column_counts_unless_a_visible_one_means_the_same(book):
    """Hidden ids are ids; a hidden old answer gives way."""
    book.rows(["id", "question", "回答", "模範回答"], [1, "a", "old", "new"])
    book.sheet.column_dimensions["A"].hidden = True
    book.sheet.column_dimensions["C"].hidden = True

    found = book.load()

    assert (found.cases[0].id, found.cases[0].reference) == ("1", "new")
    assert [n.en for n in found.notes] == [
        "a.xlsx: hidden column C (回答) was left out; a visible one means the same."
    ]


def test_the_sheet_is_named_or_found(book):
    """By `#name`, in any width; else the first visible one with a question column."""
    book.sheet.title = "表紙"
    book.rows(["仕様書"])
    for title, question in (("隠し", "h"), ("ケース", "a"), ("ケース２", "b")):
        book.workbook.create_sheet(title).append(["質問", "回答"])
        book.workbook[title].append([question, "r"])
    book.workbook["隠し"].sheet_state = "hidden"

    found = book.load()

    assert [c.question for c in found.cases] == ["a"]
    assert [n.en for n in found.notes] == [
        "a.xlsx: sheet 'ケース' was read; not read: ケース２ (name one as `a.xlsx#sheet`)."
    ]
    assert [c.question for c in book.load("a.xlsx#ケース2").cases] == ["b"]
    assert [c.question for c in book.load("a.xlsx#隠し").cases] == ["h"]
    assert book.told("a.xlsx#なし") == [
        "a.xlsx: There is no sheet named 'なし' (sheets: 表紙, 隠し, ケース, ケース２)."
    ]
    assert book.told("a.xlsx#表紙")[0].startswith("a.xlsx#表紙!A1: No question column was found")


def test_a_sheets_name_may_hold_the_mark_that_begins_it(book):
    """So may the file's."""
    book.rows(["質問", "回答"], ["a", "r"]).sheet.title = "シート #1#"
    assert [c.question for c in book.load("a.xlsx#シート #1#").cases] == ["a"]

    book.workbook.save(book.folder / "b#2.xlsx")
    found = load(["b#2.xlsx#シート #1#"], base_dir=book.folder)

    assert [(c.source.file, c.source.sheet) for c in found.cases] == [("b#2.xlsx", "シート #1#")]
    assert book.told("a.xlsx#2#") == ["a.xlsx: There is no sheet named '2#' (sheets: シート #1#)."]


def test_faults_name_sheet_and_cell(book):
    """An error value, a missing question, a taken id, two columns for one field."""
    book.rows(["id", "question", "answer"], [1, "#REF!", "r"], [2, None, "r"], [3, "q", "r"], [3, "q", "r"])
    book.sheet["B2"].data_type = "e"

    assert book.told() == [
        "a.xlsx#ケース!B2: The cell holds the error #REF!.",
        "a.xlsx#ケース!A3: Case 2: The question is missing or empty.",
        "a.xlsx#ケース!A5: The id '3' is taken by a.xlsx#ケース!A4. Give each case an id of its own.",
    ]


def test_a_formula_without_a_stored_result_is_a_fault(book):
    """It would read as an empty cell."""
    book.rows(["id", "question", "answer"], [1, "q", '="月末"&"です"'])

    assert book.told() == [
        "a.xlsx#ケース!C2: The formula has no stored result. Open the workbook in Excel and save it."
    ]


def test_a_formulas_stored_result_is_its_value(book):
    """What Excel showed last."""
    book.rows(["id", "question", "answer"], [1, "q", "=1+1"])
    book.workbook.save(book.folder / "a.xlsx")
    edit(
        book.folder / "a.xlsx",
        "xl/worksheets/sheet1.xml",
        r"<f>1\+1</f><v\s*/>|<f>1\+1</f><v></v>",
        "<f>1+1</f><v>2</v>",
    )

    assert load(["a.xlsx"], base_dir=book.folder).cases[0].reference == "2"


def test_readings_beside_kanji_are_not_part_of_the_text(book):
    """Excel keeps the typed kana of Japanese text; nobody sees it."""
    book.rows(["質問", "回答"], ["漢字", "答え"])
    book.workbook.save(book.folder / "a.xlsx")
    _share_string(book.folder / "a.xlsx", "漢字", '<t>漢字</t><rPh sb="0" eb="2"><t>カンジ</t></rPh>')

    assert load(["a.xlsx"], base_dir=book.folder).cases[0].question == "漢字"


def test_what_a_tester_may_not_have_meant_is_told(book):
    """An id that Excel turned into a date; questions struck through but not removed."""
    book.rows(
        ["id", "question", "memo"],
        [date(2026, 1, 2), "a", None],
        ["x", "b", None],
        ["y", "c", date(2026, 1, 2)],
    )
    book.sheet["B3"].font = book.sheet["B4"].font = Font(strike=True)

    found = book.load()

    assert [c.id for c in found.cases] == ["2026-01-02", "x", "y"]
    assert [n.en for n in found.notes] == [
        "a.xlsx: ids that are dates (rows 2): Excel may have changed ids such as 1-2; format the column as text.",
        (
            "a.xlsx: questions struck through are run all the same (rows 3–4); delete or hide the rows, "
            "or give them a `skip` column."
        ),
    ]


def test_a_stray_cell_at_the_far_corner_costs_nothing(book):
    """The sheet is read sparsely."""
    book.rows(["質問"], ["a"])
    book.sheet["XFD1048576"] = "stray"

    found = book.load()

    assert [c.question for c in found.cases] == ["a"]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "cannot be opened"),
        (b"PK\x03\x04junk", "cannot be opened"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "has a password or is in the old .xls format"),
    ],
)
def test_what_is_no_workbook_says_how_to_mend_it(tmp_path, data, says):
    """With what to do in Excel."""
    (tmp_path / "a.xlsx").write_bytes(data)

    with pytest.raises(SuiteFault) as caught:
        load(["a.xlsx"], base_dir=tmp_path)

    assert says in str(caught.value)
    assert "save it as .xlsx" in str(caught.value)


def test_a_strict_workbook_is_named_as_such(book):
    """It would read as a book without sheets."""
    book.rows(["質問"], ["a"])
    book.workbook.save(book.folder / "a.xlsx")
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    edit(book.folder / "a.xlsx", "xl/workbook.xml", main, "http://purl.oclc.org/ooxml/spreadsheetml/main")

    with pytest.raises(SuiteFault) as caught:
        load(["a.xlsx"], base_dir=book.folder)

    assert "Strict Open XML" in str(caught.value)


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path):
    """The sizes stand in the directory of the archive."""
    data = io.BytesIO()
    packed = zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED)
    with packed as archive, archive.open("xl/worksheets/sheet1.xml", "w") as sheet:
        for _ in range(101):
            sheet.write(b" " * 1_000_000)
    (tmp_path / "a.xlsx").write_bytes(data.getvalue())

    with pytest.raises(SuiteFault) as caught:
        load(["a.xlsx"], base_dir=tmp_path)

    assert "too much data" in str(caught.value)


def _share_string(path, text: str, entry: str) -> None:
    """Move a text of the sheet into a table of shared strings, where Excel keeps them all."""
    edit(path, "xl/worksheets/sheet1.xml", f't="inlineStr"><is><t>{text}</t></is>', 't="s"><v>0</v>')
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    edit(
        path,
        "[Content_Types].xml",
        "</Types>",
        f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>',
    )
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/sharedStrings.xml", f'<sst xmlns="{space}"><si>{entry}</si></sst>')


def test_a_check_that_is_wrong_is_named_with_its_cell(book):
    """Each check may stand in a column of its own."""
    book.rows(["No", "質問", "必須語", "最大応答秒数"], [1, "q", "語", "速い"])

    assert book.told() == [
        "a.xlsx#ケース!D2: Case 1: 最大応答秒数: checks.max_latency_s must be a number of 0 or more."
    ]
