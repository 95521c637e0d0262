"""`ragjudge demo`, whole: three real runs over real HTTP."""

import json
import re

import pytest

from ragjudge.cli.progress import Quiet
from ragjudge.demo.corpus import load_corpus
from ragjudge.demo.definition import load_app
from ragjudge.demo.packaged import APP, CORPUS, DEGRADED_APP, SUITE
from ragjudge.demo.server import DemoServer
from ragjudge.demo.story import Telling, changed_lines, tell
from ragjudge.exit_codes import ExitCode
from tests.integration.demo.asking import ask

pytestmark = pytest.mark.slow

PASSAGES = load_corpus(CORPUS).passages


def answers(app, cases):
    with DemoServer(load_app(app), load_corpus(CORPUS)) as server:
        return {str(c["id"]): ask(server, c["question"], entity=c["entity"]).answer for c in cases}


def audience(answer):
    """Whom the rule is for that an answer quotes: looked up in the corpus, not in any result of a run."""
    return next((p.audience for p in PASSAGES if answer[:15] in p.content), None)


def test_the_story_comes_out_as_pass_pass_fail_and_names_only_cases_that_really_broke(tmp_path):
    """Truth: the asker's office and the office whose rule the degraded app quotes."""
    cases = json.loads(SUITE.read_text(encoding="utf-8"))
    before, after = answers(APP, cases), answers(DEGRADED_APP, cases)
    broken = {
        str(c["id"])
        for c in cases
        if audience(before[str(c["id"])]) in (None, c["entity"])
        and audience(after[str(c["id"])]) not in (None, c["entity"])
    }
    lines = []

    code = tell(Telling(tmp_path, "en", lines.append, Quiet()))

    told = "\n".join(lines)
    named = set(re.findall(r"^ +#(\S+) ", told, re.MULTILINE))
    assert ExitCode.OK == code, told
    assert named <= broken
    assert len(named) >= 5
    assert "2/3 the same app again → PASSED" in told
    assert "3/3 the changed app → FAILED" in told
    assert "- top_k: 4" in told
    assert "08-general-affairs.md#備品の購入 → 08-general-affairs.md#支店での備品の購入" in told
    assert (tmp_path / "3-degraded" / "report.md").read_text(encoding="utf-8").count("#") > 0


def test_only_lines_that_differ_are_told(tmp_path):
    """Indentation and equal lines are left out."""
    (tmp_path / "a").write_text("x\n  top_k: 4\ny\n", encoding="utf-8")
    (tmp_path / "b").write_text("x\n  top_k: 1\ny\n", encoding="utf-8")

    assert ["- top_k: 4", "+ top_k: 1"] == changed_lines(tmp_path / "a", tmp_path / "b")
