"""The container's first line."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def entered(**environ):
    return subprocess.run(
        [sys.executable, str(ROOT / "entrypoint.py")],
        env={"PYTHONPATH": str(ROOT), "PATH": "", **environ},
        capture_output=True,
        text=True,
        check=False,
    )


def test_outside_of_actions_it_says_what_to_use_instead(tmp_path):
    """Exit 2 and a sentence, no traceback."""
    ran = entered(GITHUB_WORKSPACE=str(tmp_path))

    assert ran.returncode == 2
    assert "ragjudge check" in ran.stdout
    assert "Traceback" not in ran.stdout + ran.stderr


def test_a_broken_start_is_never_taken_for_a_regression(tmp_path):
    """A workspace that is not there: our exit code for a bug, not Python's 1."""
    ran = entered(GITHUB_WORKSPACE=str(tmp_path / "none"))

    assert ran.returncode == 70
