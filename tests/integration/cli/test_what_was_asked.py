"""Which app answered, and where its passages came from: seen in the real stream, kept, compared and told."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ragjudge.demo.definition import load_app
from ragjudge.demo.server import DemoServer, ServerOptions
from tests import dify_events as ev
from tests.dify_app import CHAT
from tests.dify_server import Hang, Reply, ScriptedDify, json_reply, stream_reply
from tests.integration.cli.conftest import APP_KEY, Team

pytestmark = pytest.mark.slow

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


def test_a_run_during_which_the_app_was_published_anew_is_inconclusive(team, demo_files):
    """Half of the answers are another version's: exit 3, both versions named, no cause to blame the change."""
    team.config()
    assert 0 == team.ragjudge("baseline", "update", "--quiet")
    asked = len(team.app.log.entries())
    team.config(app={"base_url": team.app.base_url, "inputs": INPUTS, "concurrency": 1})
    publishing = publish_after(team.app, load_app(demo_files / "app-degraded.yml"), asked + 3)

    code = team.ragjudge("check", "--quiet")
    publishing.join(timeout=10)

    ids = list(
        dict.fromkeys(s["answer"]["workflow_id"] for c in team.results()["cases"] for s in c["samples"])
    )
    report = team.report()
    assert (3, 2) == (code, len(ids))
    assert "The app was published anew during the run" in report
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


@contextmanager
def in_background(server: ScriptedDify) -> Iterator[str]:
    """Serve from a thread of its own, for a command that has the foreground; gives the address."""
    address: list[str] = []
    up, leave = threading.Event(), []

    async def serve() -> None:
        done = asyncio.Event()
        leave.append((asyncio.get_running_loop(), done))
        async with server:
            address.append(server.url)
            up.set()
            await done.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    up.wait(5)
    try:
        yield address[0]
    finally:
        loop, done = leave[0]
        loop.call_soon_threadsafe(done.set)
        thread.join(5)


def test_a_question_that_never_gets_a_byte_leaves_a_partial_report(team):
    """Its own deadline; the others are answered, scored and told, and the run is inconclusive."""

    def reply(request) -> Reply:
        hangs = "日当" in request.json["query"]
        return Reply((Hang(),)) if hangs else stream_reply(*ev.rag_flow())

    server = ScriptedDify().app().on("POST", CHAT, reply)
    server.on("GET", "/conversations", json_reply({"data": [], "has_more": False}))
    with in_background(server) as url:
        team.config(app={"base_url": url, "timeout_s": 0.7}, metrics={"use": ["correctness"]})
        code = team.ragjudge("check", "--quiet")

    samples = {c["case"]["id"]: c["samples"][0] for c in team.results()["cases"]}
    failed = {case_id: s["failure"]["cause"] for case_id, s in samples.items() if s.get("failure")}
    scored = [case_id for case_id, s in samples.items() if s["scores"]]
    assert (3, {"app_timeout"}) == (code, set(failed.values()))
    assert 0 < len(failed) < 12 == len(failed) + len(scored)
    assert all(case_id in team.report() for case_id in failed)
