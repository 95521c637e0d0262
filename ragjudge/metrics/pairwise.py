"""Yesterday's answer against today's: which one serves the person better?"""

from dataclasses import dataclass
from typing import Literal

from ragjudge.metrics import tasks
from ragjudge.metrics.asking import ask, joined_notes, side_by_side, total_usage
from ragjudge.metrics.base import Gradable
from ragjudge.metrics.prompting import Prompts
from ragjudge.ports import Judge, JudgeReply
from ragjudge.results.usage import Usage


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


async def _prefer(
    item: Gradable, first: str, second: str, judge: Judge, prompts: Prompts
) -> JudgeReply[tasks.Preference]:
    fields = {"question": item.question, "reference": item.reference, "first": first, "second": second}
    return await ask(judge, prompts.task(tasks.PAIRWISE, tasks.Preference, fields, sample=item.sample))
