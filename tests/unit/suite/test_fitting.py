from ragjudge.settings import load
from ragjudge.suite import misfits
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


def test_skipped_cases_need_not_fit(tmp_path):
    """They are not asked."""
    assert misfits([builders.case("1", skip="later")], SETTINGS, tmp_path) == []
