"""Our own workflows and those to copy are safe by the rules that we preach."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
OWN = sorted((ROOT / ".github/workflows").glob("*.yml"))
TO_COPY = sorted((ROOT / "examples").glob("*/.github/workflows/*.yml"))


def test_zizmor_finds_nothing():
    """The static analyser for workflows, offline, over workflows, examples and action.yml."""
    zizmor = Path(sys.executable).with_name("zizmor")
    if not zizmor.exists():
        pytest.skip("zizmor is not installed beside this Python")
    files = [ROOT / "action.yml", *OWN, *TO_COPY]

    ran = subprocess.run(
        [zizmor, "--offline", "--config", ROOT / ".github/zizmor.yml", *files],
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("workflow", OWN + TO_COPY, ids=lambda path: f"{path.parts[-4]}/{path.name}")
def test_others_actions_are_pinned_and_checkouts_keep_no_credentials(workflow):
    """By the full commit, with the version beside it for people and bots."""
    text = workflow.read_text("utf-8")
    for line in re.findall(r"(?m)^\s*-? ?uses: (.+)$", text):
        ours = line.startswith(("./", "ragjudge/"))
        assert ours or re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line
    described = yaml.safe_load(text)
    assert described["permissions"] == {}
    for job in described["jobs"].values():
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_one_version_of_each_action_everywhere():
    """Two pins of one action would be renewed at different times."""
    pins: dict[str, set[str]] = {}
    for workflow in OWN + TO_COPY:
        for name, pin in re.findall(r"uses: ([\w.-]+/[\w./-]+)@(\S+)", workflow.read_text("utf-8")):
            pins.setdefault(name, set()).add(pin)

    assert {name: found for name, found in pins.items() if len(found) > 1} == {}


def test_expressions_reach_no_shell():
    """`${{ }}` inside `run:` is how a branch name becomes a command."""
    for workflow in OWN + TO_COPY:
        for job in yaml.safe_load(workflow.read_text("utf-8"))["jobs"].values():
            for step in job["steps"]:
                assert "${{" not in step.get("run", ""), f"{workflow.name}: {step}"
