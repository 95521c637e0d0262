import signal

import pytest

from tests.integration.cli.test_resume import start, wait_for_lines


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_stopped_run_says_how_to_go_on_and_its_journal_is_whole(team, number, code):
    """Cancelled is an ending of its own, and nothing paid for is lost."""
    team.judge.delay = 0.05
    journal = team.folder / ".ragjudge" / "journal.jsonl"
    process = start("run", "--quiet")
    wait_for_lines(journal, 15, process)

    process.send_signal(number)
    said = process.communicate(timeout=30)[1]

    assert process.returncode == code
    assert "--resume" in said
    assert "Traceback" not in said
    assert journal.read_bytes().endswith(b"\n")
