"""faithfulness: does every claim of the answer follow from the retrieved contexts?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ragjudge.language import Language
from ragjudge.metric_specs import FAITHFULNESS, MetricSpec
from ragjudge.metrics import formulas, reasons, tasks, verdicts
from ragjudge.metrics.asking import ask, joined_notes, side_by_side, total_usage
from ragjudge.metrics.base import Gradable, without_contexts
from ragjudge.metrics.costs import STATEMENT_TOKENS, Assumed, PlannedCall, asked_tokens
from ragjudge.metrics.cutting import ask_about
from ragjudge.metrics.prompting import Prompts
from ragjudge.metrics.verdicts import MOST_AT_ONCE
from ragjudge.ports import Embedder, Judge, JudgeReply
from ragjudge.results.outcome import Inapplicable, NotApplicable, Scored
from ragjudge.suite.case import Case


@dataclass(frozen=True, slots=True)
class Faithfulness:
    """Supported statements ÷ all statements of the answer. Two calls: take apart, then judge (forty at a time)."""

    prompts: Prompts
    spec: MetricSpec = FAITHFULNESS

    @property
    def version(self) -> str:
        return f"1:{self.prompts.digest(tasks.STATEMENTS, tasks.SUPPORT)}"

    def planned(self, case: Case, assumed: Assumed) -> list[PlannedCall]:
        stated = assumed.statements * STATEMENT_TOKENS
        take_apart = self.prompts.tokens(tasks.STATEMENTS) + asked_tokens(case) + assumed.answer_tokens
        judge = self.prompts.tokens(tasks.SUPPORT) + assumed.all_contexts + stated
        return [PlannedCall(take_apart, stated), PlannedCall(judge, stated)]

    async def score(
        self,
        item: Gradable,
        judge: Judge,
        embedder: Embedder,  # noqa: ARG002 - the protocol's; this metric compares no vectors
    ) -> Scored | NotApplicable:
        if not item.contexts:
            return without_contexts(item)
        stated = await ask(
            judge,
            self.prompts.task(
                tasks.STATEMENTS,
                tasks.Statements,
                {"question": item.question, "answer": item.answer.text},
                sample=item.sample,
                check=verdicts.statements,
                leads=True,
            ),
        )
        statements = stated.value.statements
        if not statements:
            return no_claims([stated])
        groups = [statements[at : at + MOST_AT_ONCE] for at in range(0, len(statements), MOST_AT_ONCE)]
        judged = await side_by_side(self._judge(item, judge, group) for group in groups)
        claims = [
            tasks.ClaimVerdict(
                index=number * MOST_AT_ONCE + verdict.index,
                statement=group[verdict.index - 1],
                reason=verdict.reason,
                supported=verdict.supported,
            )
            for number, (group, reply) in enumerate(zip(groups, judged, strict=True))
            for verdict in reply.value.verdicts
        ]
        return score_claims(claims, [stated, *judged], item.language)

    async def _judge(self, item: Gradable, judge: Judge, group: Sequence[str]) -> JudgeReply[tasks.Support]:
        return await ask_about(
            judge,
            item.contexts,
            lambda contexts: self.prompts.task(
                tasks.SUPPORT,
                tasks.Support,
                {"contexts": [*contexts], "statements": [*group]},
                sample=item.sample,
                check=verdicts.support(len(group)),
            ),
        )


def score_claims(
    claims: Sequence[tasks.ClaimVerdict], replies: Sequence[JudgeReply[Any]], language: Language
) -> Scored:
    """The score of checked claims, at least one."""
    ordered = sorted(claims, key=lambda claim: claim.index)
    supported = [claim.supported for claim in ordered]
    failures = [(claim.statement, claim.reason) for claim in ordered if not claim.supported]
    return Scored(
        value=formulas.share(supported),
        reason=reasons.of_shares(reasons.STATEMENTS, supported, failures, language),
        notes=joined_notes(replies),
        usage=total_usage(reply.usage for reply in replies),
    )


def no_claims(replies: Sequence[JudgeReply[Any]]) -> NotApplicable:
    """A refusal claims nothing that could be supported or not: neither 0 nor 1."""
    return NotApplicable(reason=Inapplicable.NO_CLAIMS, usage=total_usage(reply.usage for reply in replies))
