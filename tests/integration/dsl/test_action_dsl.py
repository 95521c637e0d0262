"""A pull request that changes the app's DSL, as the action tells it: what changed, what is broken, what was judged."""

import json

import pytest

from ragjudge.demo.corpus import load_corpus
from ragjudge.demo.definition import load_app
from ragjudge.demo.packaged import APP, CORPUS, DEGRADED_APP
from ragjudge.demo.server import DemoServer, ServerOptions
from tests.dsl_exports import node, reexported, written
from tests.github_server import FakeGitHub
from tests.integration.test_action import APP_KEY, BASE, SUITE, World, pull_request, push
from tests.judge_server import JudgeServer

DSL = "dify/app.yml"


@pytest.fixture
def world(tmp_path, monkeypatch):
    """A repository that keeps the demo app's export, the same on both branches."""
    app = DemoServer(load_app(APP), load_corpus(CORPUS), ServerOptions(api_key=APP_KEY))
    (tmp_path / "workspace").mkdir()
    monkeypatch.chdir(tmp_path / "workspace")
    with app, JudgeServer() as judge, FakeGitHub() as github:
        world = World(tmp_path, app, judge, github)
        configured(world, f"dsl: {{files: [{DSL}], skip_unchanged: true}}\n")
        on_base(world, APP.read_text("utf-8"))
        world.write(DSL, APP.read_text("utf-8"))
        yield world


def configured(world, dsl):
    world.write("ragjudge.yml", world.config + dsl)
    world.github.files[BASE, "ragjudge.yml"] = (world.config + dsl).encode()


def on_base(world, text):
    world.github.files[BASE, DSL] = text.encode()


def comment(world):
    return world.github.comments[7][0]["body"]


def data():
    import yaml

    return yaml.safe_load(APP.read_text("utf-8"))


def test_a_change_of_the_dsl_stands_beside_the_verdict(world):
    """The comment says in words what changed, which version was judged, and how to judge the DSL itself."""
    world.run("push", push())
    world.write(DSL, DEGRADED_APP.read_text("utf-8"))

    step = world.run()

    assert step.code in (0, 1)
    body = comment(world)
    assert "#### アプリの変更点" in body
    assert "取得件数" in body or "プロンプト" in body
    assert "APIキーだけでは" in body
    assert "ragjudge dsl push" in body
    assert body.index("#### 指標") < body.index("アプリの変更点")


def test_without_a_change_nothing_is_said_about_the_dsl(world):
    """A pull request that leaves the DSL alone needs no remark on which version was judged."""
    configured(world, f"dsl: {{files: [{DSL}]}}\n")

    step = world.run()

    assert step.code == 0
    assert "アプリの変更点" not in comment(world)
    assert "APIキーだけでは" not in comment(world)


def test_a_re_export_is_not_judged_again(world):
    """`dsl.skip_unchanged`: other ids and layout are no reason to pay; the comment says that nothing was judged."""
    world.run("push", push())
    asked = world.judge.calls
    world.write(DSL, written(reexported(data(), 3)).decode())

    step = world.run()

    assert (step.code, step.outputs["verdict"]) == (0, "skipped")
    assert world.judge.calls == asked
    assert "dsl.skip_unchanged" in comment(world)
    assert "NOT JUDGED" in comment(world)


@pytest.mark.parametrize(
    "changed", ["suite", "config", "no baseline", "prompt", "skip", "checks", "metrics", "inputs"]
)
def test_whatever_else_changed_is_judged(world, changed):
    """A new case, another setting, a changed prompt or a missing baseline: the run is paid for."""
    if changed != "no baseline":
        world.run("push", push())
    match changed:
        case "suite":
            extra = [
                {"id": 9, "entity": "本社", "category": "x", "question": "有給は?", "answer": "10日です。"}
            ]
            world.write("tests/rag/more.json", json.dumps(extra, ensure_ascii=False))
        case "skip" | "checks" | "metrics" | "inputs":
            edit = {
                "skip": "後で",
                "checks": {"contains": ["存在しない"]},
                "metrics": ["faithfulness"],
                "inputs": {"Entity": "海外"},
            }
            cases = [SUITE[0], SUITE[1] | {changed: edit[changed]}]
            world.write("tests/rag/suite.json", json.dumps(cases, ensure_ascii=False))
        case "config":
            text = world.config + f"dsl: {{files: [{DSL}], skip_unchanged: true}}\nrepeats: 2\n"
            world.write("ragjudge.yml", text)
        case "prompt":
            other = data()
            answering = next(n for n in other["workflow"]["graph"]["nodes"] if n["data"]["type"] == "llm")
            node(other, answering["id"])["prompt_template"][0]["text"] += "\n短く答えてください。"
            world.write(DSL, written(other).decode())

    assert world.run().outputs["verdict"] != "skipped"


def test_a_broken_dsl_stops_the_run_with_an_annotation_on_its_line(world):
    """Nothing is asked of an app that cannot work; the pull request's own line says why."""
    other = data()
    answering = next(n for n in other["workflow"]["graph"]["nodes"] if n["data"]["type"] == "llm")
    answering["data"]["prompt_template"][0]["text"] = "{{#9999.text#}}"
    text = written(other).decode()
    world.write(DSL, text)
    line = next(n for n, one in enumerate(text.splitlines(), 1) if "9999" in one)

    step = world.run()

    assert step.code == 2
    assert f"::error file={DSL},line={line},title=ragjudge::" in step.log
    assert not world.judge.calls


def test_a_warning_is_an_annotation_and_the_run_goes_on(world):
    """Citations off: told on the line, judged all the same."""
    other = data()
    other["workflow"]["features"]["retriever_resource"]["enabled"] = False
    world.write(DSL, written(other).decode())

    step = world.run()

    assert step.code == 0
    assert f"::warning file={DSL},line=" in step.log
    assert "引用と帰属: オン → オフ" in comment(world)


def test_validate_looks_at_the_dsl_too(world):
    """The mode without keys and calls finds a merge conflict before anything else."""
    world.write(DSL, "<<<<<<< HEAD\n" + APP.read_text("utf-8"))

    step = world.run(mode="validate")

    assert step.code == 2
    assert f"::error file={DSL},line=1,title=ragjudge::" in step.log


def test_a_hostile_title_does_nothing(world):
    """Titles of nodes are anybody's text: in comment and log they are only characters."""
    other = data()
    answering = next(n for n in other["workflow"]["graph"]["nodes"] if n["data"]["type"] == "llm")
    answering["data"]["title"] = "<img src=x onerror=alert(1)> @octo/all ::set-output name=x::y"
    answering["data"]["prompt_template"][0]["text"] += "\n</ins><script>alert(1)</script> @octo"
    world.write(DSL, written(other).decode())

    step = world.run()

    body = comment(world)
    assert "<img" not in body
    assert "<script" not in body
    assert "@octo" not in body
    assert "::set-output" not in step.log


def test_a_new_file_and_an_unreadable_base_are_told(world):
    """No base file: it is new. A base that is no export: the changes can't be told, and the run goes on."""
    del world.github.files[BASE, DSL]
    assert world.run().code == 0
    assert "ファイルが追加されました" in comment(world)

    on_base(world, "not: an export\n")
    assert world.run().code == 0
    assert "ベースブランチのファイルをDSLとして読めない" in comment(world)


def test_a_fork_learns_what_it_changes_without_any_key(world):
    """Nothing is judged, but the change in words needs no secret."""
    world.write(DSL, DEGRADED_APP.read_text("utf-8"))

    step = world.run(payload=pull_request("stranger/app"), dify_api_key="", judge_api_key="")

    assert (step.code, step.outputs["verdict"]) == (0, "skipped")
    assert "アプリの変更点" in step.summary
    assert "APIキーだけでは" not in step.summary


def test_whoever_proposes_improvements_is_told_the_change(world):
    """With `report.suggest` the judge reads what changed, beside the weak cases."""
    configured(world, f"dsl: {{files: [{DSL}]}}\n")
    suggesting = world.config.replace("report: {language: ja}", "report: {language: ja, suggest: true}")
    world.config = suggesting
    configured(world, f"dsl: {{files: [{DSL}]}}\n")
    world.run("push", push())
    world.app.publish(load_app(DEGRADED_APP))
    world.write(DSL, DEGRADED_APP.read_text("utf-8"))

    step = world.run()

    assert step.code == 1
    assert any("ノード「" in asked.prompt and "→" in asked.prompt for asked in world.judge.asked())


def test_an_app_whose_file_is_gone_is_named(world):
    """The glob still matches others: the report says which app was removed, and the run is not skipped."""
    configured(world, "dsl: {files: [dify/*.yml], skip_unchanged: true}\n")
    world.run("push", push())
    other = data()
    other["app"]["name"] = "出張ボット"
    world.github.files[BASE, "dify/trips.yml"] = written(other)
    world.github.files[BASE, "elsewhere/trips.yml"] = written(other)

    step = world.run()

    assert step.outputs["verdict"] != "skipped", step.log
    assert "アプリ「出張ボット」が削除されました(dify/trips.yml がありません)" in comment(world)
    assert comment(world).count("削除されました") == 1


def test_a_file_that_was_renamed_is_no_new_app(world):
    """The same app under another file name: one line, and its changes since."""
    configured(world, "dsl: {files: [dify/*.yml]}\n")
    other = data()
    other["workflow"]["features"]["opening_statement"] = "こんにちは"
    world.github.files[BASE, "dify/before.yml"] = world.github.files.pop((BASE, DSL))
    world.write(DSL, written(other).decode())

    world.run()

    assert "ファイル名が dify/before.yml から変更されました" in comment(world)
    assert "こんにちは" in comment(world)
    assert "ファイルが追加されました" not in comment(world)
    assert "削除されました" not in comment(world)
