"""Whose files a container action touches."""

import os
import subprocess
import sys

import pytest

RUNNER = 1001
TRY = """
import os, pathlib, sys
from ragjudge.action.workspace import step_down
print(step_down(pathlib.Path(sys.argv[1]), [pathlib.Path(p) for p in sys.argv[2:]]), os.getuid(), os.getgid(), os.getgroups())
"""

needs_root = pytest.mark.skipif(
    os.name == "nt" or os.getuid() != 0, reason="only root can become another user"
)


def tried(workspace, *needed):
    ran = subprocess.run(
        [sys.executable, "-c", TRY, workspace, *needed], capture_output=True, text=True, check=True
    )
    return ran.stdout.strip()


@pytest.fixture
def folder(tmp_path):
    """Also reachable for another user, which pytest's own folders are not."""
    (tmp_path / "workspace").mkdir()
    (tmp_path / "output").write_text("")
    return tmp_path


@needs_root
def test_root_becomes_the_workspaces_owner(folder):
    """For good, with no other group left."""
    for name in ("workspace", "output"):
        os.chown(folder / name, RUNNER, RUNNER)

    assert tried(folder / "workspace", folder / "output") == f"True {RUNNER} {RUNNER} []"


@needs_root
@pytest.mark.parametrize("owner", [0, RUNNER])
def test_root_stays_where_a_file_of_the_runner_would_be_out_of_reach(folder, owner):
    """Outputs matter more; and a workspace of root's own needs no stepping down."""
    os.chown(folder / "workspace", owner, owner)
    (folder / "output").chmod(0o644)

    assert tried(folder / "workspace", folder / "output").startswith("False 0 ")


@needs_root
def test_a_missing_file_keeps_root(folder):
    """Nothing is changed half-way."""
    os.chown(folder / "workspace", RUNNER, RUNNER)

    assert tried(folder / "workspace", folder / "none").startswith("False 0 ")
