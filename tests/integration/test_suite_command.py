"""`ragjudge suite ids` as a user runs it."""

import click
import pytest

from ragjudge.cli.suite import command
from ragjudge.errors import ConfigFault, SuiteFault


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("question\na\n", "utf-8")
    (tmp_path / "b.json").write_text('[{"question": "b"}]', "utf-8")
    return tmp_path


def run(*arguments: str) -> None:
    command.main(["ids", *arguments], standalone_mode=False)


def test_ids_are_written_and_told(here, capsys):
    """A table is changed, a JSON list is left to its owner; a second run has nothing to do."""
    run("a.csv", "b.json", "--numbers")
    run("a.csv")

    assert capsys.readouterr().out.splitlines() == [
        "a.csv: 1件中1件にidを書き込みました。",
        "b.json: CSV・Excelではないため、変更しません。",
        "a.csv: 1件すべてにidがあります。",
    ]
    assert (here / "a.csv").read_text("utf-8") == "question,id\na,1\n"
    assert sorted(p.name for p in here.iterdir()) == ["a.csv", "b.json"]


def test_a_dry_run_changes_nothing(here, capsys):
    """It only says what would happen."""
    run("a.csv", "--dry-run", "--language", "en")

    assert capsys.readouterr().out == "a.csv: 1 of 1 cases would get an id.\n"
    assert (here / "a.csv").read_text("utf-8") == "question\na\n"


def test_the_suite_of_the_config_is_the_default(here, capsys):
    """Without files; and without either it is said what is missing."""
    with pytest.raises(ConfigFault):
        run()
    (here / "ragjudge.yml").write_text("suite: '*.csv'\nreport: en", "utf-8")
    run()

    assert capsys.readouterr().out == "a.csv: wrote 1 ids (1 cases).\n"


def test_a_file_that_is_not_there_is_a_fault(here):
    """As everywhere."""
    with pytest.raises(SuiteFault):
        run("none.csv")


def test_the_group_is_a_click_command():
    """The front door finds it by name."""
    assert isinstance(command, click.Group)
