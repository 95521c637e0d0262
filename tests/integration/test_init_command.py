"""`ragjudge init` as a newcomer runs it."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from ragjudge import settings, suite
from ragjudge.assist.init import judge_dsl
from ragjudge.cli.init import command
from ragjudge.dsl.lint import lint
from ragjudge.dsl.load import load
from ragjudge.errors import UsageFault

ROOT = Path(__file__).parents[2]
FLAGS = ["--base-url", "https://dify.example.co.jp", "--judge-model", "judge-1"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DIFY_BASE_URL", raising=False)
    return tmp_path


def run(*arguments: str, typed: str | None = None) -> str:
    result = CliRunner().invoke(command, arguments, input=typed, standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.output


def loaded(folder: Path):
    return settings.load(
        (folder / "ragjudge.yml").read_text("utf-8"), environ={"DIFY_API_KEY": "k", "OPENAI_API_KEY": "k"}
    )


def test_a_new_project_is_ready_to_run(here):
    """Config, suite and workflow, and what only a person can do."""
    out = run(*FLAGS)

    assert (
        out
        == """作成    ragjudge.yml
作成    tests/rag/suite.json
作成    .github/workflows/ragjudge.yml
→ tests/rag/suite.json の質問を自分たちのものに書き換えてください。
→ DIFY_API_KEY, OPENAI_API_KEY を環境変数に設定し、リポジトリのシークレットにも登録してください。
→ 内容を確認する: ragjudge validate --plan
→ 実行する: ragjudge check
"""
    )
    found = loaded(here).settings
    settings.require(found, "suite", "app", "judge")
    assert (found.app.base_url, found.judge.model) == ("https://dify.example.co.jp/v1", "judge-1")
    assert [case.id for case in suite.load(found.suite, base_dir=here).cases] == ["1", "2", "3"]


@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("form", ["json", "xlsx"])
@pytest.mark.parametrize("judge", ["openai", "dify", "offline"])
def test_every_choice_gives_files_that_load(here, language, form, judge):
    """Both languages, both formats, every judge."""
    run(
        *FLAGS,
        "--language",
        language,
        "--suite-format",
        form,
        "--judge",
        judge,
        "--judge-base-url",
        "https://j.example/v1",
    )

    found = loaded(here).settings
    assert (found.report.language, found.judge.provider) == (language, judge)
    cases = suite.load(found.suite, base_dir=here).cases
    assert [set(case.fields) for case in cases] == [{"entity"}] * 3
    assert all(case.reference and case.category for case in cases)
    workflow = (here / ".github/workflows/ragjudge.yml").read_text("utf-8")
    assert "@@" not in workflow + (here / "ragjudge.yml").read_text("utf-8")
    assert {"openai": "OPENAI_API_KEY", "dify": "DIFY_JUDGE_API_KEY", "offline": "DIFY_API_KEY"}[
        judge
    ] in workflow
    assert ("judge-api-key" in workflow) == (judge != "offline")
    assert set(yaml.safe_load(workflow)["jobs"]) == {"check", "baseline"}


def test_nothing_is_overwritten_without_force(here):
    """What a team wrote stays."""
    (here / "ragjudge.yml").write_text("suite: mine.json\n", "utf-8")

    assert "変更なし ragjudge.yml(既にあります)" in run(*FLAGS)
    assert (here / "ragjudge.yml").read_text("utf-8") == "suite: mine.json\n"

    run(*FLAGS, "--force")
    assert loaded(here).settings.judge.model == "judge-1"


def test_what_is_there_is_found(here):
    """A workbook of test cases, DSL exports, the default branch; and a budget from the plan."""
    run(*FLAGS, "--suite-format", "xlsx")
    (here / "ragjudge.yml").unlink()
    (here / "dify").mkdir()
    for name in ("a.yml", "b.yml"):
        (here / "dify" / name).write_text("app:\n  mode: chat\nkind: app\nversion: 0.4.0\n", "utf-8")
    (here / "dify/no.yml").write_text("kind: other", "utf-8")
    subprocess.run(["git", "init", "-q", "-b", "trunk"], cwd=here, check=True)

    out = run(*FLAGS, "--force")

    assert "テストケースが見つかりました: tests/rag/*.xlsx(3件)" in out
    assert "DSLファイルが見つかりました: dify/*.yml" in out
    found = loaded(here).settings
    assert found.suite == ("tests/rag/*.xlsx",)
    assert found.dsl.files == ("dify/*.yml",)
    assert found.budget.judge_tokens is not None
    assert found.budget.judge_tokens >= 10_000
    assert "branches: [trunk]" in (here / ".github/workflows/ragjudge.yml").read_text("utf-8")
    assert not list(here.glob("tests/rag/*.json"))


def test_without_a_terminal_what_is_missing_is_told_at_once(here):
    """No prompt can hang a pipeline."""
    with pytest.raises(UsageFault) as caught:
        run()

    assert caught.value.what.en == "Missing: --base-url --judge-model"
    assert list(here.iterdir()) == []


def test_an_address_that_is_none_is_refused(here):
    """Before anything is written."""
    with pytest.raises(UsageFault):
        run("--base-url", "https://cloud.dify.ai/app/1/develop", "--judge-model", "m")

    assert list(here.iterdir()) == []


def test_it_asks_until_the_answer_is_good(here):
    """The console's address is the usual mistake."""
    out = run(
        "--ask", typed="https://cloud.dify.ai/app/1\nhttps://dify.example.co.jp/v1\nopenai\njudge-9\nxlsx\n"
    )

    assert "これはDifyの画面のURL" in out
    assert loaded(here).settings.judge.model == "judge-9"
    assert (here / "tests/rag/suite.xlsx").exists()


def test_values_cannot_break_out_of_the_config(here):
    """Whatever is pasted stays one value."""
    run(
        "--base-url",
        "https://dify.example/v1",
        "--judge-model",
        'a: b # "c"\nevil: 1',
        "--dsl",
        "a, b].yml",
        "--branch",
        "a]b",
    )

    found = loaded(here).settings
    assert (found.judge.model, found.dsl.files) == ('a: b # "c"\nevil: 1', ("a, b].yml",))
    assert yaml.safe_load((here / ".github/workflows/ragjudge.yml").read_text("utf-8"))[True]["push"][
        "branches"
    ] == ["a]b"]


@pytest.mark.parametrize("language", ["ja", "en"])
def test_the_judge_app_only_passes_a_prompt_to_a_model(here, language):
    """A chatflow, whose version and model its answers tell: the question alone, no memory, temperature 0."""
    run("--judge-dsl", "judge.yml", "--language", language, "--judge-model", "m-1")

    data = (here / "judge.yml").read_bytes()
    assert data == judge_dsl(language, "m-1")
    assert () == lint(load(data, "judge.yml"))
    dsl = yaml.safe_load(data)
    assert (dsl["kind"], dsl["app"]["mode"], dsl["dependencies"]) == ("app", "advanced-chat", [])
    nodes = {node["id"]: node["data"] for node in dsl["workflow"]["graph"]["nodes"]}
    assert [("start", "llm"), ("llm", "answer")] == [
        (edge["source"], edge["target"]) for edge in dsl["workflow"]["graph"]["edges"]
    ]
    assert {"start", "llm", "answer"} == set(nodes)
    assert [("user", "{{#sys.query#}}")] == [
        (prompt["role"], prompt["text"]) for prompt in nodes["llm"]["prompt_template"]
    ]
    assert "memory" not in nodes["llm"]
    assert nodes["llm"]["model"]["completion_params"] == {"temperature": 0}
    assert nodes["llm"]["model"]["name"] == "m-1"
    assert "{{#llm.text#}}" == nodes["answer"]["answer"]


def test_the_workflow_pins_the_same_actions_as_the_examples(here):
    """One place to renew, and a test that says when another was forgotten."""
    run(*FLAGS)
    pins = re.compile(r"uses: (\S+)")
    ours = set(pins.findall((here / ".github/workflows/ragjudge.yml").read_text("utf-8")))
    examples = {
        pin
        for path in (ROOT / "examples").rglob(".github/workflows/*.yml")
        for pin in pins.findall(path.read_text("utf-8"))
    }

    assert ours <= examples
