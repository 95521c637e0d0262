"""One asking of one case: every turn in the same conversation, the last turn's answer is the one judged."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

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
    """Ask every turn; the answer returned is the last one's, `asks` and `latency_s` of all turns together."""
    answer = await app.ask(_question(ask, ask.case.question, "", ask.case.files))
    for turn in ask.case.turns:
        following = await app.ask(_question(ask, turn.question, answer.conversation_id or "", turn.files))
        answer = following.model_copy(
            update={
                "usage": answer.usage + following.usage,
                "latency_s": answer.latency_s + following.latency_s,
                "asks": answer.asks + following.asks,
                "conversation_id": following.conversation_id or answer.conversation_id,
            }
        )
    return answer


async def recovered(app: ChatApp, ask: Ask) -> Answer | None:
    """The answer of a question that an earlier process sent, where the app kept it; turns are asked anew."""
    if ask.case.turns:
        return None
    return await app.recover(_question(ask, ask.case.question, "", ask.case.files))


def _question(ask: Ask, query: str, conversation_id: str, files: tuple[str, ...]) -> AppQuestion:
    return AppQuestion(
        case_id=ask.case.id,
        attempt=ask.attempt,
        query=query,
        inputs=ask.inputs,
        user=ask.user,
        conversation_id=conversation_id,
        files=files,
    )
