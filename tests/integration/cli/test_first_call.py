"""The judge's probe: the first thing that a run sends, and nothing heavy is imported before it."""

import subprocess
import sys

import pytest

from tests.integration.cli.test_resume import start
from tests.judge_server import Fault

BEFORE_THE_PROBE = """
import sys
from ragjudge.cli import check, run, sessions
from ragjudge import sitting, wiring
from ragjudge.settings import Settings
wiring.judge(Settings.model_validate({"judge": {"provider": "openai", "model": "m", "api_key": "k"}}))
print(*sorted(sys.modules))
"""


def test_what_a_run_needs_later_is_not_imported_before_its_first_call():
    """Half a second before that call is half a second of everybody's time."""
    loaded = subprocess.run(
        [sys.executable, "-c", BEFORE_THE_PROBE], check=True, capture_output=True, text=True
    ).stdout.split()
    heavy = {
        "openai",
        "aiohttp",
        "numpy",
        "rich",
        "openpyxl",
        "json_repair",
        "ragjudge.pipeline",
        "ragjudge.metrics.registry",
    }
    heavy |= {"ragjudge.compare.gate", "ragjudge.dify.client", "ragjudge.report.markdown"}

    assert "httpx2" in loaded
    assert heavy.isdisjoint(loaded)


def test_the_first_question_waits_for_the_probe(team):
    """What the judge's server refuses costs nobody an answer."""
    team.judge.answer = lambda _: Fault(404, {"message": "no such model", "code": "model_not_found"})

    assert 2 == team.ragjudge("run", "--quiet")
    assert [] == team.app.log.entries()
    assert 1 == team.judge.calls


@pytest.mark.parametrize("delay", [0.0, 0.4])
def test_trouble_with_the_app_ends_the_probe_quietly(team, monkeypatch, delay):
    """One sentence, whether or not the judge has answered by then."""
    team.judge.delay = delay
    monkeypatch.setenv("DIFY_API_KEY", "app-１２３")

    process = start("run", "--quiet")
    said = process.communicate(timeout=30)[1]

    assert process.returncode == 2
    assert len([line for line in said.splitlines() if line.startswith("✗")]) == 1
    assert not any(words in said for words in ("Traceback", "never retrieved", "Unclosed"))
    assert team.judge.calls <= 1
