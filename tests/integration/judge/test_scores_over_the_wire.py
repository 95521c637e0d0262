"""The five metrics on a scripted server: real prompts, real sockets, real repairs."""

import asyncio
import random

import pytest
from pydantic import SecretStr

from ragjudge.judge.embeddings import OpenAIEmbedder
from ragjudge.judge.openai_judge import OpenAIJudge
from ragjudge.metrics import registry
from ragjudge.metrics.base import Gradable
from ragjudge.results.outcome import Scored
from ragjudge.settings import EmbeddingSettings, JudgeSettings, MetricsSettings
from tests import builders
from tests.fakes import FakeClock
from tests.judge_server import Fault, JudgeServer, Say, by_meaning

PASSAGES = (
    "経費申請は翌月5日までに経費システムで行います。承認は5営業日以内です。",
    "会議室の定員は6名から20名です。",
    "派遣社員の承認は不要です。",
)
CASE = builders.case(
    question="経費はいつまでに申請しますか。", reference="経費申請は翌月5日までに経費システムで行います。"
)


def scored(server, answers, **settings):
    """Each answer's outcomes by metric, all cases and metrics side by side."""

    async def story():
        clock = FakeClock()
        judge_settings = JudgeSettings(
            base_url=server.url, model="judge-1", api_key=SecretStr("k"), concurrency=20, timeout_s=300
        )
        judge = OpenAIJudge(judge_settings, clock=clock, random=random.Random(1))
        embedder = OpenAIEmbedder(
            EmbeddingSettings(model="vectors-1"), judge=judge_settings, clock=clock, random=random.Random(1)
        )
        metrics = registry.build(MetricsSettings(**settings), "ja")

        async def one(answer):
            item = Gradable(case=CASE, answer=builders.answer(answer, *PASSAGES), language="ja")
            outcomes = await asyncio.gather(*(metric.score(item, judge, embedder) for metric in metrics))
            return {metric.spec.name: outcome for metric, outcome in zip(metrics, outcomes, strict=True)}

        try:
            await judge.probe()
            return await asyncio.gather(*(one(answer) for answer in answers))
        finally:
            await judge.close()
            await embedder.close()

    return asyncio.run(story())


def values(outcomes):
    return {name: outcome.value for name, outcome in outcomes.items() if isinstance(outcome, Scored)}


@pytest.mark.parametrize("mode", ["standard", "economic"])
def test_good_wrong_and_evasive_answers_are_told_apart(mode):
    """The same scores in both modes, by far fewer calls in economic mode."""
    with JudgeServer() as server:
        good, wrong, evasive = scored(
            server,
            [
                "経費申請は翌月5日までに経費システムで行います。",
                "経費申請は翌月25日までに経費システムで行います。",
                "申し訳ありませんが、わかりません。",
            ],
            mode=mode,
        )
        calls = server.calls

    assert {"faithfulness": 1.0, "context_recall": 1.0, "context_precision": 1.0, "correctness": 5.0} == {
        name: value for name, value in values(good).items() if name != "answer_relevancy"
    }
    assert values(good)["answer_relevancy"] > 0.3
    assert 0.0 == values(wrong)["faithfulness"]
    assert values(wrong)["correctness"] < 3
    assert 0.0 == values(evasive)["answer_relevancy"]
    assert "faithfulness" not in values(evasive)
    assert 1.0 == values(evasive)["correctness"]
    assert calls <= (40 if mode == "standard" else 16)


def test_a_rough_server_leaves_no_case_without_a_score():
    """5 % refused for too many requests, 2 % failing, 2 % malformed: everything is scored in the end."""

    def rough(asked):
        roll = random.Random(asked.number).random()
        if roll < 0.05:
            return Fault(429, {"message": "slow down"}, {"Retry-After": "1"})
        if roll < 0.07:
            return Fault(500, {"message": "oops"})
        if roll < 0.09 and not asked.asks_again and not asked.path.endswith("/embeddings"):
            return Say("I would say that it is fine.")
        return by_meaning(asked)

    with JudgeServer(rough) as server:
        outcomes = scored(server, ["経費申請は翌月5日までに経費システムで行います。"] * 40)
        trouble = sum(exchange.status != 200 for exchange in server.log)

    assert trouble > 15
    assert 40 * 5 == sum(len(values(one)) for one in outcomes)
    assert any("repaired:asked_again" in o.notes for one in outcomes for o in one.values())
    assert {5.0} == {values(one)["correctness"] for one in outcomes}
