"""What every judge keeps, the fake included: replies in the schema, one identity, errors from the tree."""

import asyncio
import json
import random
from contextlib import contextmanager

import pytest
from pydantic import SecretStr

from ragjudge.judge.cache import CachedJudge
from ragjudge.judge.dify_judge import DifyJudge
from ragjudge.judge.offline import OfflineJudge
from ragjudge.judge.openai_judge import OpenAIJudge
from ragjudge.judge.verdict_store import VerdictStore
from ragjudge.metrics import tasks, verdicts
from ragjudge.metrics.prompting import Prompts
from ragjudge.ports import JudgeReply
from ragjudge.results.fingerprint import JudgeIdentity
from ragjudge.settings import JudgeSettings
from tests import builders
from tests.fakes import FakeApp, FakeClock, FakeJudge
from tests.judge_server import JudgeServer

REPLY = {
    "verdicts": [
        {"index": 1, "reason": "r", "supported": True},
        {"index": 2, "reason": "r", "supported": False},
    ]
}


@contextmanager
def fake(_):
    yield FakeJudge(lambda _: REPLY)


@contextmanager
def offline(_):
    yield OfflineJudge()


@contextmanager
def openai(_):
    with JudgeServer() as server:
        settings = JudgeSettings(base_url=server.url, model="m", api_key=SecretStr("k"))
        yield OpenAIJudge(settings, clock=FakeClock(), random=random.Random(1))


@contextmanager
def dify(_):
    yield DifyJudge(FakeApp(lambda _: builders.answer(json.dumps(REPLY))), JudgeSettings(provider="dify"))


@contextmanager
def cached(folder):
    yield CachedJudge(OfflineJudge(), VerdictStore(folder / "verdicts.sqlite"))


@pytest.fixture(params=[fake, offline, openai, dify, cached], ids=lambda make: make.__name__)
def judge(request, tmp_path):
    with request.param(tmp_path) as made:
        yield made


def two_statements():
    fields = {
        "contexts": ["申請は5営業日以内に承認されます。"],
        "statements": ["申請は5営業日以内に承認されます。", "申請は15営業日以内に承認されます。"],
    }
    check = verdicts.support(2)
    return Prompts("ja").task(tasks.SUPPORT, tasks.Support, fields, sample="1", check=check)


def test_a_reply_fits_the_tasks_schema_and_check(judge):
    """One verdict per statement, usage and notes in their types."""

    async def story():
        await judge.probe()
        reply = await judge.ask(two_statements())
        await judge.close()
        return reply

    reply = asyncio.run(story())

    assert isinstance(reply, JudgeReply)
    assert isinstance(reply.value, tasks.Support)
    assert [True, False] == [verdict.supported for verdict in reply.value.verdicts]
    assert all(isinstance(note, str) for note in reply.notes)
    assert reply.usage.total_tokens >= 0


def test_the_identity_stands_after_the_probe(judge):
    """What is in a fingerprint does not change from call to call."""

    async def story():
        await judge.probe()
        before = judge.identity
        await judge.ask(two_statements())
        await judge.ask(two_statements())
        await judge.close()
        return before, judge.identity

    before, after = asyncio.run(story())

    assert isinstance(before, JudgeIdentity)
    assert before == after


def test_calls_side_by_side_do_not_mix(judge):
    """Ten at once each get their own reply."""

    async def story():
        await judge.probe()
        replies = await asyncio.gather(*(judge.ask(two_statements()) for _ in range(10)))
        await judge.close()
        return replies

    assert 10 == len({id(reply) for reply in asyncio.run(story())})


def test_closing_without_a_call_is_fine(judge):
    """Commands that judge nothing close what they made."""
    asyncio.run(judge.close())
