import io
import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.styles import Font, PatternFill

from ragjudge.assist import xlsx_cells
from ragjudge.assist.suite_ids import number
from ragjudge.errors import SuiteFault
from ragjudge.suite.case import Case
from ragjudge.suite.columns import Columns
from ragjudge.suite.locating import SuiteFile


def numbered(data: bytes, name="a.csv", sheet=None, *, counting=True):
    return number(data, SuiteFile(Path(name), name, sheet), Columns(), counting=counting)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp932"])
def test_a_csv_keeps_its_encoding_and_everything_else(encoding):
    """One column more, nothing else."""
    text = '一覧,\r\n質問,"回答"\r\n"経費の\r\n締め日は?",月末①\r\n,\r\n有休は?,20日\r\n'

    done = numbered(text.encode(encoding))

    assert (done.written, done.cases) == (2, 2)
    assert done.data.decode(encoding) == (
        '一覧,\r\n質問,"回答",id\r\n"経費の\r\n締め日は?",月末①,1\r\n,\r\n有休は?,20日,2\r\n'
    )
    assert done.data[:2] == text.encode(encoding)[:2]


def test_counting_goes_on_behind_the_highest_number():
    """Ids that exist stay."""
    done = numbered(b"No.,question\n7,a\n,b\nx,c\n,d\n")

    assert done.data == b"No.,question\n7,a\n8,b\nx,c\n9,d\n"


def test_the_default_id_is_written_down_so_that_the_baseline_stays():
    """Nothing changes for the next run."""
    digest = Case(id="", question="a").question_digest

    done = numbered(b"question\na\nb\na\n", counting=False)

    lines = done.data.decode().splitlines()
    assert (lines[0], lines[1], lines[3]) == ("question,id", f"a,{digest}", f"a,{digest}-2")


def test_a_file_in_which_all_have_ids_is_left_alone():
    """Byte for byte."""
    data = b"id,question\n1,a\n"

    assert numbered(data) == type(numbered(data))(data, 0, 1)


def test_a_broken_suite_is_not_touched():
    """First mend it."""
    with pytest.raises(SuiteFault):
        numbered(b"question,answer\n,r\n")


@pytest.fixture
def book() -> bytes:
    """A tester's workbook: a cover, formats, a formula, a hidden row, an empty styled cell where the id goes."""
    workbook = openpyxl.Workbook()
    workbook.active.title = "表紙"
    sheet = workbook.create_sheet("ケース")
    sheet["A1"] = "一覧"
    for row in (["質問", "回答"], ["a<b>&", "x"], ["hidden", "y"], ["c", "=1+1"], [None, None]):
        sheet.append(row)
    sheet["B2"].font = Font(bold=True)
    sheet["B3"].fill = sheet["C5"].fill = PatternFill("solid", fgColor="FFFF00")
    sheet.row_dimensions[4].hidden = True
    sheet.merge_cells("A1:B1")
    stream = io.BytesIO()
    workbook.save(stream)
    parts = dict(unpacked(stream.getvalue()))
    parts["xl/worksheets/sheet2.xml"] = (
        parts["xl/worksheets/sheet2.xml"]
        .replace(b"<f>1+1</f><v />", b"<f>1+1</f><v>2</v>")
        .replace(b"<f>1+1</f><v></v>", b"<f>1+1</f><v>2</v>")
        .replace(b'<row r="3"', b'<row r="3" spans="1:2"')
    )
    return packed(parts)


def unpacked(data: bytes):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def packed(parts) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


def test_a_workbook_keeps_all_but_the_new_cells(book):
    """Formats, formulas with their stored results, hidden rows, other sheets."""
    done = numbered(book, "a.xlsx")

    assert (done.written, done.cases) == (2, 2)
    before, after = dict(unpacked(book)), dict(unpacked(done.data))
    assert [name for name in before if before[name] != after[name]] == ["xl/worksheets/sheet2.xml"]
    assert list(before) == list(after)
    sheet = openpyxl.load_workbook(io.BytesIO(done.data))["ケース"]
    assert [[cell.value for cell in row] for row in sheet.iter_rows(max_row=5)] == [
        ["一覧", None, None],
        ["質問", "回答", "id"],
        ["a<b>&", "x", "1"],
        ["hidden", "y", None],
        ["c", "=1+1", "2"],
    ]
    values = openpyxl.load_workbook(io.BytesIO(done.data), data_only=True)["ケース"]
    assert values["B5"].value == 2
    assert sheet["C2"].font.bold
    assert sheet["C3"].fill.fgColor.rgb == sheet["C5"].fill.fgColor.rgb == "00FFFF00"
    assert sheet.row_dimensions[4].hidden
    assert b"spans" not in after["xl/worksheets/sheet2.xml"]


def test_a_second_run_finds_nothing_to_do(book):
    """The ids are read back."""
    once = numbered(book, "a.xlsx").data

    assert numbered(once, "a.xlsx").written == 0


def test_an_id_column_with_gaps_is_filled(book):
    """Between other cells, in the named sheet."""
    workbook = openpyxl.Workbook()
    workbook.active.title = "一"
    for row in (["質問", "No.", "回答"], ["a", 5, "x"], ["b", None, "y"]):
        workbook.active.append(row)
    stream = io.BytesIO()
    workbook.save(stream)

    done = numbered(stream.getvalue(), "a.xlsx", "一")

    sheet = openpyxl.load_workbook(io.BytesIO(done.data)).active
    assert [cell.value for cell in sheet[3]] == ["b", "6", "y"]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ('<row r="1"><c r="A1"/><c r="C1"/></row>', '<row r="1"><c r="A1"/>{B}<c r="C1"/></row>'),
        ('<row r="1"><c r="A1" s="4"><v>1</v></c></row>', '<row r="1"><c r="A1" s="4"><v>1</v></c>{Bs}</row>'),
        ('<row r="1"><c r="B1" s="4"/></row>', '<row r="1">{Bs}</row>'),
        ('<row r="1"><c r="B1" s="4"></c><c r="C1"/></row>', '<row r="1">{Bs}<c r="C1"/></row>'),
        ("<row><c><v>1</v></c><c/></row>", "<row><c><v>1</v></c>{B}</row>"),
        ('<row r="1"></row>', '<row r="1">{B}</row>'),
    ],
)  # fmt: skip
def test_a_cell_goes_where_its_column_is(row, expected):
    """Before, between, instead of and behind other cells, with or without references."""
    text = "<is><t>&lt;1&gt;</t></is></c>"
    expected = expected.replace("{B}", f'<c r="B1" t="inlineStr">{text}').replace(
        "{Bs}", f'<c r="B1" s="4" t="inlineStr">{text}'
    )

    changed = xlsx_cells._edited(f"<sheetData>{row}</sheetData>".encode(), {(1, 1): "<1>"})

    assert changed.decode() == f"<sheetData>{expected}</sheetData>"


def test_a_prefixed_sheet_keeps_its_prefix():
    """Some programs write `<x:row>`."""
    changed = xlsx_cells._edited(b'<x:d xmlns:x="u"><x:row r="1"><x:c r="A1"/></x:row></x:d>', {(1, 1): "1"})

    assert b'<x:c r="B1" t="inlineStr"><x:is><x:t>1</x:t></x:is></x:c></x:row>' in changed


def test_a_book_with_a_damaged_part_is_not_touched(book):
    """Even where the cases can be read: the part could not be copied."""
    at = book.index(b"docProps/app.xml") + 40
    with pytest.raises(SuiteFault) as caught:
        numbered(book[:at] + b"XXXXXXXX" + book[at + 8 :], "a.xlsx")

    assert "cannot be" in str(caught.value)


@pytest.mark.parametrize(
    "xml", ['<?xml version="1.0" encoding="utf-16"?><a/>'.encode("utf-16"), b"<a>", b"<d/>"]
)
def test_what_is_not_safe_to_edit_is_refused(xml):
    """Better no ids than a damaged workbook."""
    with pytest.raises(xlsx_cells.CannotEdit):
        xlsx_cells._edited(xml, {(1, 1): "1"})
