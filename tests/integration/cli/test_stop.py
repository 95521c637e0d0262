import json
import signal
from urllib.request import Request, urlopen

import pytest

from tests.integration.cli.test_resume import start, wait_for_lines


def conversations_held(app) -> int:
    """What the app still lists, over all users that ever asked."""
    held = 0
    for user in {entry.user for entry in app.log.entries()}:
        url = f"{app.base_url}/conversations?user={user}&limit=100"
        with urlopen(Request(url, headers={"Authorization": f"Bearer {app.api_key}"})) as reply:
            held += len(json.load(reply)["data"])
    return held


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


def test_a_cancelled_run_leaves_no_conversation_behind(team):
    """The team's logs stay clean also where a run is cancelled and never resumed."""
    team.config(
        app={
            "base_url": team.app.base_url,
            "cleanup": "all",
            "inputs": {"Entity": "本社", "Category": "経費"},
        }
    )
    team.judge.delay = 0.02
    journal = team.folder / ".ragjudge" / "journal.jsonl"
    process = start("run", "--quiet")
    wait_for_lines(journal, 45, process)

    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)

    assert len(team.app.log.entries()) > 2
    assert conversations_held(team.app) == 0


def test_a_background_job_of_a_script_ends_on_sigterm_too(team):
    """There SIGINT is ignored from the start; SIGTERM must not be."""
    team.judge.delay = 0.05
    process = start("run", "--quiet", through=("sh", "-c", 'trap "" INT; exec "$@"', "sh"))
    wait_for_lines(team.folder / ".ragjudge" / "journal.jsonl", 15, process)

    process.terminate()
    process.communicate(timeout=30)

    assert process.returncode == 143
