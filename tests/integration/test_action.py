"""The action's entry with GitHub's environment, against a real demo app, a scripted judge and a loopback GitHub."""

import html
import io
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

import pytest

from ragjudge.action.story import run
from ragjudge.demo.corpus import load_corpus
from ragjudge.demo.definition import load_app
from ragjudge.demo.packaged import APP, CORPUS, DEGRADED_APP
from ragjudge.demo.server import DemoServer, ServerOptions
from ragjudge.results import codec
from tests.github_server import BOT, FakeGitHub, Pull
from tests.judge_server import Fault, JudgeServer, by_meaning
from tests.unit.github.test_commands import commands_seen, read_outputs
from tests.unit.test_redaction import lower

APP_KEY = "app-Secret/key+1=="
JUDGE_KEY = "sk-judge-Secret_2"
TOKEN = "ghs_Secret3"
JUDGE = "k-+JudgeSecret+/=7"
ROOT = Path(__file__).resolve().parents[2]
HEAD = "a" * 40
BASE = "b" * 40
SUITE = [
    {
        "id": 1,
        "entity": "本社",
        "category": "出張",
        "question": "国内出張の日当はいくらですか？",
        "answer": "2,500円です。",
    },
    {
        "id": 2,
        "entity": "支店",
        "category": "出張",
        "question": "国内出張の日当はいくらですか？",
        "answer": "1,800円です。",
    },
]
CONFIG = """\
suite: tests/rag/*.json
app:
  base_url: {app}
  inputs: {{Entity: "${{entity}}", Category: "${{category}}"}}
judge: {{provider: openai, model: judge-1, base_url: {judge}}}
report: {{language: ja}}
gate: {{minimum: {{correctness: 1.5}}}}
"""


class World:
    """One repository on one GitHub, with an app, a judge and a workspace."""

    def __init__(self, folder, app, judge, github):
        self.folder = folder
        self.app = app
        self.judge = judge
        self.github = github
        self.runs = 100
        self.config = CONFIG.format(app=app.base_url, judge=judge.url)
        self.write("ragjudge.yml", self.config)
        self.write("tests/rag/suite.json", json.dumps(SUITE, ensure_ascii=False))
        github.token = TOKEN
        github.files[BASE, "ragjudge.yml"] = self.config.encode()
        github.pulls[7] = Pull(head_sha=HEAD)

    def write(self, name, text):
        path = self.folder / "workspace" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def run(self, event="pull_request", payload=None, *, environ=None, **inputs):
        """One step: exit code, log, outputs, summary."""
        given, files = self.environ(event, payload, environ=environ, **inputs)
        log = io.StringIO()
        code = run(given, log)
        return Step(code, log.getvalue(), files)

    def environ(self, event="pull_request", payload=None, *, environ=None, **inputs):
        """The variables that GitHub would set, and the folder of the step's files."""
        self.runs += 1
        files = self.folder / f"run-{self.runs}"
        files.mkdir()
        (files / "event.json").write_text(json.dumps(payload or pull_request()), "utf-8")
        given = {
            "dify_api_key": APP_KEY,
            "judge_api_key": JUDGE_KEY,
            "github_token": TOKEN,
            **inputs,
        }
        return {
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(files / "event.json"),
            "GITHUB_REPOSITORY": "octo/app",
            "GITHUB_REF": "refs/heads/main",
            "GITHUB_SHA": "c" * 40,
            "GITHUB_ACTOR": "alice",
            "GITHUB_RUN_ID": str(self.runs),
            "GITHUB_RUN_ATTEMPT": "1",
            "GITHUB_RUN_NUMBER": str(self.runs - 90),
            "GITHUB_API_URL": self.github.url,
            "GITHUB_GRAPHQL_URL": f"{self.github.url}/graphql",
            "GITHUB_SERVER_URL": "https://github.example",
            "GITHUB_OUTPUT": str(files / "output"),
            "GITHUB_STEP_SUMMARY": str(files / "summary"),
            **{f"INPUT_{name.upper().replace('_', '-')}": value for name, value in given.items()},
            **(environ or {}),
        }, files

    def everything_written(self):
        """Each byte that a run left anywhere but in the event file."""
        kept = [p for p in self.folder.rglob("*") if p.is_file() and p.name != "event.json"]
        return "\n".join(p.read_text("utf-8", "replace") for p in kept)


class Step:
    def __init__(self, code, log, files):
        self.code = code
        self.log = log
        output, summary = files / "output", files / "summary"
        self.outputs = read_outputs(output.read_text("utf-8")) if output.exists() else {}
        self.summary = summary.read_text("utf-8") if summary.exists() else ""


def pull_request(head_repo="octo/app", private=True, **more):
    return {
        "action": "synchronize",
        "repository": {"default_branch": "main", "private": private, "full_name": "octo/app"},
        "pull_request": {
            "number": 7,
            "head": {"ref": "feature", "sha": HEAD, "repo": {"full_name": head_repo}},
            "base": {"ref": "main", "sha": BASE},
            **more,
        },
    }


def push():
    return {"repository": {"default_branch": "main", "private": True, "full_name": "octo/app"}}


@pytest.fixture
def world(tmp_path, monkeypatch):
    app = DemoServer(load_app(APP), load_corpus(CORPUS), ServerOptions(api_key=APP_KEY))
    (tmp_path / "workspace").mkdir()
    monkeypatch.chdir(tmp_path / "workspace")
    with app, JudgeServer() as judge, FakeGitHub() as github:
        yield World(tmp_path, app, judge, github)


def test_a_pull_requests_story(world):
    """First run: a comment, nothing to compare with. Baseline. Same app: same comment, passed. Broken app: failed."""
    first = world.run()
    stored = world.run("push", push())
    second = world.run()
    world.app.publish(load_app(DEGRADED_APP))
    third = world.run()

    assert [0, 0, 0] == [first.code, stored.code, second.code]
    assert ["no_baseline", "true", "passed"] == [
        first.outputs["verdict"],
        stored.outputs["baseline-updated"],
        second.outputs["verdict"],
    ]
    assert len(world.github.bodies(7)) == 1
    assert first.outputs["comment-url"] == second.outputs["comment-url"] == third.outputs["comment-url"] != ""
    assert (third.code, third.outputs["verdict"]) == (1, "failed")
    assert json.loads(third.outputs["regressed-cases"])
    assert third.outputs["cases-total"] == "2"
    assert Path(third.outputs["report-path"]).read_text("utf-8")
    assert Path(third.outputs["results-path"]).exists()
    assert set(json.loads(third.outputs["means"])) >= {"correctness", "faithfulness"}


def test_no_secret_appears_anywhere(world):
    """Not in the log (but for the masking itself), a file, an output, the summary, the comment or a stored result."""
    step = world.run()
    world.run("push", push())

    log = "\n".join(line for line in step.log.splitlines() if not line.startswith("::add-mask::"))
    told = log + world.everything_written() + "".join(world.github.bodies(7))
    for secret in (APP_KEY, JUDGE_KEY, TOKEN, "app-Secret%2Fkey"):
        assert f"::add-mask::{secret}".replace("%", "%25") in step.log or "%" in secret
        assert secret not in told


def test_an_app_that_echoes_the_key_leaks_nothing(world):
    """The question itself holds the key, as an app's error might."""
    suite = [{"id": 1, "question": f"鍵は {APP_KEY} ですか？", "answer": f"はい、{JUDGE_KEY} です。"}]
    world.write("tests/rag/suite.json", json.dumps(suite, ensure_ascii=False))
    given = world.folder / "workspace/tests/rag/suite.json"

    step = world.run()
    given.unlink()

    log = "\n".join(line for line in step.log.splitlines() if not line.startswith("::add-mask::"))
    told = log + world.everything_written() + "".join(world.github.bodies(7))
    assert APP_KEY not in told
    assert JUDGE_KEY not in told


@pytest.mark.parametrize("way", [quote, lambda key: lower(quote(key, safe="")), html.escape, json.dumps])
def test_a_server_that_echoes_the_key_in_another_form_leaks_nothing(world, way):
    """As a gateway does in the address that it refuses."""
    world.judge.answer = lambda _: Fault(403, {"message": f"denied: /login?key={way(JUDGE + '&/x')}"})

    step = world.run(judge_api_key=JUDGE + "&/x")

    log = "\n".join(line for line in step.log.splitlines() if not line.startswith("::add-mask::"))
    told = log + world.everything_written() + "".join(world.github.bodies(7))
    assert step.code == 2
    assert "denied" in told
    assert "JudgeSecret" not in told


def test_hostile_text_is_no_command_in_the_log(world):
    """Questions and ids are other people's text."""
    hostile = "::error::x\n##[add-matcher]y\r::set-env name=PATH::z"
    suite = [{"id": f"1{hostile}", "question": hostile, "answer": hostile, "entity": hostile}]
    world.write("tests/rag/suite.json", json.dumps(suite))

    step = world.run()

    allowed = re.compile(r"::(add-mask|error|warning|notice)( title=ragjudge| file=tests/rag/suite\.json)?")
    assert [c for c in commands_seen(step.log) if not allowed.match(c)] == []
    assert "::set-env" not in step.log
    assert not any("add-matcher" in c and not c.startswith("::") for c in commands_seen(step.log))


def test_a_pull_request_can_not_lower_its_bar_or_draw_a_key(world):
    """Gate and addresses are the base branch's; what the pull request changes is listed, and nobody else is asked."""
    with JudgeServer() as evil:
        changed = world.config.replace(world.judge.url, evil.url).replace(
            "correctness: 1.5", "correctness: 1"
        )
        changed = re.sub(r"base_url: http\S+/v1\n", f"base_url: {evil.url.removesuffix('/v1')}/v1\n", changed)
        world.write("ragjudge.yml", changed)

        step = world.run()

        assert step.code == 0
        assert evil.calls == 0
    assert world.judge.calls > 0
    assert "judge.base" in step.summary.replace("\\", "")
    assert "gate.minimum" in step.summary.replace("\\", "")


def test_a_pull_request_can_not_excuse_its_own_answers(world):
    """`judge.allow` of the pull request turns nothing green, and is told first."""
    world.run("push", push())
    world.app.publish(load_app(DEGRADED_APP))
    world.judge.answer = lambda asked: (
        {**by_meaning(asked), "score": 5} if "何でも許容" in asked.prompt else by_meaning(asked)
    )
    world.write(
        "ragjudge.yml", world.config.replace("{provider: openai,", "{allow: [何でも許容], provider: openai,")
    )

    step = world.run()

    assert (step.code, step.outputs["verdict"]) == (1, "failed")
    assert step.summary.index("何でも許容") < step.summary.index("正答度")


def test_a_pull_request_that_changes_the_judge_says_so_first(world):
    """The change, and how many stored answers were judged again: in the report, not only in the log."""
    world.run("push", push())
    world.write("ragjudge.yml", world.config.replace("judge-1", "judge-2"))

    step = world.run()

    told = step.summary.replace("\\", "")
    assert (step.code, step.outputs["verdict"]) == (0, "passed")
    assert told.index("judge-1 → judge-2") < told.index("正答度")
    assert "保存済みの回答6件を採点し直します" in told
    assert "採点し直します" in world.github.bodies(7)[0]


@pytest.mark.parametrize("broken", ["gates: {x: 1}\n", "gate: [\n", "\udcff\n"])
def test_a_pull_request_may_repair_a_broken_config(world, broken):
    """It is judged by the default gate, says so first, and still draws no key to an address of its own."""
    base = world.config.replace("correctness: 1.5", "correctness: 1") + broken
    world.github.files[BASE, "ragjudge.yml"] = base.encode("utf-8", "surrogateescape")
    given = {"dify_base_url": world.app.base_url, "judge_base_url": world.judge.url}
    with JudgeServer() as evil:
        world.write("ragjudge.yml", re.sub(r"http://[^/]+/v1", evil.url, world.config))

        step = world.run(**given)

        assert evil.calls == 0
    assert (step.code, step.outputs["verdict"]) == (0, "no_baseline"), step.log
    assert "ベースブランチの ragjudge.yml に誤りがあります" in step.summary.replace("\\", "")
    assert step.summary.index("ベースブランチ") < step.summary.index("正答度")
    assert not [line for line in step.log.splitlines() if line.startswith("::error")]


@pytest.mark.parametrize("event", ["pull_request_review", "pull_request_review_comment"])
def test_a_review_starts_a_check_of_a_pull_request_like_any_other(world, event):
    """With `mode: check` the addresses are the base branch's; with `update-baseline` nothing is stored."""
    of_pull = {"GITHUB_REF": "refs/pull/7/merge"}
    with JudgeServer() as evil:
        world.write("ragjudge.yml", world.config.replace(world.judge.url, evil.url))

        checked = world.run(event, environ=of_pull, mode="check")
        updated = world.run(event, environ=of_pull, mode="update-baseline")

        assert evil.calls == 0
    assert [checked.code, updated.code] == [0, 2]
    assert "judge.base" in checked.summary.replace("\\", "")
    assert world.github.refs == {}


def test_a_fork_without_secrets_is_not_judged(world):
    """Green, titled so, nothing sent; a wrong suite is still red."""
    fork = {"dify_api_key": "", "judge_api_key": ""}
    step = world.run(payload=pull_request("stranger/app"), **fork)

    assert (step.code, step.outputs["verdict"]) == (0, "skipped")
    assert "NOT JUDGED" in step.summary
    assert world.judge.calls == 0
    world.write("tests/rag/suite.json", "[{]")
    assert world.run(payload=pull_request("stranger/app"), **fork).code == 2


def test_an_empty_secret_of_the_own_repository_is_an_error(world):
    """Never skipped: a renamed secret must not make every check green."""
    step = world.run(dify_api_key="")

    assert step.code == 2
    assert "APIキー" in step.outputs["exit-reason"]
    assert "APIキー" in step.summary
    assert len(world.github.bodies(7, BOT)) == 1


@pytest.mark.parametrize("event", ["push", "schedule", "workflow_dispatch", "merge_group", "pull_request"])
def test_missing_secrets_are_green_on_dependabots_pull_requests_alone(world, event):
    """A schedule whose actor is Dependabot would be green for ever, and judge nothing."""
    payload = pull_request() if event == "pull_request" else push()
    bot = {"GITHUB_ACTOR": "dependabot[bot]"}

    step = world.run(event, payload, environ=bot, dify_api_key="", judge_api_key="")

    assert step.code == (0 if event == "pull_request" else 2)
    assert step.outputs["verdict"] == ("skipped" if event == "pull_request" else "")


def test_without_the_right_to_comment_the_check_counts(world):
    """403 on the comment: the verdict is unchanged, the summary holds the report, the log a hint."""
    world.github.fail_next(
        "POST", "comments", 403, body={"message": "Resource not accessible by integration"}, times=9
    )

    step = world.run()

    assert (step.code, step.outputs["verdict"], step.outputs["comment-url"]) == (0, "no_baseline", "")
    assert "pull-requests: write" in step.log
    assert step.summary


def test_a_judge_out_of_quota_is_inconclusive(world):
    """Exit 3, said in the comment too, so that no old result stands there."""
    world.run()
    quota = {"message": "You exceeded your current quota", "code": "insufficient_quota"}
    world.judge.answer = lambda _: Fault(429, quota)

    step = world.run()

    assert (step.code, step.outputs["verdict"]) == (3, "inconclusive")
    assert ["ragjudge" in body for body in world.github.bodies(7)] == [True]
    assert "no_baseline" not in world.github.bodies(7)[0]


@pytest.mark.parametrize(("fail_on", "code"), [("regression", 1), ("never", 0)])
def test_fail_on_never_reports_only(world, fail_on, code):
    """A team may look first and gate later."""
    world.run("push", push())
    world.app.publish(load_app(DEGRADED_APP))

    step = world.run(fail_on=fail_on)

    assert (step.code, step.outputs["verdict"]) == (code, "failed")


def test_validate_asks_nobody(world):
    """Suite and settings alone."""
    step = world.run("workflow_dispatch", push(), mode="validate")

    assert (step.code, step.outputs["cases-total"], world.judge.calls) == (0, "2", 0)


def test_chosen_cases_only(world):
    """The `cases` input of a run by hand; an unknown id is an error."""
    assert world.run("workflow_dispatch", push(), cases="2").outputs["cases-total"] == "1"
    assert world.run("workflow_dispatch", push(), cases="3").code == 2


def test_cases_that_were_not_chosen_are_not_removed(world):
    """A run of one case against a baseline of two passes, and can't become the baseline."""
    world.run("push", push())

    step = world.run("workflow_dispatch", push(), cases="2")

    assert (step.code, step.outputs["verdict"]) == (0, "passed")
    assert world.run("push", push(), cases="2").code == 2


def test_a_wrong_event_is_one_sentence(world):
    """Exit 2 without a traceback."""
    step = world.run("issues", push())

    assert step.code == 2
    assert "issues" in step.outputs["exit-reason"]
    assert "Traceback" not in step.log


def test_a_public_repository_shows_no_content(world):
    """Questions and answers stay out of what everybody can read."""
    step = world.run(payload=pull_request(private=False))

    told = step.summary + step.log + "".join(world.github.bodies(7))
    assert step.code == 0
    assert "日当" not in told
    kept = "".join(path.read_text("utf-8") for path in Path(".ragjudge").iterdir())
    assert "日当を支給します" not in kept
    assert not list(Path(".ragjudge").glob("journal*"))


def test_a_pull_request_can_not_publish_what_the_app_answers(world):
    """`report.content: full` of its own holds after the merge; `scores` holds at once."""
    full = world.config.replace("language: ja", "language: ja, content: full")
    world.write("ragjudge.yml", full)

    opened = world.run(payload=pull_request(private=False))
    kept = in_the_artifact(world)
    world.write("ragjudge.yml", full.replace("full", "scores"))
    closed = world.run(payload=pull_request(private=True))
    world.write("ragjudge.yml", full)
    world.github.files[BASE, "ragjudge.yml"] = full.encode()
    reviewed = world.run(payload=pull_request(private=False))

    assert "report.content: scores → full" in opened.summary
    assert ["日当" in text for text in (opened.summary, kept, closed.summary, reviewed.summary)] == [
        False,
        False,
        False,
        True,
    ]


@pytest.mark.parametrize(("private", "shown"), [(True, True), (False, False)])
def test_a_schedules_bare_event_is_completed_by_asking(world, private, shown):
    """Its payload names no repository: visibility decides about content, the default branch about the baseline."""
    world.github.private = private
    world.run("push", push())

    step = world.run("schedule", {"schedule": "17 18 * * *"}, environ={"GITHUB_REF": "refs/heads/main"})

    assert (step.code, step.outputs["verdict"]) == (0, "passed")
    assert ("日当" in step.summary) is shown


def test_a_public_repositorys_failed_check_keeps_its_numbers_only(world):
    """Confirmations stay as scores, so that the report can be recomputed."""
    public = {**push(), "repository": {**push()["repository"], "private": False}}
    world.run("push", public)
    world.app.publish(load_app(DEGRADED_APP))

    step = world.run("workflow_dispatch", public)

    run = codec.loads(Path(".ragjudge/results.json").read_bytes())
    assert step.code == 1
    assert [True] == [len(case.confirmations) > 0 for case in run.cases if case.case.id == "2"]
    assert all(s.answer.text.startswith("sha256:") for c in run.cases for s in (*c.samples, *c.confirmations))


@pytest.mark.slow
def test_each_base_branch_has_its_own_baseline(world):
    """A pull request into a release branch is not compared with main."""
    world.run("push", push())
    to_release = pull_request(base={"ref": "release/1", "sha": BASE})

    assert world.run(payload=to_release).outputs["verdict"] == "no_baseline"
    world.run("push", push(), environ={"GITHUB_REF": "refs/heads/release/1"}, mode="update-baseline")
    assert world.run(payload=to_release).outputs["verdict"] == "passed"
    assert world.run().outputs["verdict"] == "passed"


def test_a_pull_requests_own_copy_of_the_baseline_file_decides_nothing(world):
    """With `file:` the base branch's version counts."""
    world.run("push", push(), baseline="file:b.json")
    good = Path(".ragjudge/baseline/b.json").read_bytes()
    world.app.publish(load_app(DEGRADED_APP))
    world.run("push", push(), baseline="file:b.json")
    world.write("b.json", Path(".ragjudge/baseline/b.json").read_text("utf-8"))

    unknown = world.run(baseline="file:b.json")
    world.github.files[BASE, "b.json"] = good
    step = world.run(baseline="file:b.json")

    assert [unknown.outputs["verdict"], step.outputs["verdict"]] == ["no_baseline", "failed"]


def test_a_baseline_for_a_file_is_left_to_be_committed(world):
    """In the workspace it would be gone with the job: it is in the artifact, and nothing claims to be updated."""
    before = {path for path in Path().rglob("*") if ".ragjudge" not in path.parts}

    step = world.run("push", push(), baseline="file:base/b.json")

    assert (step.code, step.outputs["baseline-updated"]) == (0, "false")
    assert ".ragjudge/baseline/b.json" in step.log
    assert {path for path in Path().rglob("*") if ".ragjudge" not in path.parts} == before
    world.write("base/b.json", Path(".ragjudge/baseline/b.json").read_text("utf-8"))
    assert world.run("workflow_dispatch", push(), baseline="file:base/b.json").outputs["verdict"] == "passed"


@pytest.mark.parametrize("place", ["../x.json", "/tmp/x.json", "a/../../x.json"])
def test_a_baseline_file_stays_inside_of_the_repository(world, place):
    """Neither read nor written elsewhere."""
    step = world.run("push", push(), baseline=f"file:{place}")

    assert step.code == 2
    assert world.judge.calls == 0
    assert not (world.folder / "x.json").exists()


def test_the_baseline_never_goes_into_a_branch_of_code(world):
    """`branch:main` would overwrite what everybody works on."""
    step = world.run("push", push(), baseline="branch:main")

    assert step.code == 2
    assert not world.github.made("POST")


def test_a_data_branch_that_may_not_be_written_is_said(world):
    """`contents: write` is missing: red, with the line to add; the run's results are kept."""
    world.github.fail_next(
        "POST", "git/blobs", 403, body={"message": "Resource not accessible by integration"}, times=9
    )

    step = world.run("push", push())

    assert step.code == 2
    assert "contents: write" in step.outputs["exit-reason"]
    assert Path(".ragjudge/results.json").exists()


def stopped_by(world, how, payload):
    """A step in a process of its own that is sent a signal once an answer is being judged."""

    def quick_once(asked):
        world.judge.delay = 30.0
        return by_meaning(asked)

    world.judge.answer = quick_once
    environ, files = world.environ(payload=payload)
    workspace = world.folder / "workspace"
    step = subprocess.Popen(
        [sys.executable, str(ROOT / "entrypoint.py")],
        env={**environ, "GITHUB_WORKSPACE": str(workspace), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    give_up = time.monotonic() + 60
    while time.monotonic() < give_up and len(world.judge.log) < 3:
        time.sleep(0.05)
    step.send_signal(how)
    log, _ = step.communicate(timeout=60)
    return Step(step.returncode, log, files)


def test_a_cancelled_job_says_so_and_keeps_what_was_paid(world):
    """SIGTERM in the middle: 143, the comment says cancelled, the journal holds the first answers whole."""
    told = stopped_by(world, signal.SIGTERM, pull_request())

    journal = world.folder / "workspace/.ragjudge/journal.jsonl"
    assert told.code == 143, told.log
    assert "キャンセル" in told.outputs["exit-reason"]
    assert ["キャンセル" in body for body in world.github.bodies(7)] == [True]
    lines = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    assert len(lines) > 1


def in_the_artifact(world):
    return "".join(p.read_text("utf-8", "replace") for p in Path(".ragjudge").rglob("*") if p.is_file())


@pytest.mark.parametrize(("how", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_a_public_repositorys_run_leaves_no_answer_however_it_is_stopped(world, how, code):
    """The artifact is uploaded all the same, and everybody may download it."""
    told = stopped_by(world, how, pull_request(private=False))

    assert told.code == code, told.log
    assert "日当" not in in_the_artifact(world)
    assert "ジャーナル" not in told.outputs.get("exit-reason", "")


class BreaksAtTheReport(io.StringIO):
    """A log that fails once, as no log should, when the results are shown."""

    broke = False

    def write(self, text):
        if "基準なし" in text and not self.broke:
            self.broke = True
            raise RuntimeError
        return super().write(text)


def test_a_public_repositorys_run_that_fails_on_our_fault_leaves_no_answer(world):
    """A bug after the results are stored, in a workspace that is kept between jobs and was private once."""
    world.run()
    kept = Path(".ragjudge/journal.jsonl").read_text("utf-8")
    Path(".ragjudge/cache").mkdir(exist_ok=True)
    Path(".ragjudge/cache/verdicts.sqlite").write_text(kept, "utf-8")

    environ, _ = world.environ(payload=pull_request(private=False))

    assert run(environ, BreaksAtTheReport()) == 70
    assert "日当" in kept
    assert "日当を支給" not in in_the_artifact(world)
    assert {"sha256:"} == {
        s.answer.text[:7]
        for c in codec.loads(Path(".ragjudge/results.json").read_bytes()).cases
        for s in c.samples
    }


def test_a_merge_queue_is_checked_without_a_comment(world):
    """Held to its base branch like a pull request; nobody is written to."""
    payload = push() | {"merge_group": {"base_ref": "refs/heads/main", "base_sha": BASE, "head_sha": HEAD}}

    step = world.run("merge_group", payload)

    assert (step.code, step.outputs["verdict"]) == (0, "no_baseline")
    assert world.github.comments == {}
    assert {c.method for c in world.github.calls} == {"GET"}


def workflow_run(sha=HEAD, event="pull_request"):
    run = {"id": 55, "event": event, "head_sha": sha, "head_branch": "patch-1"}
    return push() | {"workflow_run": {**run, "head_repository": {"owner": {"login": "stranger"}}}}


def test_a_forks_result_is_told_by_the_second_workflow(world):
    """The first run can't write; what it left is told on its pull request, found by head and commit."""
    fork = {"dify_api_key": "", "judge_api_key": ""}
    world.run(payload=pull_request("stranger/app"), **fork)
    data = Path(".ragjudge/not-judged.json").read_bytes()
    world.github.comments.clear()
    world.github.pulls = {
        6: Pull(head_sha="f" * 40, head_ref="patch-1", head_repo="stranger/app"),
        7: Pull(head_sha=HEAD, head_ref="patch-1", head_repo="stranger/app"),
    }
    world.github.add_artifact(55, "ragjudge", {"not-judged.json": data})

    step = world.run("workflow_run", workflow_run())

    assert (step.code, step.outputs["verdict"], step.outputs["cases-total"]) == (0, "skipped", "2")
    assert ["NOT JUDGED" in body for body in world.github.bodies(7)] == [True]
    assert world.github.bodies(6) == []


FAULTS = {
    "suite": ("tests/rag/suite.json", "[{}]", "suite.json:1"),
    "settings": ("ragjudge.yml", "suite: tests/rag/*.json\ngates: {}\n", "「gates」"),
    "settings that are no text": ("ragjudge.yml", b"\xff\xfe\x00".decode("latin-1"), "ragjudge.yml"),
    "app": ("dify/bot.yml", "kind: nothing\n", "dify/bot"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_broken_in_a_forks_change_is_told_by_the_second_workflow(world, fault):
    """The first run ends with exit 2 and can't comment; the reader needs every problem and its place all the same."""
    file, text, says = FAULTS[fault]
    world.config += "dsl: dify/*.yml\n"
    world.github.files[BASE, "ragjudge.yml"] = world.config.encode()
    world.write("ragjudge.yml", world.config)
    world.write("dify/bot.yml", APP.read_text("utf-8"))
    world.write(file, text)

    first = world.run(payload=pull_request("stranger/app"), dify_api_key="", judge_api_key="")
    told = second_half(world)

    assert (first.code, told.code, told.outputs["verdict"]) == (2, 0, "skipped"), first.log
    [body] = world.github.bodies(7)
    assert "NOT JUDGED" in body
    assert says in body.replace("\u200b", "").replace("\\", "")


def second_half(world):
    """The second workflow, after the first one's upload."""
    files = {path.name: path.read_bytes() for path in Path(".ragjudge").iterdir() if path.is_file()}
    world.github.comments.clear()
    world.github.pulls = {7: Pull(head_sha=HEAD, head_ref="patch-1", head_repo="stranger/app")}
    world.github.add_artifact(55, "ragjudge", files)
    return world.run("workflow_run", workflow_run())


def test_hostile_faults_of_a_fork_are_escaped_and_bounded(world):
    """More problems than a comment holds, each with a stranger's words in it."""
    cases = [{"id": n, "question": "?", HOSTILE + "x" * 900: 1, "turns": HOSTILE * 40} for n in range(90)]
    world.write("tests/rag/suite.json", json.dumps(cases))

    first = world.run(payload=pull_request("stranger/app"), dify_api_key="", judge_api_key="")
    told = second_half(world)

    assert (first.code, told.code) == (2, 0)
    [body] = world.github.bodies(7)
    assert len(body) <= 65_536
    assert "<img" not in body
    assert "![a](" not in body
    assert "@octo" not in body


def test_a_fault_of_a_run_with_keys_is_told_by_itself(world):
    """Its own comment says it; nothing is left for anybody else."""
    world.write("tests/rag/suite.json", "[{}]")

    assert world.run().code == 2
    assert not Path(".ragjudge/not-judged.json").exists()


HOSTILE = '<img src=x> @octo/everyone closes #1 ![a](http://evil.example/a.png) ::error::x `"; id; "`'


def test_a_forks_artifact_is_hostile_data(world):
    """Its words are escaped, its paths unused, its size bounded; anything else than our file is nothing."""
    world.github.pulls[7] = Pull(head_sha=HEAD, head_ref="patch-1", head_repo="stranger/app")
    said = json.dumps({"suite": HOSTILE, "cases": 10**30, "problems": [HOSTILE * 20] * 60}).encode()
    world.github.add_artifact(55, "ragjudge", {"not-judged.json": said, "../../evil.sh": b"#!/bin/sh"})

    step = world.run("workflow_run", workflow_run())

    body = world.github.bodies(7)[0]
    assert step.code == 0
    assert "<img" not in body
    assert "![a](" not in body
    assert "@octo" not in body
    assert not list(world.folder.rglob("evil.sh"))


@pytest.mark.parametrize(
    "content",
    [
        b"no zip",
        {"other.json": b"{}"},
        {"not-judged.json": b"[1]"},
        {"not-judged.json": b" " * 300_000},
        None,
    ],
)
def test_an_artifact_that_is_none_of_ours_is_nothing_to_tell(world, content):
    """Damaged, foreign or absent: green, a sentence, no comment."""
    world.github.pulls[7] = Pull(head_sha=HEAD, head_ref="patch-1", head_repo="stranger/app")
    if content is not None:
        world.github.add_artifact(55, "ragjudge", content)

    assert world.run("workflow_run", workflow_run()).code == 0
    assert world.github.comments == {}


def test_a_finished_run_of_another_event_or_commit_is_nothing_to_tell(world):
    """A newer push, or a run that was no pull request's."""
    world.github.pulls[7] = Pull(head_sha="f" * 40, head_ref="patch-1", head_repo="stranger/app")

    assert world.run("workflow_run", workflow_run()).code == 0
    assert world.run("workflow_run", workflow_run(event="push")).code == 0
    assert world.github.comments == {}


def with_check_run(world):
    text = world.config.replace("report: {language: ja}", "report: {language: ja, check_run: true}")
    world.write("ragjudge.yml", text)
    world.github.files[BASE, "ragjudge.yml"] = text.encode()


def test_a_check_run_is_made_where_it_is_asked_for(world):
    """Green, then red with the cases on their lines; without the switch there is none."""
    world.run("push", push())
    assert world.github.check_runs == []
    with_check_run(world)
    passed = world.run()
    world.app.publish(load_app(DEGRADED_APP))
    failed = world.run()

    assert ["success", "failure"] == [run["conclusion"] for run in world.github.check_runs]
    green, red = (run["output"] for run in world.github.check_runs)
    assert [green["title"], red["title"]] == [passed.outputs["exit-reason"], failed.outputs["exit-reason"]]
    assert green["annotations"] == []
    assert {note["path"] for note in red["annotations"]} == {"tests/rag/suite.json"}
    assert {run["head_sha"] for run in world.github.check_runs} == {HEAD}


def test_without_the_right_to_make_a_check_run_the_verdict_stays(world):
    """403: a hint in the log, the same exit code."""
    with_check_run(world)
    world.github.fail_next("POST", "check-runs", 403, body={"message": "Resource not accessible"}, times=9)

    step = world.run()

    assert (step.code, step.outputs["verdict"]) == (0, "no_baseline")
    assert "checks: write" in step.log


def test_a_run_that_could_not_start_is_a_red_check_run(world):
    """An empty key: the reason stands where people look."""
    with_check_run(world)

    step = world.run(judge_api_key="")

    assert step.code == 2
    [run] = world.github.check_runs
    assert run["conclusion"] == "failure"
    assert run["output"]["title"]


def test_a_check_run_may_be_all_that_is_told(world):
    """`comment: off`: no call to the comments at all; `fail-on: never` shows grey."""
    world.run("push", push())
    with_check_run(world)
    world.app.publish(load_app(DEGRADED_APP))

    step = world.run(comment="off", fail_on="never")

    assert (step.code, step.outputs["verdict"]) == (0, "failed")
    assert (world.github.bodies(7), step.outputs["comment-url"]) == ([], "")
    assert [run["conclusion"] for run in world.github.check_runs] == ["neutral"]


def test_a_server_that_knows_nothing_newer_still_gets_its_comment(world):
    """GHES without GraphQL or check runs: 404s are no verdict."""
    with_check_run(world)
    world.github.fail_next("POST", "graphql", 404, times=99)
    world.github.fail_next("POST", "check-runs", 404, times=99)

    step = world.run()

    assert (step.code, len(world.github.bodies(7))) == (0, 1)


def test_comment_new_makes_one_per_run(world):
    """The conversation keeps each report."""
    world.run(comment="new")
    world.run(comment="new")

    assert len(world.github.bodies(7, BOT)) == 2
