"""Ragas' own metrics on the cases; runs in an environment with requirements/ragas.txt, which has no ragjudge.

Usage: theirs.py CASES.json BASE_URL. Prints {case: {metric: value or word}}.
"""

import asyncio
import json
import math
import sys
import warnings
from pathlib import Path

warnings.simplefilter("ignore")

from openai import AsyncOpenAI  # noqa: E402
from ragas.embeddings import OpenAIEmbeddings  # noqa: E402
from ragas.llms import llm_factory  # noqa: E402
from ragas.metrics.collections import (  # noqa: E402
    AnswerRelevancy,
    ContextPrecisionWithReference,
    ContextRecall,
    Faithfulness,
)


def calls(case):
    """Each metric's own arguments."""
    question, answer, reference = case["question"], case["answer"], case["reference"]
    contexts = [one["text"] for one in case["contexts"]]
    return {
        "answer_relevancy": {"user_input": question, "response": answer},
        "faithfulness": {"user_input": question, "response": answer, "retrieved_contexts": contexts},
        "context_recall": {"user_input": question, "retrieved_contexts": contexts, "reference": reference},
        "context_precision": {"user_input": question, "reference": reference, "retrieved_contexts": contexts},
    }


async def word_for(metric, arguments):
    try:
        value = float((await metric.ascore(**arguments)).value)
    except ValueError as refused:
        return f"error: {refused}"
    return "nan" if math.isnan(value) else value


async def main(cases, base_url):
    client = AsyncOpenAI(base_url=base_url, api_key="none")
    llm = llm_factory("ragas", client=client)
    embeddings = OpenAIEmbeddings(client=client, model="vectors")
    metrics = {
        "answer_relevancy": AnswerRelevancy(llm=llm, embeddings=embeddings, strictness=3),
        "faithfulness": Faithfulness(llm=llm),
        "context_recall": ContextRecall(llm=llm),
        "context_precision": ContextPrecisionWithReference(llm=llm),
    }
    places = asyncio.Semaphore(8)

    async def one(case):
        async with places:
            arguments = calls(case)
            found = {name: await word_for(metric, arguments[name]) for name, metric in metrics.items()}
        return case["id"], found

    print(json.dumps(dict(await asyncio.gather(*map(one, cases)))))


if __name__ == "__main__":
    asyncio.run(main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), sys.argv[2]))
