"""The walk of bench/gate/walk.py, shortened: what each command of a team's week decides, on a real repository."""

import pytest

from bench.gate.walk import EXAMPLE, prepare, walk
from ragjudge.cli.main import run
from ragjudge.demo.definition import load_app
from ragjudge.demo.server import DemoServer

pytestmark = pytest.mark.slow

CASES = 12


@pytest.fixture
def command(monkeypatch, capsys):
    def in_this_process(folder, arguments, key):
        monkeypatch.chdir(folder)
        monkeypatch.setenv("DIFY_API_KEY", key)
        code = run([*arguments])
        said = capsys.readouterr()
        return code, said.out + said.err

    return in_this_process


def test_an_intended_change_is_accepted_merged_and_the_next_one_is_judged_by_it(tmp_path, corpus, command):
    """Red with the cases' names; green once the base accepts them; the baseline follows; the next break is red."""
    said = []
    with DemoServer(load_app(EXAMPLE / "app.yml"), corpus) as app:
        steps = walk(prepare(tmp_path, app, cases=CASES, say=said.append, command=command))

    assert [(step.name, step.exit_code, bool(step.regressed)) for step in steps] == [
        ("first baseline", 0, False),
        ("PR 1: check", 1, True),
        ("PR 1: check, accepted on the base", 0, False),
        ("merge: baseline", 0, False),
        ("PR 2: check, entries not needed", 0, False),
        ("PR 2: check, entries removed", 0, False),
        ("PR 3: check", 1, True),
    ]
    first, accepted, updated, noted, tidy = steps[1].regressed, *steps[2:6]
    assert "Passed" in accepted.said
    assert all(f"down: {case} correctness" in updated.said for case in first)
    assert "did not happen" in noted.said
    assert "did not happen" not in tidy.said
