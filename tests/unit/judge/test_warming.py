"""The client library is fetched early where a judge will need it, and only there."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys, threading
from ragjudge import wiring
from ragjudge.settings import Settings
wiring.warm_up(Settings.model_validate({"judge": %s}))
for thread in threading.enumerate():
    if thread is not threading.main_thread():
        thread.join()
sys.exit("openai" in sys.modules)
"""


@pytest.mark.parametrize(
    ("judge", "fetched"),
    [
        ({"provider": "openai", "api_key": "sk-1"}, 1),
        ({"provider": "openai"}, 0),
        ({"provider": "offline"}, 0),
        ({"provider": "dify", "api_key": "app-1"}, 0),
    ],
)
def test_the_package_is_imported_early_only_for_its_own_judge(judge, fetched):
    """Without a key, or with another judge, nobody pays for it."""
    ran = subprocess.run([sys.executable, "-c", PROGRAM % judge], check=False, capture_output=True, text=True)

    assert (ran.returncode, ran.stderr) == (fetched, "")


def test_a_program_that_ends_first_ends_quietly():
    """The import is abandoned without a word."""
    hurried = "from ragjudge.judge.warming import warm_up\nwarm_up()\n"
    ran = subprocess.run([sys.executable, "-c", hurried], check=False, capture_output=True, text=True)

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
