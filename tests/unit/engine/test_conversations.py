import asyncio

import pytest

from ragjudge.engine.ask import Ask
from ragjudge.engine.conversations import Conversations
from ragjudge.errors import AppCouldNotAnswer
from ragjudge.language import Text
from ragjudge.results.usage import Usage
from ragjudge.suite import every_turn
from ragjudge.suite.case import Turn
from tests import builders
from tests.fakes import FakeApp

TALK = builders.case(
    "A", question="一", reference="1", turns=tuple(Turn(question=q, reference="x") for q in ("二", "三"))
)
FIRST, SECOND, WHOLE = every_turn(builders.suite(TALK)).cases


def ask(case, attempt: str = "1") -> Ask:
    return Ask(case=case, attempt=attempt, inputs={}, user=f"user-{attempt}")


class Talker:
    """Each conversation has an id of its own; `fails` are the numbers of the calls that fail."""

    def __init__(self, *fails: int) -> None:
        self.app = FakeApp(self._reply)
        self._fails = fails

    @property
    def asked(self) -> list[str]:
        return [q.query for q in self.app.asked]

    def _reply(self, question):
        number = len(self.app.asked)
        if number in self._fails:
            return AppCouldNotAnswer(Text("oops", "失敗"), cause="app_error")
        return builders.answer(
            f"{question.query}→",
            conversation_id=question.conversation_id or f"c{number}",
            usage=Usage(calls=1, prompt_tokens=10),
        )


def answers(app: FakeApp, *asks: Ask):
    """Side by side, as the engine does it."""

    async def run():
        conversations = Conversations(app)
        return await asyncio.gather(*map(conversations.answer, asks), return_exceptions=True)

    return asyncio.run(run())


@pytest.mark.parametrize("order", [(FIRST, SECOND, WHOLE), (WHOLE, SECOND, FIRST), (SECOND, WHOLE, FIRST)])
def test_each_turn_is_asked_once_in_one_conversation_and_paid_once(order):
    """Whichever of the cases comes first."""
    talker = Talker()

    got = dict(zip([c.id for c in order], answers(talker.app, *map(ask, order)), strict=True))

    assert ["一", "二", "三"] == talker.asked
    assert ["", "c1", "c1"] == [q.conversation_id for q in talker.app.asked]
    assert ("一→", "二→", "三→") == (got["A#turn1"].text, got["A#turn2"].text, got["A"].text)
    assert {"c1"} == {answer.conversation_id for answer in got.values()}
    assert 30 == sum(answer.usage.prompt_tokens for answer in got.values())
    assert (0.5, 0.5, 0.5) == (got["A#turn1"].latency_s, got["A#turn2"].latency_s, got["A"].latency_s)


def test_repeats_have_conversations_of_their_own():
    """Fresh per attempt: a repeat that reads the first one's talk is no repeat."""
    talker = Talker()

    answers(talker.app, ask(WHOLE), ask(FIRST), ask(WHOLE, "2"), ask(FIRST, "2"))

    assert sorted("一二三一二三") == sorted(talker.asked)


def test_a_failed_turn_leaves_the_earlier_ones_judged_and_is_asked_in_a_new_conversation():
    """It would stand twice in the old one."""
    talker = Talker(3)

    async def run():
        conversations = Conversations(talker.app)
        with pytest.raises(AppCouldNotAnswer):
            await conversations.answer(ask(WHOLE))
        kept = await conversations.answer(ask(SECOND))
        return kept, await conversations.answer(ask(WHOLE))

    kept, whole = asyncio.run(run())

    assert list("一二三一二三") == talker.asked
    assert ("二→", "c1", 20) == (kept.text, kept.conversation_id, kept.usage.prompt_tokens)
    assert ("三→", "c4", 30) == (whole.text, whole.conversation_id, whole.usage.prompt_tokens)


def test_a_chosen_turn_alone_is_asked_with_what_was_said_before_it():
    """`--case A#turn2`."""
    talker = Talker()

    (answer,) = answers(talker.app, ask(SECOND))

    assert (["一", "二"], 20) == (talker.asked, answer.usage.prompt_tokens)
