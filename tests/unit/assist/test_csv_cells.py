import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragjudge.assist.csv_cells import records, with_cells

CELL = st.text(st.sampled_from(list('ab,";\n\r\t　漢')), max_size=6)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@given(rows=st.lists(st.lists(CELL, min_size=1, max_size=4), min_size=1, max_size=5))
def test_cells_are_found_where_the_csv_module_finds_them(line_end, quoting, rows):
    """Quotes, commas and line breaks inside cells included."""
    stream = io.StringIO(newline="")
    csv.writer(stream, quoting=quoting, lineterminator=line_end).writerows(rows)
    text = stream.getvalue()

    found = [
        [next(csv.reader(io.StringIO(text[a:b], newline="")), [""]) for a, b in record.spans]
        for record in records(text, ",")
    ]

    expected = list(csv.reader(io.StringIO(text, newline="")))
    assert [[cell[0] if cell else "" for cell in row] for row in found if row != [[""]] and row != [[]]] == [
        row for row in expected if row and row != [""]
    ]


def test_only_the_named_cells_change():
    """Quotes, blanks, line ends and short rows stay as they were."""
    text = 'question , "answer"\r\n"a\r\nb",x\r\n  c ,\r\nd\r\n'

    changed = with_cells(text, ",", {(1, 2): "id", (2, 2): "1", (4, 2): "2", (5, 2): "3"})

    assert changed == 'question , "answer",id\r\n"a\r\nb",x,1\r\n  c ,,2\r\nd,,3\r\n'


def test_an_empty_cell_in_the_middle_is_filled():
    """Plain or in quotes."""
    assert with_cells('id,q\n,a\n"",b\n', ",", {(2, 0): "1", (3, 0): "2"}) == "id,q\n1,a\n2,b\n"


def test_a_last_line_without_an_end_stays_without():
    """As the file was."""
    assert with_cells("q\na", ",", {(1, 1): "id", (2, 1): "1"}) == "q,id\na,1"
