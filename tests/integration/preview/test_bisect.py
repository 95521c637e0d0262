"""`dsl.bisect: true` from the outside: several things changed, one report names the one that broke the cases."""

import copy
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ragjudge.cli.main import run as command_line
from ragjudge.demo import packaged
from ragjudge.demo.server.wire import Reply
from tests.console_server import EMAIL, PASSWORD
from tests.preview_app import DATASET, console, dsl, loaded, written

pytestmark = pytest.mark.slow

FILE = "dify/bot.yml"
ROOT = Path(__file__).resolve().parents[3]
CASES = ("5", "10", "20", "1")
"""Three that need more than one passage, and one that does not."""


@pytest.fixture(scope="module")
def server():
    with console() as server:
        yield server


@pytest.fixture(scope="module")
def once():
    """What every test's team has, made by the first of them."""
    return {}


@pytest.fixture
def team(tmp_path, monkeypatch, server, once):
    """A repository with a stored baseline of its app, on a console without any app."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DIFY_API_KEY", raising=False)
    monkeypatch.setenv("DIFY_CONSOLE_EMAIL", EMAIL)
    monkeypatch.setenv("DIFY_CONSOLE_PASSWORD", PASSWORD)
    server.answer_first, server.on_served = (lambda *_: None), (lambda *_: None)
    server.workspace.apps.clear()
    server.tokens.clear()
    team = Team(tmp_path, server)
    team.write(loaded(dsl(dataset=DATASET)))
    if "baseline" not in once:
        team.stored()
        once["baseline"] = team.baseline.read_bytes()
    team.baseline.write_bytes(once["baseline"])
    team.committed()
    return team


class Team:
    """What a tester's checkout holds, and what was said there last."""

    def __init__(self, folder, server):
        self.folder = folder
        self.server = server
        suite = json.loads((packaged.APP.parent / "suite.json").read_text("utf-8"))
        chosen = [case for case in suite if str(case["id"]) in CASES]
        (folder / "suite.json").write_text(json.dumps(chosen, ensure_ascii=False), "utf-8")
        (folder / "dify").mkdir()
        self.baseline = folder / "ragjudge-baseline.json"
        self.configure()

    def configure(self, **more):
        config = {
            "suite": "suite.json",
            "app": {
                "base_url": f"{self.server.url}/v1",
                "inputs": {"Entity": "${entity}", "Category": "${category}"},
            },
            "judge": {"provider": "offline"},
            "report": {"language": "en"},
            "baseline": {"repeats": 3},
            "dsl": {"files": FILE, "preview": True, "bisect": True},
        }
        (self.folder / "ragjudge.yml").write_text(json.dumps(config | more), "utf-8")

    def write(self, document):
        (self.folder / FILE).write_bytes(written(document))

    def stored(self):
        """The file as it is becomes the baseline."""
        assert command_line(["baseline", "update"]) == 0

    def committed(self):
        who = ["-c", "user.name=team", "-c", "user.email=team@example.com"]
        for command in (["init", "-q", "-b", "main"], ["add", "-A", "dify"], ["commit", "-qm", "app"]):
            subprocess.run(["git", *who, *command], check=True, capture_output=True, cwd=self.folder)

    def check(self, *more):
        self.server.tokens.clear()
        return command_line(["check", "--dsl-base", "main", *more])

    @property
    def report(self):
        return (self.folder / ".ragjudge/report.md").read_text("utf-8")

    @property
    def section(self):
        return self.report.partition("#### Which change broke them\n")[2].partition("\n#### ")[0]

    @property
    def journal(self):
        return (self.folder / ".ragjudge/journal.jsonl").read_text("utf-8")


def changed(**titles):
    """The team's app with a harmful retrieval and harmless new titles."""
    document = loaded(dsl(dataset=DATASET))
    for node in document["workflow"]["graph"]["nodes"]:
        if node["id"] == "retrieval":
            node["data"]["multiple_retrieval_config"]["top_k"] = 1
        node["data"]["title"] = titles.get(node["id"], node["data"]["title"])
    return document


def rows(section):
    return [line for line in section.splitlines() if line.startswith(("| <strong>", "| **"))]


def test_the_report_names_the_change_that_broke_the_cases(team, server):
    """Two nodes changed, one is harmless: each was tried alone, every app and key is gone, the verdict is the check's."""
    stored = team.baseline.read_bytes()
    team.write(changed(answer="お答え"))

    assert team.check() == 1

    assert "<strong>The node “規程の検索” alone breaks 5, 10, 20.</strong>" in team.section
    harmful, harmless = rows(team.section)
    assert "top k (number of passages): 4 → 1" in harmful
    assert harmful.endswith("| 5, 10, 20 | 3 / 3 |")
    assert "お答え" in harmless
    assert harmless.endswith("| – | 3 / 3 |")
    assert (server.apps, server.living_keys, len(server.tokens)) == ([], [], 3)
    assert team.baseline.read_bytes() == stored


def test_what_was_tried_is_journalled_apart_and_enters_nothing(team, server):
    """Answers of single changes are in the journal under their own name; the record holds the check's alone; no key."""
    team.write(changed(answer="お答え"))
    team.check()

    attempts = {json.loads(line).get("attempt", "") for line in team.journal.splitlines()}
    aside = {attempt for attempt in attempts if attempt.startswith("alone-")}
    assert len({attempt.rsplit("-", 1)[0] for attempt in aside if attempt.endswith("-1")}) >= 2
    results = (team.folder / ".ragjudge/results.json").read_text("utf-8")
    assert "alone-" not in results
    assert len(json.loads(results)["cases"]) == len(CASES)
    kept = b"".join(path.read_bytes() for path in team.folder.rglob("*") if path.is_file())
    assert len(server.tokens) == 3
    assert not [token for token in (*server.tokens, PASSWORD) if token.encode() in kept]


def two_ways(*, threshold_a=None, threshold_b=None, top_k=4):
    """A model that finds its passages on two ways: either is enough."""
    document = loaded(dsl(dataset=DATASET))
    graph = document["workflow"]["graph"]
    first = next(n for n in graph["nodes"] if n["id"] == "retrieval")
    second = copy.deepcopy(first)
    second["id"], second["data"]["title"] = "second", "もう一つの検索"
    graph["nodes"].append(second)
    for node, threshold in ((first, threshold_a), (second, threshold_b)):
        node["data"]["multiple_retrieval_config"] |= {"score_threshold": threshold, "top_k": top_k}
    llm = next(n for n in graph["nodes"] if n["id"] == "llm")
    llm["data"]["prompt_template"][0]["text"] += "\n{{#second.result#}}"
    to_llm = next(e for e in graph["edges"] if e["target"] == "llm")
    graph["edges"].append({**to_llm, "id": "second-llm", "source": "second"})
    to_llm["target"] = "second"
    return document


def test_changes_that_break_a_case_together_only_are_called_so(team):
    """Each of two retrievals may go blind, but not both."""
    team.write(two_ways())
    team.stored()
    team.committed()
    team.write(two_ways(threshold_a=0.99, threshold_b=0.99))

    assert team.check() == 1

    assert "No change alone breaks 1, 5, 10, 20: together they do." in team.section
    assert all(row.endswith("| – | 4 / 4 |") for row in rows(team.section))


def test_what_breaks_without_any_change_is_not_blamed_on_one(team, server):
    """The baseline knows a better app than the base's file gives now: the base is asked too, and nobody is blamed."""
    team.write(changed())
    team.committed()
    team.write(changed(answer="お答え", llm="文案"))

    assert team.check() == 1

    assert "alone breaks" not in team.section
    assert "5, 10, 20 got worse without any change of the DSL, too" in team.section
    assert len(rows(team.section)) == 3
    assert (server.apps, len(server.tokens)) == ([], 4)


@pytest.mark.parametrize(
    ("questions", "tried", "says"),
    [
        (12, [0, 0], "None of the changes could be tried."),
        (14, [1, 0], "budget.questions does not reach for it"),
        (16, [1, 1], "2 more of the cases were not asked."),
        (28, [3, 3], "alone breaks 5, 10, 20"),
    ],
)
def test_the_budget_covers_check_and_bisect_together(team, server, questions, tried, says):
    """The check takes four questions and six to confirm. What is left is spent on fewer cases, then on fewer changes."""
    team.configure(budget={"questions": questions})
    team.write(changed(answer="お答え"))
    before = len(server.calls)

    assert team.check() == 1

    assert [row.rsplit("|", 2)[1].strip() for row in rows(team.section)] == [f"{n} / 3" for n in tried]
    assert says in team.section
    assert sum(path == "/v1/chat-messages" for _, path in server.calls[before:]) <= questions
    assert server.apps == []


def test_without_the_former_dsl_the_report_says_so(team, server):
    """On the command line the base must be named; the check is as red as without a bisect."""
    team.write(changed(answer="お答え"))
    server.tokens.clear()

    assert command_line(["check"]) == 1

    assert "Not tried: the DSL as it was before is not known" in team.section
    assert len(server.tokens) == 1


def test_a_single_change_is_named_without_a_bisect(team, server):
    """There is nothing to choose from: one app, the check's own."""
    team.write(changed())

    assert team.check() == 1

    assert "Not tried: the app has a single change" in team.section
    assert "Nodes that changed: 規程の検索" in team.report
    assert len(server.tokens) == 1


def test_a_green_check_tries_nothing(team, server):
    """Harmless changes cost no more than the check."""
    team.write(changed(answer="お答え", llm="文案"))
    document = loaded((team.folder / FILE).read_bytes())
    for node in document["workflow"]["graph"]["nodes"]:
        if node["id"] == "retrieval":
            node["data"]["multiple_retrieval_config"]["top_k"] = 4
    team.write(document)

    assert team.check() == 0

    assert team.section == ""
    assert len(server.tokens) == 1


def test_a_change_that_the_server_cannot_run_alone_is_said_so(team, server):
    """The base needs a plugin that is gone by now, and the proposal needs it no more: no app is made of either change."""
    former = loaded(dsl(dataset=DATASET))
    plugin = copy.deepcopy(former["dependencies"][0])
    plugin["value"] = {"marketplace_plugin_unique_identifier": "old/gone:1.0.0@abc"}
    team.write(former | {"dependencies": [*former["dependencies"], plugin]})
    team.committed()
    team.write(changed(answer="お答え"))

    assert team.check() == 1

    assert [
        row.count("not tried: The plugin old/gone:1.0.0 is not installed") for row in rows(team.section)
    ] == [1, 1]
    assert "None of the changes could be tried." in team.section
    assert (server.apps, len(server.tokens)) == ([], 1)


def imports(server, number, reply):
    """The console's answer from the n-th import on."""
    seen = []

    def answer(_method, path):
        seen.extend([path] if path.endswith("/apps/imports") else [])
        return reply if len(seen) >= number and "/console/" in path else None

    server.answer_first = answer


def test_a_console_that_dies_midway_changes_no_verdict(team, server):
    """The first change was tried, the second cannot be: exit 1 as before, one sentence, no app left."""
    team.write(changed(answer="お答え"))
    imports(server, 3, Reply(404, b"<html>gone</html>", "text/html"))

    assert team.check() == 1

    server.answer_first = lambda *_: None
    assert "alone breaks 5, 10, 20" in team.section
    assert "not tried: There is no Dify console at" in team.section
    assert (server.apps, server.living_keys) == ([], [])


def checking(team):
    """The command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "ragjudge", "check", "--dsl-base", "main"],
        cwd=team.folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def signalling(server, process, number):
    """Sends it while the second change is asked."""
    sent = []

    def answer(_method, path):
        if path == "/v1/chat-messages" and len(server.tokens) == 3 and not sent:
            sent.append(path)
            process.send_signal(number)

    server.answer_first = answer


def test_ctrl_c_ends_the_bisect_and_not_the_check(team, server):
    """The verdict was known: it is told with what was found so far; no app and no key stay."""
    team.write(changed(answer="お答え"))
    server.tokens.clear()
    process = checking(team)
    signalling(server, process, signal.SIGINT)

    assert process.wait(60) == 1

    assert "alone breaks 5, 10, 20" in team.section
    assert "not tried: it was interrupted." in team.section
    assert (server.apps, server.living_keys) == ([], [])


def test_killed_in_the_middle_the_next_run_leaves_nothing_and_pays_nothing_twice(team, server):
    """`kill -9` while a change is asked: an app and its key stay, until `--resume` removes them and goes on."""
    team.write(changed(answer="お答え"))
    server.tokens.clear()
    process = checking(team)
    signalling(server, process, signal.SIGKILL)
    assert process.wait(60) == -signal.SIGKILL
    server.answer_first = lambda *_: None
    assert (len(server.apps), len(server.living_keys)) == (1, 1)
    paid = team.journal.count('"alone-')
    assert paid
    before = len(server.calls)

    assert team.check("--resume") == 1

    asked = sum(path == "/v1/chat-messages" for _, path in server.calls[before:])
    assert (server.apps, server.living_keys) == ([], [])
    assert "alone breaks 5, 10, 20" in team.section
    assert asked <= 3
