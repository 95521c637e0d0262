"""ragjudge's own metrics on the cases, through its real judge and embedder. Prints {case: {metric: value or word}}.

Usage: ours.py CASES.json BASE_URL standard|economic
"""

import asyncio
import json
import sys
from pathlib import Path
from random import Random

from pydantic import SecretStr

from ragjudge.errors import JudgeCouldNotScore
from ragjudge.judge.embeddings import OpenAIEmbedder
from ragjudge.judge.openai_judge import OpenAIJudge
from ragjudge.metrics.base import Gradable
from ragjudge.metrics.registry import build
from ragjudge.results.answer import (
    Answer,
    Context,
    ContextSource,
    MissingContexts,
    NotAvailable,
    Retrieved,
)
from ragjudge.results.outcome import Scored
from ragjudge.settings import EmbeddingSettings, JudgeSettings, MetricsSettings
from ragjudge.suite.case import Case
from ragjudge.wiring import SystemClock

RAGAS_METRICS = ("answer_relevancy", "faithfulness", "context_recall", "context_precision")


def gradable(case):
    passages = tuple(Context(rank=n, content=one["text"]) for n, one in enumerate(case["contexts"], start=1))
    contexts = (
        Retrieved(source=ContextSource.RETRIEVAL_NODES, items=passages)
        if passages
        else NotAvailable(cause=MissingContexts.NOTHING_RETRIEVED)
    )
    answer = Answer(text=case["answer"], contexts=contexts, latency_s=0.0)
    asked = Case(id=case["id"], question=case["question"], reference=case["reference"] or None)
    return Gradable(asked, answer, case["language"])


async def word_for(metric, item, judge, embedder):
    try:
        outcome = await metric.score(item, judge, embedder)
    except JudgeCouldNotScore as failure:
        return f"unscored: {failure.cause}"
    return outcome.value if isinstance(outcome, Scored) else f"not applicable: {outcome.reason}"


async def main(cases, base_url, mode):
    settings = JudgeSettings(
        provider="openai", model="ragjudge", base_url=base_url, api_key=SecretStr("none"), concurrency=8
    )
    judge = OpenAIJudge(settings, clock=SystemClock(), random=Random(0))
    embedder = OpenAIEmbedder(
        EmbeddingSettings(model="vectors"), judge=settings, clock=SystemClock(), random=Random(0)
    )
    wanted = MetricsSettings(use=RAGAS_METRICS, mode=mode)
    metrics = {language: build(wanted, language) for language in ("ja", "en")}
    await judge.probe()
    places = asyncio.Semaphore(8)

    async def one(case):
        async with places:
            item = gradable(case)
            found = await asyncio.gather(
                *(word_for(metric, item, judge, embedder) for metric in metrics[case["language"]])
            )
        return case["id"], dict(zip(RAGAS_METRICS, found, strict=True))

    try:
        print(json.dumps(dict(await asyncio.gather(*map(one, cases)))))
    finally:
        await judge.close()
        await embedder.close()


if __name__ == "__main__":
    asyncio.run(main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), sys.argv[2], sys.argv[3]))
