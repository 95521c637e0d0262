import csv
import json
import time
import unicodedata

import pytest

from ragjudge.errors import SuiteFault
from ragjudge.suite import load
from ragjudge.suite.loading import MAX_PROBLEMS


@pytest.fixture
def folder(tmp_path):
    """Three small suites in two folders, and what must not be read."""
    for name, content in {
        "a.json": '[{"id": "a", "question": "a"}]',
        "sub/b.jsonl": '{"id": "b", "question": "b"}',
        "sub/c.csv": "id,question\nc,c\n",
        "sub/~$c.xlsx": "Excel's lock file",
        "sub/.hidden.json": "[",
        "sub/notes.txt": "no suite",
        "odd#name.json": '[{"id": "odd", "question": "o"}]',
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("patterns", "ids"),
    [
        (["a.json"], "a"),
        (["sub"], "b c"),
        (["sub/"], "b c"),
        (["**/*.csv"], "c"),
        (["sub/*.csv", "sub", "./sub/b.jsonl"], "c b"),
        (["odd#name.json"], "odd"),
        (["{folder}/sub/c.csv"], "c"),
        (["sub/../a.json"], "a"),
    ],
)
def test_files_globs_and_folders(folder, patterns, ids):
    """Each file once, in the order written, sorted within a pattern."""
    found = load([p.replace("{folder}", str(folder)) for p in patterns], base_dir=folder)

    assert [case.id for case in found.cases] == ids.split()


def test_a_suite_is_named_by_what_the_user_wrote(folder):
    """One comment and one baseline per name."""
    assert load(["a.json", "sub"], base_dir=folder).name == "a.json, sub"


@pytest.mark.parametrize("pattern", ["none.json", "none/*.json", "", "a\0b", "x" * 5000, "none.xlsx#sheet"])
def test_a_pattern_that_names_nothing_is_a_fault(folder, pattern):
    """With where it was looked for."""
    with pytest.raises(SuiteFault) as caught:
        load([pattern, "a.json"], base_dir=folder)

    (problem,) = caught.value.problems
    assert "no file matches" in problem.what.en
    assert problem.cure is not None
    assert folder.as_posix() in problem.cure.en


@pytest.mark.parametrize(
    ("pattern", "says"),
    [("sub/notes.txt", "cannot be read (.json, .jsonl"), ("a.json#sheet", "Only a workbook has sheets")],
)
def test_what_cannot_be_a_suite_says_why(folder, pattern, says):
    """A text file, a sheet of no workbook."""
    with pytest.raises(SuiteFault) as caught:
        load([pattern], base_dir=folder)

    assert says in str(caught.value)


CONFLICT = "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n"


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.csv", "id,question,reference\n" + CONFLICT.format("1,a,b", "2,c,d"), 2),
        ("a.csv", "id,question\r\n1,a\r\n" + CONFLICT.format("2,b", "2,c").replace("\n", ",\r\n"), 3),
        ("a.tsv", "id\tquestion\n" + CONFLICT.format("1\ta", "||||||| base\n1\tb"), 2),
        ("a.csv", 'id,question\n1,"a\n' + CONFLICT.format('b"', 'c"'), 3),
        ("a.jsonl", '{"question": "x"}\n' + CONFLICT.format('{"question": "a"}', '{"question": "b"}'), 2),
        ("a.json", "[\n" + CONFLICT.format('{"question": "a"}', '{"question": "b"}') + "]", 2),
        ("a.yml", "- question: x\n" + CONFLICT.format("- question: a", "- question: b"), 2),
    ],
)
def test_a_merge_conflict_is_refused_and_never_read_as_cases(tmp_path, name, text, line):
    """Both sides would be judged; every kind of text file names the cause and the line."""
    for encoding in ("utf-8", "cp932", "utf-16"):
        (tmp_path / name).write_bytes(text.encode(encoding))
        with pytest.raises(SuiteFault) as caught:
            load([name], base_dir=tmp_path)

        (problem,) = caught.value.problems
        assert problem.in_language("en") == (
            f"{name}:{line}: A merge conflict was left in the file. "
            "Keep one side and delete the marks (`<<<<<<<`, `=======`, `>>>>>>>`)."
        )


def test_an_underlined_heading_in_a_cell_is_no_conflict(tmp_path):
    """Nor is a long line of signs, nor one mark of a conflict alone."""
    question = "What is this?\n<<<<<<< HEAD\nTitle\n========\nSub\n>>>>>>>>>> quote"
    cells = [question, "見出し\n=======\n本文", ">>>>>>> x\n=======\n<<<<<<< y"]
    rows = "".join(f'{i},"{cell}"\n' for i, cell in enumerate(cells))
    (tmp_path / "a.csv").write_text("id,question\n" + rows, "utf-8")

    assert [case.question for case in load(["a.csv"], base_dir=tmp_path).cases] == cells


def test_a_file_named_on_a_mac_is_found(folder):
    """Its file system stores が as two characters."""
    name = unicodedata.normalize("NFD", "ガイド質問.json")
    (folder / name).write_text('[{"id": "mac", "question": "q"}]', "utf-8")

    for pattern in ("ガイド質問.json", "ガイド*.json"):
        assert [c.id for c in load([pattern], base_dir=folder).cases] == ["mac"]


def test_ids_are_unique_over_all_files(folder):
    """Both places are named."""
    (folder / "again.json").write_text('[\n{"id": "c", "question": "x"}]', "utf-8")
    with pytest.raises(SuiteFault) as caught:
        load(["sub/c.csv", "again.json"], base_dir=folder)

    assert [p.in_language("en") for p in caught.value.problems] == [
        "again.json:2: The id 'c' is taken by sub/c.csv:2. Give each case an id of its own."
    ]


@pytest.mark.parametrize("other", ["か\u3099１", "が1\u200b", "が\u00ad1", "\ufeffが1 "])
def test_ids_that_look_the_same_are_the_same(tmp_path, other):
    """A duplicate that nobody could see would never pair with its baseline."""
    (tmp_path / "a.csv").write_text(f"id,question\nが1,a\n{other},c\n", "utf-8")

    with pytest.raises(SuiteFault) as caught:
        load(["a.csv"], base_dir=tmp_path)

    assert [problem.what.en for problem in caught.value.problems] == ["The id 'が1' is taken by a.csv:2."]


def test_one_question_may_stand_twice_under_two_ids(folder):
    """The same question with two expectations is the team's business."""
    (folder / "d.json").write_text('[{"id": 1, "question": "q"}, {"id": 2, "question": "q"}]', "utf-8")

    assert len(load(["d.json"], base_dir=folder).cases) == 2


def test_a_flood_of_faults_is_cut_and_counted(folder):
    """The first ones stay readable."""
    (folder / "d.csv").write_text("id,question,answer\n" + ",,r\n" * 1000, "utf-8")
    with pytest.raises(SuiteFault) as caught:
        load(["d.csv"], base_dir=folder)

    assert len(caught.value.problems) == MAX_PROBLEMS + 1
    assert caught.value.problems[-1].what.en == "… and 800 more problems."


def test_a_file_over_the_limit_is_refused(folder):
    """Fifty megabytes are no list of questions."""
    with (folder / "big.json").open("wb") as stream:
        stream.truncate(50_000_001)
    with pytest.raises(SuiteFault) as caught:
        load(["big.json"], base_dir=folder)

    assert "larger than 50 MB" in str(caught.value)


def test_faults_of_all_files_come_together(folder):
    """One run shows everything that is wrong, file by file."""
    (folder / "x.json").write_text("[", "utf-8")
    (folder / "y.csv").write_text("foo\n1\n", "utf-8")
    with pytest.raises(SuiteFault) as caught:
        load(["x.json", "y.csv", "none.csv"], base_dir=folder)

    assert sorted(str(p.place) for p in caught.value.problems) == ["None", "x.json:1", "y.csv:1"]


@pytest.mark.parametrize("suffix", ["json", "csv"])
def test_ten_thousand_cases_load_in_under_three_seconds(tmp_path, suffix):
    """Processor time, so that a busy machine does not decide."""
    rows = [
        {
            "id": n,
            "entity": "本社",
            "question": f"経費の申請方法を教えてください。{n}",
            "answer": "経費システムです。" * 5,
        }
        for n in range(10_000)
    ]
    if suffix == "json":
        (tmp_path / "a.json").write_text(json.dumps(rows, indent=1), "utf-8")
    else:
        with (tmp_path / "a.csv").open("w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    began = time.process_time()

    found = load([f"a.{suffix}"], base_dir=tmp_path)

    assert len(found.cases) == 10_000
    assert time.process_time() - began < 3
