"""Conversations in which several turns are judged: held once per attempt, each turn asked and paid once."""

import asyncio
from dataclasses import dataclass, field

from ragjudge.engine.ask import Ask, ask_case, joined, turn_questions
from ragjudge.ports import ChatApp
from ragjudge.results.answer import Answer
from ragjudge.results.usage import Usage


@dataclass(slots=True)
class _Held:
    """One conversation. `answers` count the asks up to each turn; usage and latency are each turn's own."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    answers: list[Answer] = field(default_factory=list)
    counted: int = 0
    """Turns whose usage stands in an answer that was given out."""
    broken: bool = False
    """A turn failed: what it left in the conversation is not known, so a later turn needs a new one."""


class Conversations:
    """Asks a case; a case that shares its conversation with others finds there what was asked already."""

    def __init__(self, app: ChatApp) -> None:
        self._app = app
        self._held: dict[str, _Held] = {}

    async def answer(self, ask: Ask) -> Answer:
        """The answer to the case's last turn; `usage` counts each turn of a conversation in one answer only."""
        if ask.case.conversation is None:
            return await ask_case(self._app, ask)
        held = self._held.setdefault(ask.user, _Held())
        last = len(ask.case.turns)
        async with held.lock:
            if last >= len(held.answers):
                await self._go_on(held, ask)
            uncounted = held.answers[held.counted : last + 1]
            held.counted = max(held.counted, last + 1)
        usage = sum((answer.usage for answer in uncounted), Usage())
        return held.answers[last].model_copy(update={"usage": usage})

    async def _go_on(self, held: _Held, ask: Ask) -> None:
        if held.broken:
            held.answers.clear()
            held.counted = 0
        held.broken = True
        questions = turn_questions(ask)
        for question in questions[len(held.answers) :]:
            before = held.answers[-1] if held.answers else None
            conversation = before.conversation_id or "" if before else ""
            following = await self._app.ask(question(conversation))
            whole = joined(before, following) if before else following
            held.answers.append(whole.model_copy(update={"usage": following.usage}))
        held.broken = False
