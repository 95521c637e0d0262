"""From weak cases to at most three proposals: one call at the end of a run, the model's own words."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from ragjudge.metrics import tasks
from ragjudge.metrics.asking import ask
from ragjudge.metrics.prompting import Prompts
from ragjudge.ports import Judge
from ragjudge.results.usage import Usage

MOST_CASES = 20
MOST_PROPOSALS = 3
_LONGEST = 300
_LONGEST_CHANGE = 4000


@dataclass(frozen=True, slots=True)
class WeakCase:
    """A case that regressed or needs improvement; `problem` is the judge's summary or what was lost."""

    id: str
    question: str
    reference: str
    answer: str
    problem: str


@dataclass(frozen=True, slots=True)
class Suggested:
    """What the model proposes, most useful first. `of_cases` of the weak cases were shown to it."""

    proposals: tuple[tasks.Proposal, ...]
    of_cases: int
    usage: Usage = Usage()


async def suggest(weak: Sequence[WeakCase], change: str, judge: Judge, prompts: Prompts) -> Suggested:
    """Ask for proposals. `weak` is worst first; the first twenty are shown, shortened. No call where there is none.

    Proposals name only cases that were shown. Raises JudgeCouldNotScore.
    """
    shown = weak[:MOST_CASES]
    if not shown:
        return Suggested((), 0)
    fields: dict[str, JsonValue] = {
        "cases": [_entry(case) for case in shown],
        "change": _cut(change, _LONGEST_CHANGE),
    }
    reply = await ask(judge, prompts.task(tasks.SUGGEST, tasks.Proposals, fields, sample="suggest"))
    known = {case.id for case in shown}
    proposals = tuple(
        proposal.model_copy(update={"cases": [case for case in proposal.cases if case in known]})
        for proposal in reply.value.proposals[:MOST_PROPOSALS]
    )
    return Suggested(proposals, len(shown), reply.usage)


def _entry(case: WeakCase) -> dict[str, JsonValue]:
    return {
        "id": case.id,
        "question": _cut(case.question),
        "reference": _cut(case.reference),
        "answer": _cut(case.answer),
        "problem": _cut(case.problem),
    }


def _cut(text: str, longest: int = _LONGEST) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
