"""What the judge's tests share: a judge on a scripted server, and one task."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import SecretStr

from ragjudge.judge.openai_judge import OpenAIJudge
from ragjudge.metrics import tasks
from ragjudge.metrics.prompting import Prompts
from ragjudge.ports import JudgeReply, JudgeTask
from ragjudge.settings import JudgeSettings
from tests.fakes import FakeClock
from tests.judge_server import JudgeServer

KEY = "sk-test-0123456789abcdef"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def server():
    with JudgeServer() as running:
        yield running


@pytest.fixture
def ask(server, clock) -> Callable[..., Any]:
    """Run a coroutine function on a judge at the server; the judge is closed after."""

    def run(story: Callable[[OpenAIJudge], Any], **settings: Any) -> Any:
        made = {"base_url": server.url, "model": "judge-1", "api_key": SecretStr(KEY), **settings}

        async def whole() -> Any:
            judge = OpenAIJudge(JudgeSettings(**made), clock=clock, random=random.Random(1))
            try:
                return await story(judge)
            finally:
                await judge.close()

        return asyncio.run(whole())

    return run


def usefulness(context: str = "20日です。", language: str = "en", **more: Any) -> JudgeTask[tasks.Usefulness]:
    fields = {"question": "有休は何日ですか。", "reference": "20日です。", "context": context}
    return Prompts(language).task(tasks.USEFULNESS, tasks.Usefulness, fields, sample="1", **more)


def one(task: JudgeTask | None = None) -> Callable[[OpenAIJudge], Any]:
    """The story of a single question."""

    async def story(judge: OpenAIJudge) -> JudgeReply:
        return await judge.ask(task or usefulness())

    return story


async def probe(judge: OpenAIJudge) -> OpenAIJudge:
    await judge.probe()
    return judge
