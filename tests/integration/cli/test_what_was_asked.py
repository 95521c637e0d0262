"""Which app answered, and where its passages came from: seen in the real stream, kept, compared and told."""

import json
import threading
import time

import pytest

from ragjudge.demo.definition import load_app
from ragjudge.demo.server import DemoServer, ServerOptions
from tests.integration.cli.conftest import APP_KEY, Team

INPUTS = {"Entity": "${entity}", "Category": "${category}"}


def publish_after(app, definition, answers: int) -> threading.Thread:
    """Somebody publishes another version as soon as so many questions have been searched for."""

    def wait_and_publish() -> None:
        while len(app.log.entries()) < answers:
            time.sleep(0.002)
        app.publish(definition)

    thread = threading.Thread(target=wait_and_publish, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "The app was published anew during the run"), ("ja", "実行中にアプリが公開し直されました")],
)
def test_a_run_during_which_the_app_was_published_anew_is_inconclusive(team, demo_files, language, said):
    """Half of the answers are another version's: exit 3, both versions named, no cause to blame the change."""
    team.config()
    assert 0 == team.ragjudge("baseline", "update", "--quiet")
    asked = len(team.app.log.entries())
    team.config(
        app={"base_url": team.app.base_url, "inputs": INPUTS, "concurrency": 1}, report={"language": language}
    )
    publishing = publish_after(team.app, load_app(demo_files / "app-degraded.yml"), asked + 3)

    code = team.ragjudge("check", "--quiet")
    publishing.join(timeout=10)

    ids = list(
        dict.fromkeys(s["answer"]["workflow_id"] for c in team.results()["cases"] for s in c["samples"])
    )
    report = team.report()
    assert (3, 2) == (code, len(ids))
    assert said in report
    assert all(workflow_id in report for workflow_id in ids)


def test_the_way_the_passages_came_is_kept_and_told(team):
    """In the results, in the baseline and in the report."""
    team.config()
    assert 0 == team.ragjudge("baseline", "update", "--quiet")
    stored = json.loads((team.folder / "baseline.json").read_text(encoding="utf-8"))
    assert 0 == team.ragjudge("check", "--quiet")

    for cases in (team.results()["cases"], stored["cases"]):
        assert {"retrieval_nodes"} == {s["answer"]["contexts"]["source"] for c in cases for s in c["samples"]}
    assert "the retrieval nodes' output" in team.report()


def test_the_models_and_tokens_of_each_node_are_kept(team):
    """As the stream shows them; no system prompt among them."""
    assert 0 == team.ragjudge("run", "--quiet")

    for case in team.results()["cases"]:
        nodes = case["samples"][0]["answer"]["node_usage"]
        assert nodes
        assert all(node["model"] and node["usage"]["prompt_tokens"] > 0 for node in nodes)


def test_why_there_are_no_passages_is_kept_and_told(team, demo_files, corpus, tmp_path):
    """A blocking reply of a chatflow that cites nothing: no empty list passed off as a result."""
    export = (demo_files / "app.yml").read_text(encoding="utf-8")
    silent = tmp_path / "silent.yml"
    silent.write_text(
        export.replace(
            "retriever_resource:\n      enabled: true", "retriever_resource:\n      enabled: false"
        ),
        encoding="utf-8",
    )
    with DemoServer(load_app(silent), corpus, ServerOptions(api_key=APP_KEY)) as app:
        quiet = Team(tmp_path, app, team.judge)
        quiet.config(
            app={"base_url": app.base_url, "inputs": INPUTS, "response_mode": "blocking"},
            metrics={"use": ["correctness", "faithfulness"]},
        )
        assert 0 == quiet.ragjudge("baseline", "update", "--quiet")
        stored = json.loads((tmp_path / "baseline.json").read_text(encoding="utf-8"))
        assert 0 == quiet.ragjudge("check", "--quiet")

    for cases in (quiet.results()["cases"], stored["cases"]):
        samples = [sample for case in cases for sample in case["samples"]]
        assert {"not_in_reply"} == {s["answer"]["contexts"]["cause"] for s in samples}
        assert {"not_applicable"} == {s["scores"]["faithfulness"]["kind"] for s in samples}
    assert "the reply holds no contexts" in quiet.report()
