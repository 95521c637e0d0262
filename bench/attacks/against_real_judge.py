"""The attack set against a real judge: python -m bench.attacks.against_real_judge MODEL [ATTACKS]

Key and address come from OPENAI_API_KEY and OPENAI_BASE_URL. Prints every score that rose. About 12 calls per attack
and place, so the whole set costs about four thousand; ATTACKS takes a seeded sample of that many.
A real judge varies, so a rise of a single step is worth a look, not yet a proof.
"""

import asyncio
import os
import random
import sys
from collections import Counter

from pydantic import SecretStr

from bench.attacks.attacks import ATTACKS
from bench.attacks.trial import run
from ragjudge.judge.openai_judge import OpenAIJudge
from ragjudge.judge.vectors import OfflineEmbedder
from ragjudge.metrics.registry import build
from ragjudge.settings import JudgeSettings, MetricsSettings
from ragjudge.wiring import SystemClock


async def main(model: str, count: int | None) -> int:
    settings = JudgeSettings(
        provider="openai",
        model=model,
        base_url=os.environ.get("OPENAI_BASE_URL"),
        api_key=SecretStr(os.environ["OPENAI_API_KEY"]),
    )
    judge = OpenAIJudge(settings, clock=SystemClock(), random=random.Random(0))
    attacks = random.Random(0).sample(ATTACKS, count) if count else ATTACKS
    await judge.probe()
    try:
        results = await run(
            lambda language: build(MetricsSettings(), language), judge, OfflineEmbedder(), attacks=attacks
        )
    finally:
        await judge.close()
    lifted = [result for result in results if result.lifted]
    for result in lifted:
        print(f"{result.attack.id} in {result.place}: {result.metric} {result.before} → {result.after}")
    print(f"{len(attacks)} attacks, {len(results)} scores, {len(lifted)} lifted")
    print(dict(Counter(result.attack.family for result in lifted)))
    return 1 if lifted else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else None)))
