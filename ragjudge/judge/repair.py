"""One repair request: a reply that can't be used is sent back once, with the fault in words."""

from collections.abc import Awaitable, Callable, Sequence

from ragjudge.errors import JudgeCouldNotScore
from ragjudge.judge.reply import ASKED_AGAIN, Misunderstood, Understood, read
from ragjudge.judge.reply_schema import instruction
from ragjudge.language import Text
from ragjudge.ports import JudgeTask, R
from ragjudge.results.outcome import Cause

_LONGEST_BAD_REPLY = 4000

_REQUEST = Text(
    "Your reply could not be used: {fault}. Judge again and reply with the whole corrected JSON object only. {schema}",
    "返答を使えませんでした。理由: {fault}。もう一度評価し、修正したJSONオブジェクト全体だけを返してください。{schema}",
)


async def ask_again(
    say: Callable[[Sequence[str]], Awaitable[str | None]], task: JudgeTask[R]
) -> Understood[R]:
    """The task's reply after at most one repair request. `say` gets the turns after the first message.

    Raises JudgeCouldNotScore with the fault where the second reply can't be used either.
    """

    def understood(text: str | None) -> Understood[R] | Misunderstood:
        return read(text, task.reply, task.check, material=task.user)

    text = await say(())
    first = understood(text)
    if isinstance(first, Understood):
        return first
    request = _REQUEST.in_language(task.language).format(
        fault=first.fault.in_language(task.language), schema=instruction(task.reply)
    )
    second = understood(await say(((text or "(empty)")[:_LONGEST_BAD_REPLY], request)))
    if isinstance(second, Misunderstood):
        raise JudgeCouldNotScore(
            Text(
                f"The judge's reply can't be used, even after asking again: {second.fault.en}",
                f"評価用モデルの返答を、再依頼後も使えませんでした: {second.fault.ja}",
            ),
            cause=Cause.JUDGE_REPLY_UNUSABLE,
            passing=True,
        )
    return Understood(second.value, (*second.notes, ASKED_AGAIN))


def judged(*notes: Sequence[str]) -> tuple[str, ...]:
    """Notes of several origins, each once, in order."""
    return tuple(dict.fromkeys(note for group in notes for note in group))
