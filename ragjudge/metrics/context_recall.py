"""context_recall: did retrieval bring everything that the ideal answer needs?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ragjudge.language import Language
from ragjudge.metric_specs import CONTEXT_RECALL, MetricSpec
from ragjudge.metrics import formulas, reasons, tasks, verdicts
from ragjudge.metrics.asking import joined_notes, side_by_side, total_usage
from ragjudge.metrics.base import Gradable, without_contexts, without_reference
from ragjudge.metrics.costs import STATEMENT_TOKENS, Assumed, PlannedCall, asked_tokens, estimated_tokens
from ragjudge.metrics.cutting import ask_about
from ragjudge.metrics.prompting import Prompts
from ragjudge.metrics.sentences import SPLITTING, sentences
from ragjudge.metrics.verdicts import MOST_AT_ONCE
from ragjudge.ports import Embedder, Judge, JudgeReply
from ragjudge.results.outcome import NotApplicable, Scored
from ragjudge.suite.case import Case


@dataclass(frozen=True, slots=True)
class ContextRecall:
    """Sentences of the reference found in the contexts ÷ all its sentences. One call.

    We split the reference, not the judge: so the denominator is the same in every run.
    """

    prompts: Prompts
    spec: MetricSpec = CONTEXT_RECALL

    @property
    def version(self) -> str:
        return f"1:s{SPLITTING}:{self.prompts.digest(tasks.ATTRIBUTION)}"

    def planned(self, case: Case, assumed: Assumed) -> list[PlannedCall]:
        reference = case.expected
        if reference is None:
            return []
        material = asked_tokens(case) + assumed.all_contexts + estimated_tokens(reference)
        reply = len(sentences(reference)) * STATEMENT_TOKENS
        return [PlannedCall(self.prompts.tokens(tasks.ATTRIBUTION) + material, reply)]

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
        wanted = sentences(item.reference)
        groups = [wanted[at : at + MOST_AT_ONCE] for at in range(0, len(wanted), MOST_AT_ONCE)]
        replies = await side_by_side(self._judge(item, judge, group) for group in groups)
        found = [
            verdict.model_copy(update={"index": number * MOST_AT_ONCE + verdict.index})
            for number, reply in enumerate(replies)
            for verdict in reply.value.verdicts
        ]
        return score_attribution(wanted, found, replies, item.language)

    async def _judge(
        self, item: Gradable, judge: Judge, group: Sequence[str]
    ) -> JudgeReply[tasks.Attribution]:
        return await ask_about(
            judge,
            item.contexts,
            lambda contexts: self.prompts.task(
                tasks.ATTRIBUTION,
                tasks.Attribution,
                {"question": item.question, "contexts": [*contexts], "sentences": [*group]},
                sample=item.sample,
                check=verdicts.attribution(len(group)),
            ),
        )


def score_attribution(
    wanted: Sequence[str],
    found: Sequence[tasks.AttributionVerdict],
    replies: Sequence[JudgeReply[Any]],
    language: Language,
) -> Scored:
    """The score of checked verdicts, one per sentence of the reference."""
    ordered = sorted(found, key=lambda verdict: verdict.index)
    attributed = [verdict.attributed for verdict in ordered]
    failures = [(wanted[v.index - 1], v.reason) for v in ordered if not v.attributed]
    return Scored(
        value=formulas.share(attributed),
        reason=reasons.of_shares(reasons.SENTENCES, attributed, failures, language),
        notes=joined_notes(replies),
        usage=total_usage(reply.usage for reply in replies),
    )
