import pytest
import yaml

from ragjudge.errors import SuiteFault
from ragjudge.suite import load

TABLE = '番号,質問,期待する回答,部署\r\n１,"経費の\r\n締め日は?",月末です。①,本社\r\n2,q,r,\r\n'


@pytest.fixture
def suite(tmp_path):
    def read(data: bytes | str, name="a.csv", **more):
        (tmp_path / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        return load([name], base_dir=tmp_path, **more)

    return read


@pytest.fixture
def told(suite):
    def tell(data, **more) -> list[str]:
        with pytest.raises(SuiteFault) as caught:
            suite(data, **more)
        return [problem.in_language("en") for problem in caught.value.problems]

    return tell


@pytest.mark.parametrize(
    ("encoding", "noted"),
    [
        ("utf-8", None),
        ("utf-8-sig", "UTF-8 (BOM)"),
        ("utf-16", "UTF-16"),
        ("utf-32", "UTF-32"),
        ("cp932", "CP932 (Shift_JIS)"),
    ],
)
def test_every_encoding_a_spreadsheet_writes(suite, encoding, noted):
    """The same cases, and the encoding is told where it is not plain UTF-8."""
    found = suite(TABLE.encode(encoding))

    assert [(c.id, c.question, c.reference) for c in found.cases] == [
        ("1", "経費の\n締め日は?", "月末です。①"),
        ("2", "q", "r"),
    ]
    assert [c.fields for c in found.cases] == [{"部署": "本社"}, {"部署": ""}]
    assert [c.source.line for c in found.cases] == [2, 4]
    assert [n.en for n in found.notes] == ([f"a.csv: read as {noted}."] if noted else [])


def test_the_encoding_is_decided_on_the_whole_file(suite):
    """Japanese after a hundred kilobytes of ASCII is still CP932."""
    head = "id,question\n" + "".join(f"{i},plain question {i}\n" for i in range(5000))
    found = suite((head + "x,最後の質問\n").encode("cp932"))

    assert found.cases[-1].question == "最後の質問"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("質問,回答\n日本語の質問,答え\n".encode("euc_jp"), "encoding"),
        ("質問,回答\nはい,いいえ\n".encode("iso2022_jp"), "ISO-2022-JP"),
        ("question\nq\n".encode("utf-16-le"), "NUL bytes"),
        (b"question\n\xff\xfe\xfd\n", "a.csv:2: The encoding is neither UTF-8 nor CP932"),
        (b"\xef\xbb\xbfquestion\n\xff\n", "a.csv:2: The file is damaged UTF-8 (BOM) text."),
        ("question\na\0b\n".encode("utf-16"), "a.csv:2: The file holds NUL characters."),
    ],
)
def test_another_encoding_is_named_and_never_guessed(told, data, says):
    """Better an error than garbled questions."""
    (only,) = told(data)

    assert says in only
    assert "Save the file as UTF-8." in only or "NUL characters" in only


def test_a_row_in_which_nothing_is_seen_is_no_case(suite, told):
    """A question of zero-width characters alone is missing; with nothing else, so is the case."""
    assert told("id,question,answer\n1,\u200b\u2060,r\n") == [
        "a.csv:2: Case 1: The question is missing or empty."
    ]

    found = suite("id,question,answer\n1,q,\ufeff\n\u200b,\u200b,\u200b\n3,\u200b,\n")
    assert [(c.question, c.reference) for c in found.cases] == [("q", None)]
    assert [n.en for n in found.notes] == ["a.csv: rows without question and answer were left out (4)."]


SUMMARY = "対象アプリ,社内規程Bot\n質問,40件\n\n"


def test_a_summary_above_the_table_is_no_header(suite):
    """The row with most titles that are known is; what was passed over is told."""
    found = suite(SUMMARY + "No,カテゴリ,質問,正解\n1,旅費,日当は?,2500円\n")

    assert [(c.id, c.question, c.reference, c.category) for c in found.cases] == [
        ("1", "日当は?", "2500円", "旅費")
    ]
    (note,) = found.notes
    assert note.en == (
        "a.csv: row 4 was taken for the header, not row 2, which has fewer titles that are known; what stands above "
        "the header is not read."
    )


@pytest.mark.parametrize(
    ("rows", "questions"),
    [
        ("質問,メモ\nq,m\n", ["q"]),
        ("分類,件数,質問,40件\nNo,質問,正解,分類\n1,q,r,c\n", ["q"]),
        ("質問\nNo,質問,正解\n1,q,r\n", ["q"]),
    ],
)
def test_the_first_header_stays_unless_a_later_row_is_far_richer(suite, rows, questions):
    """A legend with a few words that are known too is none."""
    assert [c.question for c in suite(rows).cases] == questions


@pytest.mark.parametrize(
    "again",
    ["No,質問,正解,entity", "id,Question,期待する回答,", ",質問,回答,", '番号,"質問\n(必須)",正解,Entity'],
)
def test_a_header_that_is_repeated_is_no_case(suite, again):
    """Two tables on one sheet, or two files put one after the other."""
    found = suite(f"No,質問,正解,entity\n1,q,r,a\n{again}\n2,q2,r2,b\n")

    assert [(c.id, c.question) for c in found.cases] == [("1", "q"), ("2", "q2")]
    assert [n.en for n in found.notes] == ["a.csv: rows that repeat the header were left out (3)."]


@pytest.mark.parametrize(
    "other", ["No,正解,質問,entity", "No,質問,正解,部署", "質問,正解,,", "質問,正解,entity,No"]
)
def test_a_second_table_with_other_columns_is_a_fault(told, other):
    """Its rows would be read by the first one's titles."""
    (only,) = told(f"No,質問,正解,entity\n1,q,r,a\n{other}\n2,q2,r2,b\n")

    assert only.startswith("a.csv:3: This row reads like the header of another table, with other columns.")


@pytest.mark.parametrize(
    "row",
    [
        "3,質問,,",
        "3,質問,この語の意味です。,本社",
        "3,カテゴリ,分類のことです。,質問",
        "質問,回答が来ない,待ってください,本社",
    ],
)
def test_a_case_about_a_title_stays_a_case(suite, row):
    """A question may be one word that a title could be, and a category may be 質問."""
    found = suite(f"分類,質問,正解,entity\n1,q,r,a\n{row}\n")

    assert len(found.cases) == 2
    assert found.notes == ()


def test_tabs_and_semicolons_are_found_by_the_header(suite):
    """Excel's Unicode text, and exports of other countries."""
    tabs = suite("id\tquestion\tanswer\n1\ta,b;c\tx\n".encode("utf-16"))
    semicolons = suite("id;question;answer\n1;a,b;x\n")

    assert tabs.cases[0].question == "a,b;c"
    assert semicolons.cases[0].question == "a,b"


def test_the_header_need_not_come_first(suite):
    """A title and a date above the table."""
    found = suite("質問テスト一覧,,\n作成日,2026-01-01,\n\nNo.,質問内容(必須),模範回答\n1,q,r\n")

    assert [(c.id, c.question, c.reference, c.source.line) for c in found.cases] == [("1", "q", "r", 5)]


def test_a_single_column_of_questions_is_a_suite(suite):
    """The smallest file that makes sense."""
    assert [c.question for c in suite("質問\n一つ目\n二つ目\n").cases] == ["一つ目", "二つ目"]


def test_rows_without_question_and_answer_are_left_out_and_told(suite):
    """Numbered in advance, but not filled in."""
    found = suite("id,question,answer,memo\n1,q,r,\n2,,,\n3,,,later\n4,,,\n,,,\n")

    assert [c.id for c in found.cases] == ["1"]
    assert [n.en for n in found.notes] == ["a.csv: rows without question and answer were left out (3–5)."]


def test_a_cell_may_be_as_long_as_a_file(suite, told):
    """A manual pasted as an answer; where a quote is left open in it, the row where it begins is named."""
    long = "規程、" * 100_000
    (case,) = suite(f'id,question,answer\n1,q,"{long}"\n').cases
    assert case.reference == long

    (only,) = told(f'id,question,answer\n1,q,r\n2,q2,"{long}\n')
    assert "a.csv:3: This row is not valid CSV (unexpected end of data)." in only


def test_an_answer_without_a_question_is_a_fault(told):
    """A case that somebody meant."""
    assert told("id,question,answer\n1,,r\n") == ["a.csv:2: Case 1: The question is missing or empty."]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("id,question,answer\n1,a,b,c\n", "a.csv:2: The row has 4 columns, the header 3."),
        ('id,question,answer\n1,"a\n2,b,c\n', "a.csv:2: This row is not valid CSV (unexpected end of data)."),
        ("foo,bar\n1,2\n", "a.csv:1: No question column was found (first titles: foo, bar)."),
        ("question,質問\na,b\n", "a.csv:2: Two columns give 'question': 'question' and '質問'."),
        ("", "a.csv: The suite holds no case."),
        ("question,answer\n", "a.csv: The suite holds no case."),
    ],
)
def test_broken_tables_are_named_with_their_line(told, data, says):
    """What is wrong and where."""
    (only,) = told(data)

    assert says in only


@pytest.mark.parametrize(
    ("header", "suggested"),
    [
        ("No,お客様のご質問,想定回答", "お客様のご質問"),
        ("質問者,質問日,質問への回答,代表質問文", "代表質問文"),
        ("id,answer,Customer question", "Customer question"),
        ("id,answer,question_ja", "question_ja"),
        ("質問一覧\n\nNo,質問者,質問:本文,想定回答", '"質問:本文"'),
        ("No,想定回答,相談", "相談"),
        ("No,想定回答", "お客様の質問"),
    ],
)
def test_the_title_that_may_be_the_question_is_suggested(suite, told, header, suggested):
    """Never one that already means something else; what is suggested can be pasted as it stands."""
    rows = f"{header}\n" + ",".join("1abc"[: header.splitlines()[-1].count(",") + 1])
    (only,) = told(rows)

    assert f"write `columns: {{{suggested}: question}}`" in only
    if suggested.strip('"') in header:
        mapping = yaml.safe_load(f"{{{suggested}: question}}")
        assert suite(rows, columns=mapping).cases


@pytest.mark.parametrize(
    "header", ["No,ご質問,想定回答", "質問者,質問日,質問内容,回答内容", "#,お問合せ内容,回答文"]
)
def test_what_japanese_teams_write_over_their_columns(suite, header):
    """Polite forms too."""
    (case,) = suite(header + "\n" + ",".join("abcd"[: header.count(",") + 1]) + "\n").cases

    assert case.question in "bc"
    assert case.reference in ("c", "d")


@pytest.mark.parametrize("titles", ["備考,備考", "回答,回答", "回答,回答（必須）"])
def test_two_columns_of_one_title_get_a_cure_that_works(told, suite, titles):
    """An entry in `columns:` would mean both: only another title helps."""
    (only,) = told(f"質問,{titles}\nq,a,b\n")

    assert only.endswith("Rename one of the two columns, or remove it.")
    assert suite(f"質問,{titles}2\nq,a,b\n").cases[0].fields


def test_the_entry_that_is_advised_works(told, suite):
    """Also where the title holds signs of YAML."""
    rows = '質問,answer,"回答: [案]"\nq,a,b\n'
    columns = {"answer": "reference", "回答: [案]": "reference"}
    (only,) = told(rows, columns=columns)
    advised = yaml.safe_load(only.partition("`")[2].partition("`")[0])["columns"]

    assert suite(rows, columns=columns | advised).cases[0].fields == {"回答: [案]": "b"}


def test_two_columns_for_one_field_are_told_once(told):
    """Not once per row."""
    assert len(told("question,answer,正解\n" + "q,a,b\n" * 50)) == 1


def test_cells_hold_lists_inputs_checks_and_turns(suite):
    """What JSON nests, a table writes in cells."""
    found = suite(
        "question,tags,inputs,inputs.Level,checks,contains,turns,metrics\n"
        'q,"a、b, c","Entity: 本社\nCategory: 経費",3,"{not_contains: [x, y], max_latency_s: ５}","必須語、二つ目","次は?\nその次は?",correctness\n'
        'q2,,Entity=支店,,,"[""a, b"", c]","[{question: q3, answer: r3}]",\n'
    )
    one, two = found.cases

    assert one.tags == ("a", "b", "c")
    assert one.inputs == {"Entity": "本社", "Category": "経費", "Level": "3"}
    assert (one.checks.contains, one.checks.not_contains, one.checks.max_latency_s) == (
        ("必須語", "二つ目"),
        ("x", "y"),
        5.0,
    )
    assert [t.question for t in one.turns] == ["次は?", "その次は?"]
    assert one.metrics == ("correctness",)
    assert two.inputs == {"Entity": "支店"}
    assert two.checks.contains == ("a, b", "c")
    assert two.turns[0].reference == "r3"


def test_a_columns_map_names_what_ragjudge_does_not_know(suite):
    """Any title can be a field, and any known title can be the team's own."""
    found = suite(
        "お客様の声,回答,模範回答,拠点\nq,old,r,本社\n",
        columns={"お客様の声": "question", "回答": "field", "拠点": "inputs.Entity", "ない列": "id"},
    )

    assert (found.cases[0].question, found.cases[0].reference) == ("q", "r")
    assert found.cases[0].fields == {"回答": "old"}
    assert found.cases[0].inputs == {"Entity": "本社"}
    assert [n.en for n in found.notes] == ["columns: no file has a column 'ない列'."]


def test_a_columns_map_to_nowhere_is_a_fault(told):
    """With the nearest field."""
    assert told("question\nq\n", columns={"x": "questions"}) == [
        "columns: 'x' points to 'questions', which is no field of a case. Did you mean 'question'?"
    ]


def test_a_column_without_a_title_is_told(suite):
    """Its values go nowhere, so a person should know."""
    found = suite("question,answer,\nq,r,memo\n")

    assert [n.en for n in found.notes] == ["a.csv: columns without a title were left out (3)."]
