"""Calls and tokens per case in both modes at five contexts: python -m bench.economy.economy

The demo's questions with the five passages that its index finds, the reference as the answer (longer than the demo's
own), the real prompts, the offline judge. Tokens are estimated from the text that is really sent and received.
"""

import asyncio
import json
from collections import Counter
from pathlib import Path

import ragjudge.demo
from ragjudge.demo.corpus import load_corpus
from ragjudge.demo.retrieval import Index
from ragjudge.judge.offline import OfflineJudge
from ragjudge.judge.vectors import OfflineEmbedder
from ragjudge.metrics.base import Gradable
from ragjudge.metrics.costs import estimated_tokens
from ragjudge.metrics.plan import plan
from ragjudge.metrics.registry import build
from ragjudge.results.answer import Answer, Context, ContextSource, Retrieved
from ragjudge.settings import MetricsSettings
from ragjudge.suite.case import Case

DATA = Path(ragjudge.demo.__file__).parent / "data"
CONTEXTS = 5


class Counting(OfflineJudge):
    """Counts what goes to the judge and comes back, per task."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.sent: Counter[str] = Counter()
        self.received: Counter[str] = Counter()

    async def ask(self, task):
        reply = await super().ask(task)
        self.calls[task.name] += 1
        self.sent[task.name] += estimated_tokens(task.system) + estimated_tokens(task.user)
        self.received[task.name] += estimated_tokens(reply.value.model_dump_json())
        return reply


def items(language):
    index = Index(load_corpus(DATA / "corpus"))
    for entry in json.loads((DATA / "suite.json").read_text(encoding="utf-8")):
        if entry["question"].isascii() != (language == "en"):
            continue
        hits = index.search(entry["question"], top_k=CONTEXTS)
        passages = tuple(Context(rank=n, content=hit.passage.content) for n, hit in enumerate(hits, start=1))
        if len(passages) < CONTEXTS:
            continue
        contexts = Retrieved(source=ContextSource.RETRIEVAL_NODES, items=passages)
        case = Case(id=str(entry["id"]), question=entry["question"], reference=entry["answer"])
        yield Gradable(case, Answer(text=entry["answer"], contexts=contexts, latency_s=0.0), language)


async def measure(mode, language):
    judge, embedder = Counting(), OfflineEmbedder()
    metrics = build(MetricsSettings(mode=mode), language)
    cases = list(items(language))
    for item in cases:
        await asyncio.gather(*(metric.score(item, judge, embedder) for metric in metrics))
    count = len(cases)
    calls, sent, received = (sum(c.values()) / count for c in (judge.calls, judge.sent, judge.received))
    print(
        f"{mode:9} {language}: {calls:5.2f} calls, {sent:6.0f} + {received:4.0f} tokens per case ({count} cases)"
    )
    print("   per task:", ", ".join(f"{name} {n / count:.2f}" for name, n in sorted(judge.calls.items())))
    planned = plan((item.case for item in cases), metrics, contexts_per_case=CONTEXTS)
    print(f"   planned: {planned.calls / count:5.2f} calls, {planned.tokens / count:6.0f} tokens per case")


if __name__ == "__main__":
    for language in ("ja", "en"):
        for mode in ("standard", "economic"):
            asyncio.run(measure(mode, language))
