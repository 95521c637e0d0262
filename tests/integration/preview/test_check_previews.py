"""`dsl.preview: true` from the outside: a pull request changes a DSL file, the action (and the command line) judges it."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from ragjudge.cli.main import run as command_line
from tests.console_server import EMAIL, PASSWORD
from tests.github_server import FakeGitHub
from tests.integration.test_action import BASE, SUITE, World, pull_request, push
from tests.judge_server import Fault, JudgeServer
from tests.preview_app import DATASET, console, dsl

FILE = "dify/bot.yml"
PREVIEW = f"dsl: {{files: {FILE}, preview: true}}\n"
TOKEN_VALUE = "crm-Secret-0987654321"


@pytest.fixture
def server():
    with console() as server:
        yield server


@pytest.fixture
def world(tmp_path, monkeypatch, server):
    """A repository whose base branch asks for previews and holds another DSL than the pull request."""
    (tmp_path / "workspace").mkdir()
    monkeypatch.chdir(tmp_path / "workspace")
    with JudgeServer() as judge, FakeGitHub() as github:
        world = World(tmp_path, SimpleNamespace(base_url=f"{server.url}/v1"), judge, github)
        configured(world, PREVIEW)
        github.files[BASE, FILE] = dsl(dataset=DATASET)
        world.write(FILE, dsl(dataset=DATASET, secret=True).decode().replace("top_k: 4", "top_k: 2"))
        yield world


def configured(world, more):
    world.write("ragjudge.yml", world.config + more)
    world.github.files[BASE, "ragjudge.yml"] = (world.config + more).encode()


def check(world, event="pull_request", payload=None, **given):
    signing_in = {"dify_api_key": "", "dify_console_email": EMAIL, "dify_console_password": PASSWORD}
    return world.run(event, payload, environ={"DIFY_ENV_CRM_TOKEN": TOKEN_VALUE}, **signing_in | given)


def test_a_pull_requests_own_dsl_is_judged_and_nothing_is_left(world, server):
    """One comment names the preview app and says that it equals the file; key and app are gone; no app key was given."""
    step = check(world)

    assert (step.code, step.outputs["verdict"]) == (0, "no_baseline"), step.log
    [body] = world.github.bodies(7)
    assert "評価対象: このプルリクエストのDSL(プレビューアプリ「PR 7: " in body
    assert "サーバーから書き出した内容がファイルと一致" in body
    assert "APIキーだけでは" not in body
    assert "判定の決まりを変えます" not in body
    assert "4 → 2" in body
    assert (server.apps, server.living_keys, len(server.tokens)) == ([], [], 1)


def test_no_secret_of_a_preview_is_written_anywhere(world, server):
    """The app's key, the password and the injected value are masked and in no file, log, summary or comment."""
    step = check(world)

    log = "\n".join(line for line in step.log.splitlines() if not line.startswith("::add-mask::"))
    told = log + world.everything_written() + "".join(world.github.bodies(7))
    for secret in (server.tokens[0], PASSWORD, TOKEN_VALUE):
        assert f"::add-mask::{secret}" in step.log
        assert secret not in told


def test_a_preview_is_removed_where_the_run_fails(world, server):
    """The judge refuses its key after the app was made: exit 2, no app, no key."""
    world.judge.answer = lambda _: Fault(401, {"message": "Incorrect API key provided"})

    step = check(world)

    assert step.code == 2, step.log
    assert len(server.tokens) == 1
    assert (server.apps, server.living_keys) == ([], [])


def test_previews_compare_with_a_baseline_made_by_a_preview(world, server):
    """After the merge the baseline comes from a preview of the merged file; the next pull request passes."""
    stored = check(world, "push", push())
    second = check(world)

    assert (stored.code, stored.outputs["baseline-updated"]) == (0, "true"), stored.log
    assert (second.code, second.outputs["verdict"]) == (0, "passed"), second.log
    assert server.apps == []


def test_without_sign_in_a_preview_is_refused_with_a_cure(world, server):
    """Nothing is sent to the console or the judge."""
    step = check(world, dify_console_email="", dify_console_password="")

    assert step.code == 2
    assert "DIFY_CONSOLE_EMAIL" in step.log
    assert (server.calls, world.judge.calls) == ([], 0)


def test_a_fork_has_no_preview_and_is_not_judged(world, server):
    """A fork gets no secrets: the comment's text says NOT JUDGED, the console hears nothing."""
    step = check(
        world,
        payload=pull_request("stranger/app"),
        dify_console_password="",
        judge_api_key="",
    )

    assert (step.code, step.outputs["verdict"]) == (0, "skipped"), step.log
    assert server.calls == []


def test_a_pull_request_cannot_switch_its_own_preview_off(world, server):
    """`dsl.preview` is the base branch's."""
    world.write("ragjudge.yml", world.config + PREVIEW.replace("true", "false"))

    step = check(world)

    assert step.code == 0, step.log
    assert len(server.tokens) == 1


def test_what_the_server_lacks_is_told_on_the_lines_before_an_app_is_made(world, server):
    """A newer DSL by config's severity: exit 2, the missing plugin annotated, nothing imported and nothing asked."""
    configured(world, f"dsl: {{files: {FILE}, preview: true, severity: {{newer_dsl: error}}}}\n")
    server.workspace.plugins.discard("example/extractive")
    world.write(FILE, dsl(dataset=DATASET, version="0.7.0").decode())

    step = check(world)

    assert step.code == 2, step.log
    assert "The export has DSL version 0.7.0" in step.log or "DSLのバージョン 0.7.0" in step.log
    assert re.search(rf"::warning [^\n]*file={FILE},line=\d+[^\n]*example/extractive", step.log)
    assert ("POST", "/console/api/apps/imports") not in server.calls
    assert world.judge.calls == 0


BISECT = PREVIEW.replace("preview: true", "preview: true, bisect: true")
TITLE = "<img src=x> @octocat | 別名"


def two_changes(world):
    """The pull request fetches too little, and renames a node."""
    text = dsl(dataset=DATASET).decode()
    world.github.files[BASE, FILE] = text.encode()
    changed = text.replace("top_k: 4", "top_k: 1").replace("title: 回答\n", f"title: '{TITLE}'\n")
    assert changed.count(TITLE) == 1
    return changed


def test_the_comment_names_the_change_that_broke_the_case(world, server):
    """Each change was an app of its own; every key was masked before it was used; titles of nodes do nothing."""
    configured(world, BISECT)
    world.write(FILE, (changed := two_changes(world)).replace("top_k: 1", "top_k: 4"))
    assert check(world, "push", push()).code == 0
    world.write(FILE, changed)
    server.tokens.clear()

    step = check(world)

    assert (step.code, step.outputs["verdict"]) == (1, "failed"), step.log
    [body] = world.github.bodies(7)
    assert "ノード「規程の検索」だけで、ケース 2 の品質が下がりました。" in body
    assert "別名" in body.partition("原因となった変更")[2].partition("品質が下がったケース\n")[0]
    assert "<img" not in body
    assert " @octocat" not in body
    assert "原因となった変更を調べています" in step.log
    assert len(server.tokens) == 3
    lines = step.log.splitlines()
    assert all(f"::add-mask::{token}" in lines for token in server.tokens)
    told = "\n".join(line for line in lines if not line.startswith("::add-mask::"))
    assert not [token for token in server.tokens if token in told + body + world.everything_written()]
    assert (server.apps, server.living_keys) == ([], [])


def test_on_a_public_repository_a_bisect_leaves_numbers_only(world, server):
    """No answer to a single change stays in any file; ids and the DSL's own words are told."""
    configured(world, BISECT)
    world.write(FILE, (changed := two_changes(world)).replace("top_k: 1", "top_k: 4"))
    assert (
        check(world, "push", push() | {"repository": {"default_branch": "main", "private": False}}).code == 0
    )
    world.write(FILE, changed)
    server.tokens.clear()

    step = check(world, payload=pull_request(private=False))

    assert (step.code, len(server.tokens)) == (1, 3), step.log
    [body] = world.github.bodies(7)
    assert "ノード「規程の検索」だけで、ケース 2 の品質が下がりました。" in body
    folder = world.folder / "workspace/.ragjudge"
    assert not list(folder.glob("journal*.jsonl"))
    kept = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file()).decode(
        "utf-8", "ignore"
    )
    assert "支店勤務者の日当は" not in kept + body


def test_a_pull_request_cannot_have_itself_bisected(world, server):
    """`dsl.bisect` costs questions: it is the base branch's, and that the pull request changes it is said."""
    world.write(FILE, (changed := two_changes(world)).replace("top_k: 1", "top_k: 4"))
    assert check(world, "push", push()).code == 0
    world.write(FILE, changed)
    world.write("ragjudge.yml", world.config + BISECT)
    server.tokens.clear()

    step = check(world)

    assert step.code == 1, step.log
    [body] = world.github.bodies(7)
    assert "dsl.bisect: False → True" in body
    assert "原因となった変更" not in body
    assert len(server.tokens) == 1


@pytest.fixture
def team(tmp_path, monkeypatch, server):
    """A folder with suite, config and DSL; the console's sign-in is in the environment, no app key is."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DIFY_API_KEY", raising=False)
    monkeypatch.setenv("DIFY_CONSOLE_EMAIL", EMAIL)
    monkeypatch.setenv("DIFY_CONSOLE_PASSWORD", PASSWORD)
    monkeypatch.setenv("DIFY_ENV_CRM_TOKEN", TOKEN_VALUE)
    config = {
        "suite": "suite.json",
        "app": {
            "base_url": f"{server.url}/v1",
            "inputs": {"Entity": "${entity}", "Category": "${category}"},
        },
        "judge": {"provider": "offline"},
        "report": {"language": "en"},
        "dsl": {"files": FILE, "preview": True},
    }
    (tmp_path / "ragjudge.yml").write_text(json.dumps(config), "utf-8")
    (tmp_path / "suite.json").write_text(json.dumps(SUITE, ensure_ascii=False), "utf-8")
    (tmp_path / "dify").mkdir()
    (tmp_path / FILE).write_bytes(dsl(dataset=DATASET, secret=True))
    return tmp_path


def test_the_command_line_judges_the_file_too(team, server, capsys):
    """The report says what was judged; no file holds the key; the app is gone."""
    code = command_line(["check"])

    report = (team / ".ragjudge/report.md").read_text("utf-8")
    assert code == 0, capsys.readouterr()
    assert re.search(
        rf"Judged: this pull request's DSL, as the preview app “{team.name}: .+equals the file", report
    )
    kept = b"".join(path.read_bytes() for path in team.rglob("*") if path.is_file())
    assert server.tokens[0].encode() not in kept
    assert (server.apps, server.living_keys) == ([], [])


def test_an_interrupted_preview_goes_on_in_another_one(team, server, capsys):
    """`--resume` asks nothing again although the app is another one; another DSL is another journal."""
    assert command_line(["run"]) == 0
    asked = sum(path == "/v1/chat-messages" for _, path in server.calls)

    again = command_line(["run", "--resume"])

    assert again == 0, capsys.readouterr()
    assert sum(path == "/v1/chat-messages" for _, path in server.calls) == asked > 0
    assert len(server.tokens) == 2
    (team / FILE).write_bytes(dsl(dataset=DATASET, secret=True).replace(b"top_k: 4", b"top_k: 2"))
    assert command_line(["run", "--resume"]) == 2
    assert server.apps == []


def test_ctrl_c_takes_the_app_away(team, server):
    """The command is stopped while it asks: exit 130, no app, no key."""
    command = [sys.executable, "-m", "ragjudge", "check"]
    root = Path(__file__).resolve().parents[3]
    started = subprocess.Popen(
        command,
        cwd=team,
        env={**os.environ, "PYTHONPATH": str(root)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )

    def stop_while_asking(method, path):
        if path == "/v1/chat-messages":
            started.send_signal(signal.SIGINT)

    server.answer_first = stop_while_asking
    _, said = started.communicate(timeout=60)

    assert started.returncode == 130, said.decode()
    assert len(server.tokens) == 1
    assert (server.apps, server.living_keys) == ([], [])


def test_a_push_and_the_way_back_are_commands(team, server, capsys):
    """`dsl push` is found under `dsl`, and says what it lacks."""
    assert command_line(["dsl", "push", FILE]) == 2
    assert "--app" in capsys.readouterr().err


def test_a_bisect_without_a_preview_is_refused_with_a_cure(team, server, capsys):
    """Nothing in a config is silently ignored."""
    config = json.loads((team / "ragjudge.yml").read_text("utf-8"))
    config["dsl"] |= {"bisect": True, "preview": False}
    (team / "ragjudge.yml").write_text(json.dumps(config), "utf-8")

    assert command_line(["check"]) == 2
    said = capsys.readouterr().err
    assert "dsl.bisect needs dsl.preview" in said
    assert "preview: true" in said
    assert server.calls == []


def test_a_broken_file_is_refused_before_the_console_hears_of_it(team, server, capsys):
    """On the command line as in the action: the fault on its line, exit 2, no sign-in, no app."""
    text = (team / FILE).read_text("utf-8").replace("{{#sys.query#}}", "{{#gone.text#}}")
    (team / FILE).write_text(text, "utf-8")

    assert command_line(["check"]) == 2

    assert f"{FILE}:" in capsys.readouterr().err
    assert server.calls == []


def test_a_missing_plugin_is_told_before_the_preview_stops_at_it(team, server, capsys):
    """A warning on its line, then the console's own word after the import; nothing is left."""
    server.workspace.plugins.discard("example/extractive")

    assert command_line(["check"]) == 2

    told = capsys.readouterr().err
    assert re.search(rf"⚠ {FILE}:\d+: The plugin example/extractive is not installed", told)
    assert server.apps == []
