"""Vectors from a server, and vectors without one."""

import asyncio
import math
import random

import pytest
from pydantic import SecretStr

from ragjudge.errors import JudgeCouldNotScore, JudgeMisconfigured
from ragjudge.judge.embeddings import OpenAIEmbedder, vectors_of
from ragjudge.judge.vectors import OfflineEmbedder, vector
from ragjudge.results.outcome import Cause
from ragjudge.settings import EmbeddingSettings, JudgeSettings
from tests.judge_server import Fault


@pytest.fixture
def embed(server, clock):
    def run(*batches, judge=None, **settings):
        async def whole():
            embedder = OpenAIEmbedder(
                EmbeddingSettings(model="vectors-1", **settings),
                judge=JudgeSettings(
                    **{"base_url": server.url, "api_key": SecretStr("k-judge"), **(judge or {})}
                ),
                clock=clock,
                random=random.Random(1),
            )
            try:
                return [await embedder.embed(batch) for batch in batches]
            finally:
                await embedder.close()

        return asyncio.run(whole())

    return run


def test_vectors_come_in_the_order_of_the_texts(embed, server):
    """One finite vector per text; tokens are counted."""
    (embedded,) = embed(["有休は何日ですか。", "有休は何日?"])

    assert 2 == len(embedded.vectors)
    assert 1 == embedded.usage.calls
    assert embedded.usage.prompt_tokens > 0
    assert "Bearer k-judge" == server.log[0].asked.headers["authorization"]


def test_an_embedding_server_of_its_own_never_gets_the_judges_key(embed, server):
    """A key goes to its own address only."""
    embed(["a"], base_url=server.url)

    assert "k-judge" not in server.log[0].asked.headers["authorization"]


@pytest.mark.parametrize(
    ("judge", "own", "key", "path", "version"),
    [
        (("", "v1"), {}, "k-judge", "/openai/deployments/vectors-1", "v1"),
        (("", "v1"), {"base_url": "", "api_key": "k"}, "k", "/openai/deployments/vectors-1", "v1"),
        (("/openai/deployments/chat", "v1"), {}, "k-judge", "/openai/deployments/vectors-1", "v1"),
        (("/openai/deployments/chat?api-version=v2", None), {}, "k-judge", "/openai/deployments/vectors-1", "v2"),
        (("/v1", None), {"base_url": "", "api_key": "k", "api_version": "v3"}, "k", "/openai/deployments/vectors-1", "v3"),
        (
            ("/v1", None),
            {"base_url": "/openai/deployments/e/embeddings?api-version=v4", "api_key": "k"},
            "k", "/openai/deployments/e", "v4",
        ),
    ],
)  # fmt: skip
def test_azure_embeddings_are_a_deployment_of_their_own(embed, server, judge, own, key, path, version):
    """At the judge's resource or at another, with its own API version where it has one."""
    root = server.url.removesuffix("/v1")
    if "base_url" in own:
        own = {**own, "base_url": root + own["base_url"], "api_key": SecretStr(own["api_key"])}
    embed(["a"], judge={"base_url": root + judge[0], "api_version": judge[1]}, **own)

    asked = server.log[0].asked
    assert (f"{path}/embeddings", version) == (asked.path, asked.query["api-version"])
    assert key == asked.headers["api-key"]


@pytest.mark.parametrize(
    "data",
    [
        [],
        [{"index": 0, "embedding": [0.0, 0.0]}],
        [{"index": 0, "embedding": [1.0, None]}],
        [{"index": 0, "embedding": [1.0, float("nan")]}],
        [{"index": 0, "embedding": []}],
        [{"index": 1, "embedding": [1.0]}],
        [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}],
        ["x"],
    ],
)
def test_vectors_that_mean_nothing_are_refused(embed, server, data):
    """M11: zero, not finite, missing, misplaced: not scored, no warning, no NaN."""
    server.answer = lambda _: {"data": data, "model": "vectors-1"}

    with pytest.raises(JudgeCouldNotScore) as raised:
        embed(["text"])

    assert Cause.EMBEDDING_UNUSABLE == raised.value.cause


def test_vectors_of_another_length_later_in_the_run_are_refused(embed, server):
    """M10: cosine only between vectors of one space."""
    lengths = iter((3, 4))
    server.answer = lambda _: {"data": [{"index": 0, "embedding": [1.0] * next(lengths)}]}

    with pytest.raises(JudgeCouldNotScore, match="vectors of 4 numbers after vectors of 3"):
        embed(["a"], ["b"])


def test_vectors_of_different_lengths_in_one_answer_are_refused():
    """The same within one answer, and order by index."""
    answer = {"data": [{"index": 1, "embedding": [2.0]}, {"index": 0, "embedding": [1.0]}]}

    assert ((1.0,), (2.0,)) == vectors_of(answer, 2)
    answer["data"][0]["embedding"] = [1.0, 2.0]
    assert "vectors of different lengths" == vectors_of(answer, 2)


def test_a_wrong_embedding_model_stops_the_run(embed, server):
    """Told apart like the judge's refusals."""
    server.answer = lambda _: Fault(404, {"message": "model not found", "code": "model_not_found"})

    with pytest.raises(JudgeMisconfigured):
        embed(["a"])


def test_offline_vectors_have_length_1_and_follow_the_wording():
    """Near texts are near; even a text of marks alone has a vector."""
    a, b, c = map(vector, ("有給休暇は何日ですか", "有給休暇は何日もらえますか", "会議室の予約方法"))

    def cosine(u, v):
        return sum(x * y for x, y in zip(u, v, strict=True))

    assert cosine(a, b) > 0.6 > 0.3 > cosine(a, c)
    for text in ("有給", "paid leave", "?!", ""):
        assert math.isclose(1.0, cosine(vector(text), vector(text)))


def test_offline_vectors_are_the_same_everywhere():
    """No hash seed, no library version in them."""
    embedded = asyncio.run(OfflineEmbedder().embed(["有休"]))

    assert vector("有休") == embedded.vectors[0]
