"""Yesterday's answer against today's: which one serves the person better?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ragjudge.errors import CaseFailure
from ragjudge.metrics import tasks
from ragjudge.metrics.asking import ask, joined_notes, side_by_side, total_usage
from ragjudge.metrics.base import Gradable
from ragjudge.metrics.costs import STATEMENT_TOKENS, Assumed, PlannedCall, asked_tokens, estimated_tokens
from ragjudge.metrics.prompting import Prompts
from ragjudge.ports import Judge, JudgeReply
from ragjudge.results.answer import Answer
from ragjudge.results.run import CaseResult, PairOutcome, RunResult
from ragjudge.results.usage import Usage
from ragjudge.suite.case import Case


@dataclass(frozen=True, slots=True)
class Comparison:
    """`win`: today's answer is better; `loss`: the baseline's is. `consistent` is False where the order decided."""

    result: Literal["win", "loss", "tie"]
    reason: str
    consistent: bool
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()


def verdict(now_second: str, now_first: str) -> Literal["win", "loss", "tie"]:
    """Both orders must agree: a judge that prefers a place instead of an answer gives a tie (pure).

    `now_second` is the judge's word where today's answer stood second, `now_first` where it stood first.
    """
    if (now_second, now_first) == ("second", "first"):
        return "win"
    if (now_second, now_first) == ("first", "second"):
        return "loss"
    return "tie"


async def compare(item: Gradable, before: str, judge: Judge, prompts: Prompts) -> Comparison:
    """Judge `item.answer` (today's) against `before` (the baseline's answer) in both orders. Two calls.

    Raises JudgeCouldNotScore. Equal texts are a tie without a call.
    """
    now = item.answer.text
    if now == before:
        return Comparison("tie", "", consistent=True)
    replies = await side_by_side(
        _prefer(item, first, second, judge, prompts) for first, second in ((before, now), (now, before))
    )
    words = [reply.value.better for reply in replies]
    result = verdict(*words)
    return Comparison(
        result,
        replies[0].value.reason,
        consistent=result != "tie" or words == ["tie", "tie"],
        usage=total_usage(reply.usage for reply in replies),
        notes=joined_notes(replies),
    )


def planned(case: Case, assumed: Assumed, prompts: Prompts) -> PlannedCall:
    """What one pair costs at most: both orders."""
    material = asked_tokens(case) + estimated_tokens(case.expected or "") + 2 * assumed.answer_tokens
    return PlannedCall(prompts.tokens(tasks.PAIRWISE) + material, 2 * STATEMENT_TOKENS, times=2)


async def pairs(before: RunResult, now: RunResult, judge: Judge, prompts: Prompts) -> tuple[PairOutcome, ...]:
    """Every case that both runs answered and that asks the same, in today's order. First sample beside first sample.

    What could not be judged is `unscored`; any other trouble is raised.
    """
    then: Mapping[str, CaseResult] = {result.case.id: result for result in before.cases}
    both = [
        (result, yesterday, today)
        for result in now.cases
        if (old := then.get(result.case.id)) is not None
        and result.case.asks_as(old.case)
        and (yesterday := _first_answer(old)) is not None
        and (today := _first_answer(result)) is not None
    ]
    return tuple(
        await side_by_side(
            _outcome(Gradable(result.case, today, prompts.language), yesterday.text, judge, prompts)
            for result, yesterday, today in both
        )
    )


async def _outcome(item: Gradable, before: str, judge: Judge, prompts: Prompts) -> PairOutcome:
    try:
        compared = await compare(item, before, judge, prompts)
    except CaseFailure as failure:
        return PairOutcome(case_id=item.case.id, result="unscored", reason=str(failure))
    return PairOutcome(
        case_id=item.case.id,
        result=compared.result,
        consistent=compared.consistent,
        reason=compared.reason,
    )


def _first_answer(result: CaseResult) -> Answer | None:
    return next((sample.answer for sample in result.samples if sample.answer is not None), None)


async def _prefer(
    item: Gradable, first: str, second: str, judge: Judge, prompts: Prompts
) -> JudgeReply[tasks.Preference]:
    fields = {"question": item.question, "reference": item.reference, "first": first, "second": second}
    return await ask(judge, prompts.task(tasks.PAIRWISE, tasks.Preference, fields, sample=item.sample))
