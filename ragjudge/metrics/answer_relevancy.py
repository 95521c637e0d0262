"""answer_relevancy: does the answer speak to the question? By the way back: which questions would it answer?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from ragjudge.errors import JudgeCouldNotScore
from ragjudge.language import Language, Text
from ragjudge.metric_specs import ANSWER_RELEVANCY, MetricSpec
from ragjudge.metrics import formulas, reasons, tasks
from ragjudge.metrics.asking import ask, joined_notes, side_by_side, total_usage
from ragjudge.metrics.base import Gradable
from ragjudge.metrics.costs import STATEMENT_TOKENS, Assumed, PlannedCall
from ragjudge.metrics.prompting import Prompts
from ragjudge.ports import Embedder, Judge, JudgeReply
from ragjudge.results.outcome import Cause, NotApplicable, Scored
from ragjudge.suite.case import Case

NON_COMMITTAL = "non_committal"
"""Note: every generated question says that the answer evades."""
IDENTICAL = "identical_questions"
"""Note: the judge wrote the same question each time, so the mean stands on one."""


@dataclass(frozen=True, slots=True)
class AnswerRelevancy:
    """Mean cosine of `questions` generated questions with the real one; 0 where all call the answer evasive.

    Each question is a call of its own: servers that ignore a request for n replies would silently give one.
    """

    prompts: Prompts
    questions: int = 3
    spec: MetricSpec = ANSWER_RELEVANCY

    @property
    def version(self) -> str:
        return f"1:n{self.questions}:{self.prompts.digest(tasks.QUESTION)}"

    def planned(self, case: Case, assumed: Assumed) -> list[PlannedCall]:  # noqa: ARG002 - every case costs the same
        prompt = self.prompts.tokens(tasks.QUESTION) + assumed.answer_tokens
        return [PlannedCall(prompt, STATEMENT_TOKENS, times=self.questions)]

    async def score(self, item: Gradable, judge: Judge, embedder: Embedder) -> Scored | NotApplicable:
        replies = await side_by_side(
            self._generate(item, judge, variant) for variant in range(1, self.questions + 1)
        )
        generated = [reply.value for reply in replies]
        return await score_generated(
            item.asked, generated, replies, embedder=embedder, language=item.language
        )

    async def _generate(
        self, item: Gradable, judge: Judge, variant: int
    ) -> JudgeReply[tasks.GeneratedQuestion]:
        fields: dict[str, JsonValue] = {"answer": item.answer.text, "variant": variant, "of": self.questions}
        task = self.prompts.task(tasks.QUESTION, tasks.GeneratedQuestion, fields, sample=item.sample)
        return await ask(judge, task)


async def score_generated(
    asked: str,
    generated: Sequence[tasks.GeneratedQuestion],
    replies: Sequence[JudgeReply[Any]],
    *,
    embedder: Embedder,
    language: Language,
) -> Scored:
    """The score of the questions that `replies` gave; no vectors are bought where all call the answer evasive."""
    questions = [one.question for one in generated]
    flags = [one.non_committal for one in generated]
    notes = [IDENTICAL] if len(questions) > 1 and len(set(questions)) == 1 else []
    usage = total_usage(reply.usage for reply in replies)
    if all(flags):
        return Scored(
            value=0.0,
            reason=reasons.EVASIVE.in_language(language),
            notes=joined_notes(replies, *notes, NON_COMMITTAL),
            usage=usage,
        )
    distinct = list(dict.fromkeys(questions))
    embedded = await embedder.embed([asked, *distinct])
    by_text = dict(zip(distinct, _similarities(embedded.vectors, len(distinct)), strict=True))
    similarities = [by_text[question] for question in questions]
    return Scored(
        value=formulas.relevancy(similarities, flags),
        reason=reasons.of_questions(questions, similarities, language),
        notes=joined_notes(replies, *notes),
        usage=usage + embedded.usage,
    )


def _similarities(vectors: Sequence[Sequence[float]], count: int) -> list[float]:
    if len(vectors) != count + 1:
        raise _unusable(f"{len(vectors)} vectors for {count + 1} texts")
    try:
        return [formulas.cosine(vectors[0], vector) for vector in vectors[1:]]
    except ValueError as undefined:
        raise _unusable(str(undefined)) from undefined


def _unusable(why: str) -> JudgeCouldNotScore:
    return JudgeCouldNotScore(
        Text(
            f"The embedding server's vectors can't be compared: {why}.",
            f"埋め込みサーバーのベクトルを比較できません: {why}",
        ),
        cause=Cause.EMBEDDING_UNUSABLE,
    )
