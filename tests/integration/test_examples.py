"""Each workflow in examples/ does what its README says: its ragjudge step is run with the inputs that it gives."""

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

import pytest
import yaml

from ragjudge.demo.corpus import load_corpus
from ragjudge.demo.definition import load_app
from ragjudge.demo.packaged import APP, CORPUS, DEGRADED_APP
from ragjudge.demo.server import DemoServer, ServerOptions
from ragjudge.github import inputs
from tests.console_server import EMAIL, PASSWORD
from tests.dify_judge_app import DifyJudgeApp
from tests.github_server import FakeGitHub
from tests.integration.test_action import (
    APP_KEY,
    BASE,
    JUDGE_KEY,
    SUITE,
    World,
    pull_request,
    push,
    workflow_run,
)
from tests.judge_server import JudgeServer
from tests.preview_app import DATASET, console, dsl

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
WORKFLOWS = sorted(EXAMPLES.glob("*/.github/workflows/*.yml"))
SECRETS = dict.fromkeys(("DIFY_API_KEY", "DIFY_HR_API_KEY", "DIFY_IT_API_KEY"), APP_KEY) | dict.fromkeys(
    ("OPENAI_API_KEY", "AZURE_OPENAI_API_KEY", "DIFY_JUDGE_API_KEY"), JUDGE_KEY
)
SECRETS |= {"DIFY_CONSOLE_EMAIL": EMAIL, "DIFY_CONSOLE_PASSWORD": PASSWORD}


def steps(workflow):
    described = yaml.safe_load(workflow.read_text("utf-8"))
    for job in described["jobs"].values():
        for step in job["steps"]:
            if step.get("uses", "").startswith("ragjudge/"):
                yield job, step.get("with", {})


def name_of(workflow):
    return f"{workflow.parents[2].name}/{workflow.name}"


class Example(World):
    """A repository that is a copy of one example's folder, with its variables and secrets set."""

    def __init__(self, folder, app, judge, github, *, example):
        super().__init__(folder, app, judge, github)
        shutil.rmtree(folder / "workspace/tests")
        shutil.copytree(EXAMPLES / example, folder / "workspace", dirs_exist_ok=True)
        for config in (folder / "workspace").rglob("ragjudge.yml"):
            name = str(config.relative_to(folder / "workspace"))
            github.files[BASE, name] = config.read_bytes()
        self.variables = {
            "DIFY_BASE_URL": app.base_url,
            "AZURE_OPENAI_ENDPOINT": judge.url,
            "AZURE_OPENAI_DEPLOYMENT": "judge-1",
        }

    def go(self, given, event, payload, dispatched=None):
        values = {k: self.filled(str(v), dispatched or {}) for k, v in given.items()}
        if values.get("judge-provider") != "offline":
            values.setdefault("judge-base-url", self.judge.url)
        blank = {"dify_api_key": "", "judge_api_key": ""}
        ref = {"GITHUB_REF": "refs/heads/main" if event != "pull_request" else "refs/pull/7/merge"}
        return self.run(
            event, payload, environ=ref, **blank | {k.replace("-", "_"): v for k, v in values.items()}
        )

    def filled(self, text, dispatched, matrix=None):
        """GitHub's expressions, as far as the examples use them."""
        known = {f"vars.{k}": v for k, v in self.variables.items()} | {
            f"secrets.{k}": v for k, v in SECRETS.items()
        }
        known |= {f"inputs.{k}": v for k, v in dispatched.items()}
        known |= {f"matrix.{k}": v for k, v in (matrix or {}).items()}
        return re.sub(r"\$\{\{ (\S+) \}\}", lambda found: known[found[1]], text)


@pytest.fixture
def repository(tmp_path, monkeypatch, request):
    (tmp_path / "workspace").mkdir()
    monkeypatch.chdir(tmp_path / "workspace")
    app = DemoServer(load_app(APP), load_corpus(CORPUS), ServerOptions(api_key=APP_KEY))
    with app, JudgeServer() as judge, FakeGitHub() as github:
        yield Example(tmp_path, app, judge, github, example=request.param)


def only_step(name):
    [(_, given)] = steps(EXAMPLES / name)
    return given


def repositories(*names):
    return pytest.mark.parametrize("repository", names, indirect=True)


@repositories("dsl-pr-check")
def test_dsl_pr_check_comments(repository):
    """Nothing to compare with at first: green, one comment, with what the pull request changes in the app."""
    repository.write("dify/bot.yml", APP.read_text("utf-8").replace("top_k: 4", "top_k: 9"))
    repository.github.files[BASE, "dify/bot.yml"] = APP.read_bytes()
    step = repository.go(
        only_step("dsl-pr-check/.github/workflows/rag-check.yml"), "pull_request", pull_request()
    )

    assert (step.code, step.outputs["verdict"]) == (0, "no_baseline"), step.log
    [body] = repository.github.bodies(7)
    assert "4 → 9" in body


@repositories("preview-apps")
def test_preview_apps_judges_the_file_and_leaves_nothing(repository):
    """The pull request's file is judged without an app key; the push to main stores its baseline the same way."""
    workflows = "preview-apps/.github/workflows"
    with console() as server:
        repository.variables["DIFY_BASE_URL"] = f"{server.url}/v1"
        repository.write("dify/bot.yml", dsl(dataset=DATASET).decode())

        checked = repository.go(only_step(f"{workflows}/rag-check.yml"), "pull_request", pull_request())
        stored = repository.go(only_step(f"{workflows}/rag-baseline.yml"), "push", push())

        assert (checked.code, stored.code, stored.outputs["baseline-updated"]) == (0, 0, "true"), checked.log
        [body] = repository.github.bodies(7)
        assert "サーバーから書き出した内容がファイルと一致" in body
        assert len(server.tokens) == 2
        assert (server.apps, server.living_keys) == ([], [])


@repositories("baseline-on-merge")
def test_baseline_on_merge_stores(repository):
    """The push to main."""
    step = repository.go(only_step("baseline-on-merge/.github/workflows/rag-baseline.yml"), "push", push())

    assert (step.code, step.outputs["baseline-updated"]) == (0, "true"), step.log


@repositories("manual-run")
@pytest.mark.parametrize(("mode", "cases", "total"), [("check", "2", "1"), ("validate", "", "2")])
def test_manual_run_asks_what_was_chosen(repository, mode, cases, total):
    """The form's fields reach the action."""
    chosen = {"mode": mode, "cases": cases, "suite": ""}
    given = only_step("manual-run/.github/workflows/rag-manual.yml")

    step = repository.go(given, "workflow_dispatch", push(), chosen)

    assert (step.code, step.outputs["cases-total"]) == (0, total), step.log


@repositories("fork-safe-pair")
def test_fork_safe_pair_tells_a_fork(repository):
    """The first half leaves a file, the second half posts it."""
    first = only_step("fork-safe-pair/.github/workflows/rag-check.yml")
    keys = {"dify-api-key": "", "judge-api-key": ""}
    ran = repository.go(first | keys, "pull_request", pull_request("stranger/app"))
    artifact = {path.name: path.read_bytes() for path in Path(".ragjudge").iterdir() if path.is_file()}
    repository.github.comments.clear()
    repository.github.pulls[7].head_ref, repository.github.pulls[7].head_repo = "patch-1", "stranger/app"
    repository.github.add_artifact(55, "ragjudge", artifact)

    told = repository.go(
        only_step("fork-safe-pair/.github/workflows/rag-comment.yml"), "workflow_run", workflow_run()
    )

    assert ["skipped", "skipped"] == [ran.outputs["verdict"], told.outputs["verdict"]], told.log
    assert ["NOT JUDGED" in body for body in repository.github.bodies(7)] == [True]


@repositories("monorepo")
def test_monorepo_keeps_two_comments(repository):
    """Each app has its own, and its own results."""
    for _, given in steps(EXAMPLES / "monorepo/.github/workflows/rag-check.yml"):
        step = repository.go(given, "pull_request", pull_request())
        assert step.code == 0, step.log

    assert len(repository.github.bodies(7)) == 2
    assert sorted(str(path) for path in Path(".ragjudge").rglob("report.md")) == [
        ".ragjudge/hr/report.md",
        ".ragjudge/it/report.md",
    ]


@repositories("azure-judge")
def test_azure_judge_asks_the_deployment(repository):
    """Address and deployment come from the repository's variables."""
    step = repository.go(
        only_step("azure-judge/.github/workflows/rag-check.yml"), "pull_request", pull_request()
    )

    assert step.code == 0, step.log
    assert {asked.body["model"] for asked in repository.judge.asked()} == {"judge-1"}


@repositories("offline-and-nightly")
def test_offline_and_nightly_need_no_model_by_day(repository):
    """The quick look calls no judge and is never red; the night's run does."""
    quick = only_step("offline-and-nightly/.github/workflows/rag-push.yml")
    nightly = only_step("offline-and-nightly/.github/workflows/rag-nightly.yml")

    before = repository.go(quick, "push", push())
    stored = repository.go(
        only_step("offline-and-nightly/.github/workflows/rag-offline-baseline.yml"), "push", push()
    )
    by_day = repository.go(quick, "push", push())
    asked_by_day = repository.judge.calls
    by_night = repository.go(nightly, "schedule", push())

    assert ["no_baseline", "passed"] == [before.outputs["verdict"], by_day.outputs["verdict"]]
    assert [0, 0, 0] == [stored.code, by_day.code, by_night.code], by_day.log
    assert asked_by_day == 0
    assert repository.judge.calls > 0


@repositories("dify-judge")
def test_dify_judge_grades_with_a_second_app(repository):
    """Every score comes from the judge app's chatflow; no other judge is called."""
    with DifyJudgeApp(JUDGE_KEY) as app:
        repository.variables["DIFY_JUDGE_BASE_URL"] = app.base_url
        step = repository.go(
            only_step("dify-judge/.github/workflows/rag-check.yml"), "pull_request", pull_request()
        )

    assert (step.code, step.outputs["cases-unscored"]) == (0, "0"), step.log
    assert set(json.loads(step.outputs["means"])) >= {"correctness", "faithfulness"}
    assert len(app.queries) > 2
    assert repository.judge.calls == 0


class Shell:
    """A runner's shell in the workspace: `ragjudge` on the PATH, a job's `env`, the step's summary."""

    def __init__(self, repository):
        self.repository = repository
        tools = repository.folder / "tools"
        tools.mkdir()
        command = tools / "ragjudge"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ragjudge "$@"\n', "utf-8")
        command.chmod(0o755)
        self.summary = repository.folder / "summary"
        self.environ = {
            "PATH": f"{tools}:{os.environ['PATH']}",
            "PYTHONPATH": str(EXAMPLES.parent),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "OPENAI_BASE_URL": repository.judge.url,
        }

    def job(self, job, matrix):
        """Exit codes of the job's commands; the package is here already."""
        codes = []
        for step in job["steps"]:
            goes = not any(codes) or step.get("if") == "always()"
            if goes and "run" in step and not step["run"].startswith("pip install "):
                env = {k: self.repository.filled(v, {}, matrix) for k, v in step.get("env", {}).items()}
                ran = subprocess.run(
                    ["bash", "-e", "-c", step["run"]],
                    env=self.environ | env,
                    capture_output=True,
                    check=False,
                )
                codes.append(ran.returncode)
        return codes


@repositories("shards")
def test_shards_are_joined_and_compared_once(repository):
    """Green without a baseline and nothing asked twice; red against a better app's, its suspects asked again."""
    repository.write("tests/rag/questions.json", json.dumps(SUITE, ensure_ascii=False))
    jobs = yaml.safe_load((EXAMPLES / "shards/.github/workflows/rag-shards.yml").read_text("utf-8"))["jobs"]
    shell = Shell(repository)

    def parts():
        with ThreadPoolExecutor() as runners:
            return [
                *runners.map(shell.job, repeat(jobs["part"]), jobs["part"]["strategy"]["matrix"]["include"])
            ]

    assert parts() == [[0], [0]]
    asked = repository.judge.calls
    assert shell.job(jobs["whole"], {}) == [0, 0, 0]
    assert repository.judge.calls == asked > 0
    assert len(json.loads(Path(".ragjudge/results.json").read_text("utf-8"))["cases"]) == 2
    assert shell.summary.read_text("utf-8") == Path(".ragjudge/report.md").read_text("utf-8")

    assert shell.job({"steps": [{"run": "ragjudge baseline update .ragjudge/results.json"}]}, {}) == [0]
    repository.app.publish(load_app(DEGRADED_APP))
    assert parts() == [[0], [0]]
    asked = repository.judge.calls
    assert shell.job(jobs["whole"], {}) == [0, 1, 0]
    assert repository.judge.calls > asked


@repositories("shards")
def test_a_shard_that_is_missing_stops_the_join(repository):
    """Red: a gap is no smaller suite."""
    jobs = yaml.safe_load((EXAMPLES / "shards/.github/workflows/rag-shards.yml").read_text("utf-8"))["jobs"]
    shell = Shell(repository)
    shell.job(jobs["part"], jobs["part"]["strategy"]["matrix"]["include"][0])

    assert shell.job(jobs["whole"], {})[0] == 2


def test_the_shards_of_the_matrix_are_complete():
    """Each part of `matrix.part` has its folder, and together they are the whole."""
    jobs = yaml.safe_load((EXAMPLES / "shards/.github/workflows/rag-shards.yml").read_text("utf-8"))["jobs"]
    matrix = jobs["part"]["strategy"]["matrix"]

    assert jobs["part"]["steps"][-1]["if"] == "always()"
    assert jobs["whole"]["if"] == "${{ !cancelled() }}"
    assert [one["part"] for one in matrix["include"]] == matrix["part"]
    assert matrix["part"] == [f"{n}/{len(matrix['part'])}" for n in range(1, len(matrix["part"]) + 1)]


def test_every_example_has_a_test_here():
    """A new folder without one is noticed."""
    text = Path(__file__).read_text("utf-8")

    assert [p.parents[2].name for p in WORKFLOWS if f'repositories("{p.parents[2].name}")' not in text] == []


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=name_of)
def test_a_workflow_to_copy_has_least_rights(workflow):
    """Nothing at the top, a time limit, known inputs only, keys from secrets, nothing of ours in a shell."""
    text = workflow.read_text("utf-8")
    described = yaml.safe_load(text)

    assert described["permissions"] == {}
    for job, given in steps(workflow):
        assert set(given) <= set(inputs.NAMES)
        assert all("secrets." in str(given[name]) for name in inputs.SECRETS if name in given)
        assert not any("run" in step for step in job["steps"])
    for step in (step for job in described["jobs"].values() for step in job["steps"]):
        assert "${{" not in step.get("run", "")
    for job in described["jobs"].values():
        assert job["permissions"]
        assert job["timeout-minutes"]
    assert "pull_request_target:" not in text


@pytest.mark.parametrize("readme", sorted(EXAMPLES.glob("*/README.md")), ids=lambda path: path.parent.name)
def test_each_page_has_its_japanese_twin(readme):
    """Linked both ways, at about the same length."""
    twin = readme.with_name("README.ja.md")
    english, japanese = readme.read_text("utf-8"), twin.read_text("utf-8")

    assert "(README.ja.md)" in english
    assert "(README.md)" in japanese
    assert english.count("\n## ") == japanese.count("\n## ")
    assert english.count("| `") == japanese.count("| `")


def test_the_suites_to_copy_have_the_teams_own_shape():
    """The copied suites stay loadable JSON in the team's own shape."""
    for suite in EXAMPLES.glob("*/**/questions.json"):
        cases = json.loads(suite.read_text("utf-8"))
        assert all({"id", "question", "answer"} <= set(case) for case in cases)
