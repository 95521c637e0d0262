"""One asking of one case: every turn in the same conversation, the last turn's answer is the one judged."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from pydantic import JsonValue

from ragjudge.ports import AppQuestion, ChatApp
from ragjudge.results.answer import Answer
from ragjudge.suite.case import Case


@dataclass(frozen=True, slots=True)
class Ask:
    """A case to be asked once. `inputs` are the app's variables, templates already filled.

    `fresh` is the run's id where the sample confirms a suspect: no reply remembered from another run may judge it.
    """

    case: Case
    attempt: str
    inputs: Mapping[str, JsonValue]
    user: str
    fresh: str = ""


def user_of(prefix: str, run_id: str, case_id: str, attempt: str) -> str:
    """The app user of one conversation: the same through a case, never shared between cases, repeats or runs."""
    who = hashlib.sha256(f"{case_id}\0{attempt}".encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{prefix}-{run_id}-{who}"


async def ask_case(app: ChatApp, ask: Ask) -> Answer:
    """Ask every turn; the answer returned is the last one's, `usage` and `asks` of all turns together."""
    first, *further = turn_questions(ask)
    answer = await app.ask(first(""))
    for question in further:
        answer = joined(answer, await app.ask(question(answer.conversation_id or "")))
    return answer


def turn_questions(ask: Ask) -> tuple[Callable[[str], AppQuestion], ...]:
    """Each turn's question in order, still without the id of the conversation that it belongs to."""
    turns = [(ask.case.question, ask.case.files), *((turn.question, turn.files) for turn in ask.case.turns)]
    return tuple(partial(_question, ask, query, files) for query, files in turns)


def joined(before: Answer, following: Answer) -> Answer:
    """The following turn's answer, with what both turns cost; its latency stays its own, which checks look at."""
    return following.model_copy(
        update={
            "usage": before.usage + following.usage,
            "asks": before.asks + following.asks,
            "conversation_id": following.conversation_id or before.conversation_id,
        }
    )


async def recovered(app: ChatApp, ask: Ask) -> Answer | None:
    """The answer of a question that an earlier process sent, where the app kept it.

    Turns are asked anew, and what a time limit holds for: nobody measured how long that answer took.
    """
    if ask.case.turns or ask.case.conversation is not None or ask.case.checks.max_latency_s is not None:
        return None
    return await app.recover(turn_questions(ask)[0](""))


def _question(ask: Ask, query: str, files: tuple[str, ...], conversation_id: str) -> AppQuestion:
    return AppQuestion(
        case_id=ask.case.id,
        attempt=ask.attempt,
        query=query,
        inputs=ask.inputs,
        user=ask.user,
        conversation_id=conversation_id,
        files=files,
    )
