"""A Dify app as the judge."""

import asyncio
import json
import re
from dataclasses import replace

import pytest

from ragjudge.dify import words
from ragjudge.errors import (
    AppCouldNotAnswer,
    AppMisconfigured,
    AppOutOfQuota,
    AppUnreachable,
    JudgeCouldNotScore,
    JudgeMisconfigured,
    JudgeOutOfQuota,
    JudgeUnreachable,
)
from ragjudge.judge.dify_judge import DifyJudge
from ragjudge.language import Text
from ragjudge.results.outcome import Cause
from ragjudge.settings import JudgeSettings
from tests import builders
from tests.fakes import FakeApp

from .conftest import usefulness

GOOD = json.dumps({"reason": "r", "useful": True})


def judged(answer, story="ask", task=None):
    app = FakeApp(answer)

    async def whole():
        judge = DifyJudge(app, JudgeSettings(provider="dify"))
        try:
            if story == "probe":
                await judge.probe()
                return judge.identity
            return await judge.ask(task or usefulness())
        finally:
            await judge.close()

    return asyncio.run(whole()), app


def says(text, **more):
    return lambda _: builders.answer(text, **more)


def test_the_app_gets_the_whole_task_and_its_reply_is_read_by_the_same_ladder():
    """System text, schema and material in one question; a fenced reply is fine."""
    reply, app = judged(says(f"```json\n{GOOD}\n```"))

    assert reply.value.useful
    assert ("repaired:fence",) == reply.notes
    assert 1 == reply.usage.calls
    query = app.asked[0].query
    assert usefulness().system.strip() in query
    assert "JSON Schema" in query
    assert "20日です。" in query
    assert app.closed


def test_a_bad_reply_is_sent_back_once_in_a_new_conversation():
    """The second question repeats the task, the bad reply and the fault."""
    replies = iter(["It is useful!", GOOD])
    reply, app = judged(lambda _: builders.answer(next(replies)))

    assert ("repaired:asked_again",) == reply.notes
    assert 2 == reply.usage.calls
    assert "It is useful!" in app.asked[1].query
    assert "no JSON object" in app.asked[1].query
    assert ["", ""] == [question.conversation_id for question in app.asked]


def test_the_identity_names_the_apps_version_and_models():
    """A judge app that was published anew is another judge."""
    identity, _ = judged(says("{}", workflow_id="w-1", models=("openai/x",)), "probe")

    assert "dify" == identity.provider
    assert "fake" == identity.model
    assert {"mode": "advanced-chat", "workflow_id": "w-1", "models": "openai/x"} == identity.parameters


@pytest.mark.parametrize(
    ("error", "becomes"),
    [
        (AppMisconfigured, JudgeMisconfigured),
        (AppOutOfQuota, JudgeOutOfQuota),
        (AppUnreachable, JudgeUnreachable),
    ],
)
@pytest.mark.parametrize("story", ["probe", "ask"])
def test_trouble_of_the_judge_app_is_told_of_the_judge(error, becomes, story):
    """Nobody looks for the fault in the app under test."""
    with pytest.raises(becomes, match="The judge app"):
        judged(lambda _: error(Text("no", "no")), story)


@pytest.mark.parametrize(
    ("cause", "becomes"),
    [
        (Cause.APP_TIMEOUT, Cause.JUDGE_TIMEOUT),
        (Cause.APP_RATE_LIMITED, Cause.JUDGE_RATE_LIMITED),
        (Cause.APP_ERROR, Cause.JUDGE_ERROR),
        (Cause.APP_EMPTY_ANSWER, Cause.JUDGE_ERROR),
        ("new", Cause.JUDGE_ERROR),
    ],
)
def test_a_judgement_that_could_not_be_had_keeps_its_cause(cause, becomes):
    """One score is not had; the run goes on."""
    with pytest.raises(JudgeCouldNotScore) as raised:
        judged(lambda _: AppCouldNotAnswer(Text("no", "no"), cause=cause, passing=True))

    assert becomes == raised.value.cause
    assert raised.value.passing


def says_no(message, cause=Cause.APP_ERROR):
    what = Text(f"The app failed: HTTP 400: Run failed: [openai] {message}", "no")
    return lambda _: AppCouldNotAnswer(what, cause=cause)


@pytest.mark.parametrize(
    ("message", "cause", "becomes"),
    [
        ("Bad Request Error, content_filter", Cause.APP_ERROR, Cause.JUDGE_CONTENT_FILTER),
        ("Error: maximum context length is 8192 tokens", Cause.APP_INPUT_REFUSED, Cause.JUDGE_CONTEXT_TOO_LONG),
        ("Error: prompt is too long", Cause.APP_ERROR, Cause.JUDGE_CONTEXT_TOO_LONG),
        ("8192 tokens: 904 in the messages, 8000 in the completion", Cause.APP_ERROR, Cause.JUDGE_CONTEXT_TOO_LONG),
        ("Error: something else", Cause.APP_ERROR, Cause.JUDGE_ERROR),
    ],
)  # fmt: skip
def test_what_the_model_behind_the_app_refuses_is_told_apart(message, cause, becomes):
    """The words that Dify passes on tell: a filtered case is not asked again, contexts that are too long are cut."""
    with pytest.raises(JudgeCouldNotScore) as raised:
        judged(says_no(message, cause))

    assert (becomes, False) == (raised.value.cause, raised.value.passing)


def test_a_retired_model_behind_the_app_stops_the_run():
    """Not a regression: choose another model, renew the baseline."""
    with pytest.raises(JudgeMisconfigured) as raised:
        judged(says_no("Error code: 400 - The model `old` has been deprecated"))

    assert "baseline update" in raised.value.hint.en


def test_conversations_of_the_judge_are_deleted_whatever_came_of_them():
    """By a user for each case of this run, so that other runs at the same app keep theirs."""

    async def whole():
        app = FakeApp(says(GOOD))
        judge = DifyJudge(app, JudgeSettings(provider="dify"), run_id="r1")
        await judge.probe()
        for order in (3, 3, 4):
            await judge.ask(replace(usefulness(), order=order))
        await judge.close()
        return app

    app = asyncio.run(whole())

    assert ["ragjudge-judge-r1--1", "ragjudge-judge-r1-3", "ragjudge-judge-r1-4"] == sorted(app.forgotten)
    assert {question.user for question in app.asked} == set(app.forgotten)
    assert app.closed


@pytest.mark.parametrize("story", ["probe", "ask"])
@pytest.mark.parametrize(
    ("words", "settings", "not_these"),
    [
        (words.WRONG_KEY, "DIFY_JUDGE_API_KEY", "to DIFY_API_KEY|set DIFY_API_KEY"),
        (words.NO_KEY, "DIFY_JUDGE_API_KEY", " DIFY_API_KEY|^DIFY_API_KEY"),
        (words.STRANGE_KEY, "DIFY_JUDGE_API_KEY", " DIFY_API_KEY|^DIFY_API_KEY"),
        (words.DATASET_KEY, "DIFY_JUDGE_API_KEY", " DIFY_API_KEY"),
        (words.NO_SUCH_API, "judge.base_url", "app.base_url"),
    ],
)
def test_trouble_names_the_judges_own_settings(story, words, settings, not_these):
    """Whoever mends the key of the app under test would look for a long time."""
    fault = AppMisconfigured(words.what_with("401"), hint=words.cure)

    def fail(_):
        raise fault

    with pytest.raises(JudgeMisconfigured) as caught:
        judged(fail, story)

    for language in ("en", "ja"):
        told = caught.value.in_language(language)
        assert settings in told
        assert re.search(not_these, told) is None
