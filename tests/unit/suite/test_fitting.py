import re

import pytest

from ragjudge.errors import SuiteFault
from ragjudge.settings import load
from ragjudge.suite import load as load_suite
from ragjudge.suite import load_fitting, misfits
from tests import builders

SETTINGS = load("app: {inputs: {Entity: '${entity}'}}\nmetrics: {custom: [{name: tone, rubric: r}]}").settings


def test_what_does_not_fit_is_found_before_anything_is_asked(tmp_path):
    """Templates, metrics and files, all at once."""
    (tmp_path / "there.pdf").write_bytes(b"")
    cases = [
        builders.case(
            "1",
            fields={"entity": "e"},
            metrics=("correctness", "tone"),
            files=("there.pdf", "https://x.example/a", "HTTPS://x.example/b"),
        ),
        builders.case("2"),
        builders.case("3", fields={"entity": "e"}, metrics=("tones",)),
        builders.case("4", fields={"entity": "e"}, files=("gone.pdf", "a\0b")),
    ]

    assert [p.what.en for p in misfits(cases, SETTINGS, tmp_path)] == [
        "app.inputs.Entity uses ${entity}, but case 2 has no column 'entity'.",
        "Case 3: there is no metric named 'tones'.",
        "Case 4: file 'gone.pdf' not found.",
        "Case 4: file 'a\\x00b' not found.",
    ]


FAULTY = """{"id": 1, "question": "q", "metrics": "corectness"}
{"id": 2, "question": "", "metrics": "tones", "files": ["gone.pdf"]}
{"id": 3, "question": "q", "checks": {"contain": "x", "max_latency_s": "fast", "regex": ["(", ")"]}}
{"id": 1, "question": "", "entity": "e"}
{"id": 5, "question": "q", "turns": [{"question": "r", "checks": {"max_latency_s": "x", "cite": "y"}}, {}]}
"""


def test_everything_wrong_is_told_in_one_go(tmp_path):
    """A case that cannot be read is still looked at for what does not fit."""
    (tmp_path / "a.jsonl").write_text(FAULTY, "utf-8")
    settings = SETTINGS.model_copy(update={"suite": ("a.jsonl",)})

    with pytest.raises(SuiteFault) as caught:
        load_fitting(settings, tmp_path)

    told = [re.sub(r" \(.*| Did you.*| Give each.*", "", p.in_language("en")) for p in caught.value.problems]
    assert [line for line in told if "${entity}" not in line] == [
        "a.jsonl:2: Case 2: The question is missing or empty.",
        "a.jsonl:3: Case 3: checks has no check named 'contain'.",
        "a.jsonl:3: Case 3: checks.regex holds a regular expression that cannot be read: '('",
        "a.jsonl:3: Case 3: checks.regex holds a regular expression that cannot be read: ')'",
        "a.jsonl:3: Case 3: checks.max_latency_s must be a number of 0 or more.",
        "a.jsonl:4: Case 1: The question is missing or empty.",
        "a.jsonl:5: Case 5: turns.checks has no check named 'cite'.",
        "a.jsonl:5: Case 5: turns.checks.max_latency_s must be a number of 0 or more.",
        "a.jsonl:5: Case 5: turns has a turn without a question.",
        "a.jsonl:4: The id '1' is taken by a.jsonl:1.",
        "a.jsonl:1: Case 1: there is no metric named 'corectness'.",
        "a.jsonl:2: Case 2: there is no metric named 'tones'.",
        "a.jsonl:2: Case 2: file 'gone.pdf' not found.",
    ]
    assert sum("${entity}" in line for line in told) == 4


def test_a_sound_suite_is_read_as_it_stands(tmp_path):
    """With its name and its notes."""
    (tmp_path / "a.csv").write_bytes("id,質問,entity\n1,q,e\n".encode("cp932"))
    found = load_fitting(SETTINGS.model_copy(update={"suite": ("a.csv",)}), tmp_path)

    assert (found.name, [c.id for c in found.cases], len(found.notes)) == ("a.csv", ["1"], 1)


def test_an_error_of_a_spreadsheet_is_not_sent_to_the_app_from_csv(tmp_path):
    """In an answer it is text like any other: the question may be about it."""
    (tmp_path / "a.csv").write_text("id,質問,正解,Entity\n1,q,#N/A,#N/A\n2,q2,r,本社\n,,,#N/A\n", "utf-8")

    with pytest.raises(SuiteFault) as caught:
        load_fitting(SETTINGS.model_copy(update={"suite": ("a.csv",)}), tmp_path)

    assert [p.in_language("en") for p in caught.value.problems] == ["a.csv:2: The cell holds the error #N/A."]


def test_skipped_cases_need_not_fit(tmp_path):
    """They are not asked."""
    assert misfits([builders.case("1", skip="later")], SETTINGS, tmp_path) == []


def test_the_baseline_is_kept_in_no_file_that_a_pattern_of_the_suite_names(tmp_path):
    """An update would write over the cases."""
    (tmp_path / "rag").mkdir()
    (tmp_path / "rag" / "faq.json").write_text('[{"id": 1, "question": "q"}]', "utf-8")
    settings = load("suite: 'rag/*.json'\nbaseline: file:rag/faq.json").settings
    cases = load_suite(settings.suite, base_dir=tmp_path).cases

    assert [p.what.en for p in misfits(cases, settings, tmp_path)] == [
        "baseline.store: rag/faq.json is the suite or the config itself."
    ]
