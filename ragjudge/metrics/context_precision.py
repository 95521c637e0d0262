"""context_precision: do the useful contexts stand at the top?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ragjudge.language import Language
from ragjudge.metric_specs import CONTEXT_PRECISION, MetricSpec
from ragjudge.metrics import formulas, reasons, tasks
from ragjudge.metrics.asking import joined_notes, side_by_side, total_usage
from ragjudge.metrics.base import Gradable, without_contexts, without_reference
from ragjudge.metrics.costs import STATEMENT_TOKENS, Assumed, PlannedCall, asked_tokens, estimated_tokens
from ragjudge.metrics.cutting import ask_about
from ragjudge.metrics.prompting import Prompts
from ragjudge.ports import Embedder, Judge, JudgeReply
from ragjudge.results.outcome import NotApplicable, Scored
from ragjudge.suite.case import Case


@dataclass(frozen=True, slots=True)
class ContextPrecision:
    """Average precision of the contexts in the retriever's order. One call per context, side by side."""

    prompts: Prompts
    spec: MetricSpec = CONTEXT_PRECISION

    @property
    def version(self) -> str:
        return f"1:{self.prompts.digest(tasks.USEFULNESS)}"

    def planned(self, case: Case, assumed: Assumed) -> list[PlannedCall]:
        reference = case.expected
        if reference is None:
            return []
        material = asked_tokens(case) + estimated_tokens(reference) + assumed.context_tokens
        prompt = self.prompts.tokens(tasks.USEFULNESS) + material
        return [PlannedCall(prompt, STATEMENT_TOKENS, times=assumed.contexts)]

    async def score(
        self,
        item: Gradable,
        judge: Judge,
        embedder: Embedder,  # noqa: ARG002 - the protocol's; this metric compares no vectors
    ) -> Scored | NotApplicable:
        if item.reference is None:
            return without_reference()
        if not item.contexts:
            return without_contexts(item)
        replies = await side_by_side(
            self._judge_one(item, judge, context, item.reference) for context in item.contexts
        )
        return score_usefulness([reply.value.useful for reply in replies], replies, item.language)

    async def _judge_one(
        self, item: Gradable, judge: Judge, context: str, reference: str
    ) -> JudgeReply[tasks.Usefulness]:
        return await ask_about(
            judge,
            [context],
            lambda shown: self.prompts.task(
                tasks.USEFULNESS,
                tasks.Usefulness,
                {"question": item.question, "reference": reference, "context": shown[0]},
                sample=item.sample,
            ),
        )


def score_usefulness(
    useful: Sequence[bool], replies: Sequence[JudgeReply[Any]], language: Language
) -> Scored:
    """The score of checked verdicts, one per context, best rank first."""
    return Scored(
        value=formulas.average_precision(useful),
        reason=reasons.of_ranks(useful, language),
        notes=joined_notes(replies),
        usage=total_usage(reply.usage for reply in replies),
    )
