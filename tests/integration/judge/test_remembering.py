"""What a second run may take from the cache of the first: the same judge's verdicts, and no other's."""

import asyncio

import pytest

from ragjudge import wiring
from ragjudge.metrics import tasks
from ragjudge.metrics.prompting import Prompts
from ragjudge.settings import Settings
from tests import builders
from tests.dify_judge_app import DifyJudgeApp
from tests.fakes import FakeJournal, FakeProgress
from tests.judge_server import JudgeServer

KEY = "app-judge-0123456789"
FIELDS = {"question": "有休は何日ですか。", "reference": "20日です。", "context": "有休は20日です。"}
TASK = Prompts("ja").task(tasks.USEFULNESS, tasks.Usefulness, FIELDS, sample="1")


def run(out, judge, **sections):
    """The verdict, the vector and the judge's identity of one run, from a folder that keeps its cache."""
    app = {"base_url": "http://dify.example/v1", "api_key": "app-0123456789"}
    settings = Settings.model_validate({"app": app, "judge": {"api_key": KEY, **judge}, **sections})

    async def story():
        parts = wiring.parts(
            settings,
            builders.suite(builders.case()),
            language="ja",
            journal=FakeJournal(),
            progress=FakeProgress(),
            grading=wiring.grading(settings, progress=FakeProgress(), out=out),
        )
        try:
            await parts.judge.probe()
            reply = await parts.judge.ask(TASK)
            vectors = (await parts.embedder.embed(["a"])).vectors
            return reply.value.useful, vectors, parts.judge.identity
        finally:
            await parts.embedder.close()
            await parts.judge.close()

    return asyncio.run(story())


def opposite(asked):
    return {"reason": "r", "useful": False} if "useful" in asked.properties else None


def test_a_judge_elsewhere_is_another_judge_but_its_scores_are_comparable(tmp_path):
    """The same model name behind another address may be another model; its identity stays the same."""
    with JudgeServer() as here, JudgeServer(lambda a: opposite(a) or {"ready": True}) as there:
        first = run(tmp_path, {"provider": "openai", "model": "m", "base_url": here.url})
        again = run(tmp_path, {"provider": "openai", "model": "m", "base_url": here.url + "/"})
        other = run(tmp_path, {"provider": "openai", "model": "m", "base_url": there.url})

        assert (True, True, False) == (first[0], again[0], other[0])
        assert 3 == here.calls
        assert first[2] == other[2]


def test_vectors_of_another_address_are_other_vectors(tmp_path):
    """The embedding's own address, and the judge's where it has none."""
    with JudgeServer(dimensions=4) as here, JudgeServer(dimensions=8) as there:
        judge = {"provider": "openai", "model": "m", "base_url": here.url}
        first = run(tmp_path, judge, embedding={"model": "e"})
        again = run(tmp_path, judge, embedding={"model": "e", "base_url": here.url, "api_key": "k"})
        other = run(tmp_path, judge, embedding={"model": "e", "base_url": there.url, "api_key": "k"})
        moved = run(tmp_path, {**judge, "base_url": there.url}, embedding={"model": "e"})

        assert [4, 4, 8, 8] == [len(vectors[0]) for _, vectors, _ in (first, again, other, moved)]
        assert 1 == len(here.asked("/embeddings"))
        assert 1 == len(there.asked("/embeddings"))


def test_no_key_and_no_address_is_in_the_cache(tmp_path):
    """Keys of entries are digests."""
    with JudgeServer() as here:
        run(tmp_path, {"provider": "openai", "model": "m", "base_url": here.url}, embedding={"model": "e"})

    stored = b"".join(file.read_bytes() for file in (tmp_path / "cache").iterdir())
    assert b"useful" in stored
    assert b"127.0.0.1" not in stored
    assert KEY.encode() not in stored


@pytest.mark.parametrize("mode", ["advanced-chat", "workflow"])
def test_a_dify_judge_that_tells_its_version_is_remembered_until_it_is_published_anew(tmp_path, mode):
    """What changed in the app shows in the identity: no stale verdict, and a baseline that can't be compared."""
    with DifyJudgeApp(KEY, mode) as app:
        judge = {"provider": "dify", "base_url": app.base_url}
        first = run(tmp_path, judge)
        again = run(tmp_path, judge)
        asked = len(app.queries)
        app.workflow_id, app.answer = "published-anew", opposite
        anew = run(tmp_path, judge)

        assert (True, True, False) == (first[0], again[0], anew[0])
        assert 3 == asked
        assert {} == app.kept
        assert first[2] == again[2] != anew[2]
        assert "langgenius/openai/openai/gpt-4o-mini" in first[2].parameters["models"]


@pytest.mark.parametrize("mode", ["completion", "chat"])
def test_a_dify_judge_that_tells_no_version_is_asked_anew_in_each_run(tmp_path, mode):
    """It may have been edited since; `judge.model` names a version where the team keeps one."""
    with DifyJudgeApp(KEY, mode) as app:
        judge = {"provider": "dify", "base_url": app.base_url}
        first = run(tmp_path, judge)
        app.answer = opposite
        edited = run(tmp_path, judge)
        named = [run(tmp_path, {**judge, "model": version}) for version in ("v1", "v1", "v2")]

        assert (True, False) == (first[0], edited[0])
        assert {} == app.kept
        assert 4 + 5 == len(app.queries)
        assert named[0][2] == named[1][2] != named[2][2]
