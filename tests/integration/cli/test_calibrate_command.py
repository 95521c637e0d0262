"""`ragjudge calibrate` on files, through the command line."""

import pytest

from ragjudge.cli.main import run
from ragjudge.results import codec
from ragjudge.results.run import CaseResult
from tests import builders


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """A folder with the results of a run where a team works; no config is needed."""
    monkeypatch.chdir(tmp_path)
    results = [
        CaseResult(case=builders.case(str(n)), samples=(builders.sample(correctness=n % 5 + 1),))
        for n in range(25)
    ]
    (tmp_path / ".ragjudge").mkdir()
    (tmp_path / ".ragjudge" / "results.json").write_bytes(codec.dumps(builders.run(results)))
    return tmp_path


def test_labels_beside_stored_results_answer_whether_the_judge_may_gate(stored, capsys):
    """No app, no judge, no key: exit 0 and a plain sentence in the user's language."""
    rows = "\n".join(f"{n},{n % 5 + 1}" for n in range(25))
    (stored / "labels.csv").write_text(f"id,correctness\n{rows}\n", encoding="utf-8")
    assert run(["calibrate", "labels.csv", "--language", "ja"]) == 0
    assert "この指標で合否を判定できます。" in capsys.readouterr().out
    assert run(["calibrate", "labels.csv", "--language", "en"]) == 0
    assert "well enough to gate" in capsys.readouterr().out


def test_broken_labels_end_with_exit_2_and_their_places(stored, capsys):
    """The user must change something, and is told where."""
    (stored / "labels.csv").write_text("id,correctness\n999,4\n1,7\n", encoding="utf-8")
    assert run(["calibrate", "labels.csv", "--language", "ja"]) == 2
    told = capsys.readouterr().err
    assert "採点ラベルを直してください" in told
    assert "labels.csv:2" in told
    assert "labels.csv:3" in told
