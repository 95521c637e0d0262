"""On a merge: the pull request's own stored results become the baseline where they can, else a new run, and why."""

import io
import json
import zipfile

import pytest

from ragjudge.baseline import codec as baselines
from ragjudge.demo.corpus import load_corpus
from ragjudge.demo.definition import load_app
from ragjudge.demo.packaged import APP, CORPUS, DEGRADED_APP
from ragjudge.demo.server import DemoServer, ServerOptions
from ragjudge.results import codec
from tests.github_server import FakeGitHub, Pull
from tests.integration.test_action import APP_KEY, BASE, HEAD, SUITE, World, pull_request, push
from tests.judge_server import JudgeServer

pytestmark = pytest.mark.slow

MERGED = "c" * 40


@pytest.fixture
def world(tmp_path, monkeypatch):
    """A pull request whose check was green, merged since, with what its run uploaded."""
    app = DemoServer(load_app(APP), load_corpus(CORPUS), ServerOptions(api_key=APP_KEY))
    (tmp_path / "workspace").mkdir()
    monkeypatch.chdir(tmp_path / "workspace")
    with app, JudgeServer() as judge, FakeGitHub() as github:
        world = World(tmp_path, app, judge, github)
        merge(world)
        yield world


def merge(world):
    """The check, its upload as actions/upload-artifact makes it, and the merge."""
    assert world.run().code == 0
    upload(world, results(world))
    world.github.files[HEAD, "ragjudge.yml"] = world.config.encode()
    world.github.pulls[7].merged_as = MERGED


def results(world):
    return (world.folder / "workspace/.ragjudge/results.json").read_bytes()


def upload(world, data, **run):
    world.github.add_artifact(world.github.add_run(HEAD, **run), "ragjudge", {"results.json": data})


def changed(world, change):
    """The pull request's results as they would be if `change` were true of them."""
    run = codec.loads(results(world))
    upload(world, codec.dumps(change(run)))


def stored(world):
    """The newest baseline on the data branch."""
    head = world.github.refs["heads/ragjudge-baseline"]
    tree = world.github.objects[head]["tree"]["sha"]
    (path,) = world.github.objects[tree]["entries"]
    return baselines.loads(world.github._blob_at(head, path), place=path)


def _confirmed(run):
    """The run as if every case had been asked again."""
    cases = [
        c.model_copy(update={"confirmations": (c.samples[0].model_copy(update={"attempt": "confirm-1"}),)})
        for c in run.cases
    ]
    return run.model_copy(update={"cases": tuple(cases)})


def closed(**more):
    return {**pull_request(merged=True, **more), "action": "closed"}


@pytest.mark.parametrize(("event", "payload"), [("push", push()), ("pull_request", closed())])
def test_the_merged_pull_requests_own_results_are_stored(world, event, payload):
    """Nothing is asked or judged, one repeat stays one repeat, and no confirmation gets into the baseline."""
    changed(world, _confirmed)
    asked = world.judge.calls

    step = world.run(event, payload)

    assert (step.code, step.outputs["baseline-updated"]) == (0, "true"), step.log
    assert "#7 の保存済みの結果" in step.log
    assert world.judge.calls == asked
    kept = stored(world)
    assert kept.run.run_id == codec.loads(results(world)).run_id
    assert (kept.run.repeats, kept.run.commit) == (1, HEAD)
    assert all(case.confirmations == () for case in kept.run.cases)


def test_without_actions_read_it_asks_anew_and_says_so(world):
    """403: a new run with `baseline.repeats`, and the permission is named."""
    world.github.fail_next("GET", "actions/runs", 403, body={"message": "Resource not accessible"}, times=9)

    step = world.run("push", push())

    assert step.code == 0
    assert "actions: read" in step.log
    assert stored(world).run.repeats == 3


def test_a_direct_push_asks_anew(world):
    """No pull request belongs to the commit."""
    world.github.pulls[7].merged_as = "d" * 40

    step = world.run("push", push())

    assert "マージ済みのプルリクエストがないため" in step.log
    assert stored(world).run.repeats == 3


def test_the_apps_own_files_count_and_their_digest_is_stored(world):
    """Another merge changed the DSL: the pull request's results are of another app. Its layout does not count."""
    config = world.config + "dsl: {files: [app.yml]}\n"
    world.write("ragjudge.yml", config)
    world.github.files[HEAD, "ragjudge.yml"] = config.encode()
    text = APP.read_text("utf-8")
    world.write("app.yml", text)
    world.github.files[HEAD, "app.yml"] = text.replace("top_k: 4", "top_k: 3").encode()

    anew = world.run("push", push())
    first = stored(world)
    world.write("app.yml", f"# a remark\n{text}")
    world.github.files[HEAD, "app.yml"] = f"# a remark\n{text}".encode()
    taken = world.run("push", push())

    assert "app.yml がプルリクエストの時点と異なります" in anew.log
    assert (first.run.repeats, stored(world).run.repeats, taken.code) == (3, 1, 0)
    assert first.dsl_digest
    assert first.dsl_digest == stored(world).dsl_digest


def test_results_of_a_fork_are_never_taken(world):
    """Whoever opened it decided what its run uploaded."""
    world.github.pulls[7].head_repo = "stranger/app"

    step = world.run("push", push())

    assert "フォーク" in step.log
    assert stored(world).run.repeats == 3


def test_an_edited_suite_or_config_asks_anew(world):
    """The merged tree is not what was judged: another merge came in between."""
    suite = json.loads((world.folder / "workspace/tests/rag/suite.json").read_text("utf-8"))
    suite[0]["answer"] = "3,000円です。"
    world.write("ragjudge.yml", world.config + "\n# another merge\n")

    step = world.run("push", push())

    assert "ragjudge.yml がプルリクエストの時点と異なります" in step.log
    world.write("tests/rag/suite.json", json.dumps(suite, ensure_ascii=False))
    world.write("ragjudge.yml", world.config)
    assert "このテストケースの結果" in world.run("push", push()).log


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda run: {"fingerprint": run.fingerprint.model_copy(update={"mode": "economic"})}, "mode"),
        (lambda run: {"fingerprint": run.fingerprint.model_copy(update={"language": "en"})}, "language"),
        (lambda run: {"fingerprint": run.fingerprint.model_copy(update={"metrics": {}})}, "metric_version"),
        (lambda run: {"stopped": "cut"}, "途中で終わっています"),
    ],
)
def test_results_that_are_no_baseline_are_not_taken(world, change, why):
    """Judged otherwise, or not whole: a new run, with the reason."""
    changed(world, lambda run: run.model_copy(update=change(run)))

    step = world.run("push", push())

    assert step.code == 0
    assert why in step.log
    assert stored(world).run.repeats == 3


def _bomb():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("results.json", b"[" * 300_000)
    return packed.getvalue()


def _damaged():
    packed = bytearray(_bomb())
    packed[60:90] = b"\xff" * 30
    return bytes(packed)


@pytest.mark.parametrize(
    "content",
    [b"no zip", _bomb(), _damaged(), {"../results.json": b"{}"}, {"results.json": b"{}"}],
    ids=["no zip", "deep", "damaged", "outside", "empty"],
)
def test_a_hostile_artifact_is_only_data(world, content):
    """It is skipped: the next run's results are taken, and nothing is written outside."""
    world.github.add_artifact(world.github.add_run(HEAD), "ragjudge", content)

    step = world.run("push", push())

    assert (step.code, "#7 の保存済みの結果" in step.log) == (0, True), step.log
    assert not (world.folder / "results.json").exists()


def test_a_new_run_of_another_version_is_refused(world):
    """Another pull request took the app: exit 3, one sentence, the baseline stays as it was."""
    changed(world, lambda run: run.model_copy(update={"stopped": "cut"}))
    world.app.publish(load_app(DEGRADED_APP))

    step = world.run("push", push())

    assert step.code == 3, step.log
    assert "判定したバージョン" in step.outputs["exit-reason"]
    assert "heads/ragjudge-baseline" not in world.github.refs
    assert world.run("workflow_dispatch", push(), mode="update-baseline").code == 0


def test_stored_results_hold_though_the_app_moved_on(world):
    """What was judged is what was merged, whatever the staging app serves now."""
    world.app.publish(load_app(DEGRADED_APP))

    step = world.run("push", push())

    assert step.code == 0
    assert stored(world).run.repeats == 1


def test_an_accepted_drop_is_stored_at_the_merge(world):
    """What the pull request's check let pass by `accept:` is no reason to refuse the baseline; without it it is."""
    world.run("push", push())
    world.app.publish(load_app(DEGRADED_APP))
    dropped = json.loads(world.run().outputs["regressed-cases"])
    assert dropped
    world.github.pulls[7].merged_as = "d" * 40
    assert world.run("push", push()).code == 1
    entries = "".join(f'  - {{case: "{case}", reason: 規程改定, until: 2999-12-31}}\n' for case in dropped)
    accepting = world.config + "accept:\n" + entries
    world.write("ragjudge.yml", accepting)
    world.github.files[BASE, "ragjudge.yml"] = accepting.encode()

    checked = world.run()
    updated = world.run("push", push())

    assert (checked.code, checked.outputs["verdict"]) == (0, "passed"), checked.log
    assert (updated.code, updated.outputs["baseline-updated"]) == (0, "true"), updated.log


@pytest.mark.parametrize("change", ["reference", "judge"])
def test_a_change_that_its_check_let_pass_is_stored_at_the_merge(world, change):
    """An edited reference, another judge: compared in the pull request, and no reason to refuse the cure."""
    world.github.pulls[7].merged_as = "d" * 40
    assert world.run("push", push()).code == 0
    before = stored(world)
    if change == "reference":
        edited = [SUITE[0] | {"answer": "日当は2,500円です。"}, SUITE[1]]
        world.write("tests/rag/suite.json", json.dumps(edited, ensure_ascii=False))
    else:
        world.config = world.config.replace("judge-1", "judge-2")
        world.write("ragjudge.yml", world.config)
        world.github.files[BASE, "ragjudge.yml"] = world.config.encode()
    merge(world)
    asked = world.judge.calls

    step = world.run("push", push())

    assert (step.code, step.outputs["baseline-updated"]) == (0, "true"), step.log
    assert world.judge.calls == asked
    assert stored(world).run.run_id != before.run.run_id
    by_hand = world.run("workflow_dispatch", push(), mode="update-baseline")
    assert (by_hand.code, by_hand.outputs["baseline-updated"]) == (0, "true"), by_hand.log


def test_a_public_repositorys_edited_reference_is_said_and_not_red(world):
    """Its baseline holds no answers to judge again."""
    public = {**push(), "repository": {**push()["repository"], "private": False}}
    world.github.pulls[7].merged_as = "d" * 40
    assert world.run("push", public).code == 0
    edited = [SUITE[0] | {"answer": "日当は2,500円です。"}, SUITE[1]]
    world.write("tests/rag/suite.json", json.dumps(edited, ensure_ascii=False))

    checked = world.run(payload=pull_request(private=False))
    updated = world.run("push", public)

    assert (checked.code, checked.outputs["verdict"]) == (0, "passed"), checked.log
    assert "正解が変わり" in checked.summary
    assert (updated.code, updated.outputs["baseline-updated"]) == (0, "true"), updated.log


LATER, LATER_HEAD = "d" * 40, "e" * 40


def another_merge(world):
    """Pull request 8, judged and merged after 7."""
    world.github.pulls[8] = Pull(head_sha=LATER_HEAD, head_ref="other", merged_as=LATER)
    payload = pull_request()
    payload["pull_request"] |= {"number": 8, "head": payload["pull_request"]["head"] | {"sha": LATER_HEAD}}
    assert world.run(payload=payload).code == 0
    run = world.github.add_run(LATER_HEAD)
    world.github.add_artifact(run, "ragjudge", {"results.json": results(world)})
    world.github.files[LATER_HEAD, "ragjudge.yml"] = world.config.encode()


@pytest.mark.parametrize("known", [True, False], ids=["compared", "not told"])
@pytest.mark.parametrize("uploaded", [True, False], ids=["stored results", "to be asked"])
def test_the_job_of_an_older_merge_never_replaces_a_newer_baseline(world, known, uploaded):
    """It waited in the queue, or somebody ran it again: only the history learns of it."""
    if known:
        world.github.main = [BASE, MERGED, LATER]
    another_merge(world)
    newer = world.run("push", push(), environ={"GITHUB_SHA": LATER})
    assert newer.outputs["baseline-updated"] == "true", newer.log
    before, asked = stored(world), world.judge.calls
    assert before.for_commit == LATER
    if not uploaded:
        world.github.workflow_runs.clear()

    late = world.run("push", push(), environ={"GITHUB_SHA": MERGED})

    if not known and not uploaded:
        assert late.outputs["baseline-updated"] == "true", "a new run is the newest that is known"
        return
    assert (late.code, late.outputs["baseline-updated"]) == (0, "false"), late.log
    assert LATER[:12] in late.outputs["exit-reason"]
    assert (stored(world).run, world.judge.calls) == (before.run, asked)
    assert len(stored(world).history) == uploaded
    again = world.run("push", push(), environ={"GITHUB_SHA": LATER})
    assert (again.code, again.outputs["baseline-updated"]) == (0, "true"), again.log


def test_a_pull_request_that_was_judged_early_and_merged_late_is_stored(world):
    """The order of the branch counts, not when the checks ran."""
    world.github.main = [BASE, LATER, MERGED]
    another_merge(world)
    assert world.run("push", push(), environ={"GITHUB_SHA": LATER}).outputs["baseline-updated"] == "true"

    payload = closed(merge_commit_sha=MERGED)
    step = world.run("pull_request", payload, environ={"GITHUB_SHA": "9" * 40})

    assert (step.code, step.outputs["baseline-updated"]) == (0, "true"), step.log
    assert (stored(world).for_commit, stored(world).run.commit) == (MERGED, HEAD)


def test_a_public_repository_stores_no_word_and_compares_all_the_same(world):
    """Questions, references, the team's fields and names of documents stay out of data branch and artifact."""
    public = {**push(), "repository": {**push()["repository"], "private": False}}
    suite = [{**case, "note": "社外秘"} for case in SUITE]
    world.write("tests/rag/suite.json", json.dumps(suite, ensure_ascii=False))
    assert world.run("push", public).code == 0
    kept = [baselines.dumps(stored(world)).decode(), results(world).decode()]

    same = world.run(payload=pull_request(private=False))
    suite[0]["question"] = suite[0]["question"].replace("？", "?")
    world.write("tests/rag/suite.json", json.dumps(suite, ensure_ascii=False))
    tidied = world.run(payload=pull_request(private=False))
    world.app.publish(load_app(DEGRADED_APP))
    worse = world.run(payload=pull_request(private=False))
    world.write("tests/rag/suite.json", json.dumps(suite[:1], ensure_ascii=False))
    removed = world.run(payload=pull_request(private=False))

    for word in ("日当", "2,500", "社外秘", "travel.md"):
        assert [word in text for text in kept] == [False, False]
    assert [step.outputs["verdict"] for step in (same, tidied, worse)] == ["passed", "passed", "failed"]
    assert json.loads(worse.outputs["regressed-cases"]) == ["2"]
    assert removed.code == 1


def test_a_refused_update_leaves_no_answer_in_a_public_artifact(world):
    """`report.content: scores` holds for the results of a run that was refused too."""
    changed(world, lambda run: run.model_copy(update={"stopped": "cut"}))
    world.github.pulls[7].merged_as = "d" * 40
    world.write("ragjudge.yml", world.config.replace("language: ja", "language: ja, content: scores"))
    world.run("push", push())
    world.app.publish(load_app(DEGRADED_APP))

    step = world.run("push", push())

    assert step.code == 1, step.log
    kept = codec.loads(results(world))
    texts = {s.answer.text[:7] for c in kept.cases for s in c.samples if s.answer is not None}
    assert texts == {"sha256:"}
    assert not (world.folder / "workspace/.ragjudge/previous").exists()
