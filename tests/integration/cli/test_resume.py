import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from tests.integration.cli.conftest import CASES

ROOT = Path(__file__).resolve().parents[3]


def start(*arguments: str, through: tuple[str, ...] = ()) -> subprocess.Popen:
    return subprocess.Popen(
        [*through, sys.executable, "-m", "ragjudge", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_lines(journal: Path, count: int, process: subprocess.Popen) -> None:
    """Watch the journal grow; the run itself is the clock."""
    while process.poll() is None:
        if journal.exists() and journal.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.005)
    raise AssertionError(f"the run ended before its journal had {count} lines: {process.stderr.read()}")


def outcomes(results: dict) -> dict:
    """What a run found, without what differs from run to run by nature."""
    return {
        case["case"]["id"]: [
            {name: (o["kind"], o.get("value"), o.get("reason")) for name, o in sample["scores"].items()}
            for sample in case["samples"]
        ]
        for case in results["cases"]
    }


def test_a_killed_run_goes_on_without_asking_or_judging_twice(team):
    """kill -9 in the middle, then --resume: the same results as a run that was never killed."""
    team.judge.delay = 0.02
    journal = team.folder / ".ragjudge" / "journal.jsonl"
    process = start("run", "--quiet")
    wait_for_lines(journal, 30, process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stderr.close()
    written = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()[1:-1]]
    scored_before = sum("metric" in record for record in written)
    calls_before = team.judge.calls
    assert 0 < scored_before < 5 * CASES

    assert team.ragjudge("run", "--quiet", "--resume") == 0

    asked = Counter(entry.user for entry in team.app.log.entries())
    assert set(asked.values()) == {1}
    resumed = outcomes(team.results())
    calls_after = team.judge.calls - calls_before
    whole = team.judge.calls
    (team.folder / ".ragjudge" / "cache" / "verdicts.sqlite").unlink()
    assert team.ragjudge("run", "--quiet", "--fresh") == 0
    assert outcomes(team.results()) == resumed
    assert calls_after < team.judge.calls - whole
