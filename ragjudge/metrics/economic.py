"""Economic mode: the same formulas on verdicts that were joined into at most four calls per case.

Questions in one call, claims with their verdicts in one, the contexts' and the reference's verdicts in one that two
metrics share, and the grade. Joined verdicts may differ from single ones, so the versions differ too.
"""

from dataclasses import dataclass

from ragjudge.metric_specs import (
    ANSWER_RELEVANCY,
    CONTEXT_PRECISION,
    CONTEXT_RECALL,
    FAITHFULNESS,
    MetricSpec,
)
from ragjudge.metrics import tasks, verdicts
from ragjudge.metrics.answer_relevancy import score_generated
from ragjudge.metrics.asking import ask
from ragjudge.metrics.base import Gradable, without_contexts, without_reference
from ragjudge.metrics.context_precision import score_usefulness
from ragjudge.metrics.context_recall import score_attribution
from ragjudge.metrics.costs import STATEMENT_TOKENS, Assumed, PlannedCall, asked_tokens, estimated_tokens
from ragjudge.metrics.cutting import ask_about
from ragjudge.metrics.faithfulness import no_claims, score_claims
from ragjudge.metrics.prompting import Prompts
from ragjudge.metrics.sentences import SPLITTING, sentences
from ragjudge.metrics.shared import SharedCalls
from ragjudge.ports import Embedder, Judge, JudgeReply, JudgeTask
from ragjudge.results.outcome import NotApplicable, Scored
from ragjudge.suite.case import Case


@dataclass(frozen=True, slots=True)
class EconomicAnswerRelevancy:
    """All questions in one reply."""

    prompts: Prompts
    questions: int = 3
    spec: MetricSpec = ANSWER_RELEVANCY

    @property
    def version(self) -> str:
        return f"1:economic:n{self.questions}:{self.prompts.digest(tasks.QUESTIONS)}"

    def planned(self, case: Case, assumed: Assumed) -> list[PlannedCall]:  # noqa: ARG002 - every case costs the same
        prompt = self.prompts.tokens(tasks.QUESTIONS) + assumed.answer_tokens
        return [PlannedCall(prompt, self.questions * STATEMENT_TOKENS)]

    async def score(self, item: Gradable, judge: Judge, embedder: Embedder) -> Scored | NotApplicable:
        task = self.prompts.task(
            tasks.QUESTIONS,
            tasks.GeneratedQuestions,
            {"answer": item.answer.text, "of": self.questions},
            sample=item.sample,
            check=verdicts.questions(self.questions),
        )
        reply = await ask(judge, task)
        return await score_generated(
            item.asked, reply.value.questions, [reply], embedder=embedder, language=item.language
        )


@dataclass(frozen=True, slots=True)
class EconomicFaithfulness:
    """Claims and their verdicts in one reply."""

    prompts: Prompts
    spec: MetricSpec = FAITHFULNESS

    @property
    def version(self) -> str:
        return f"1:economic:{self.prompts.digest(tasks.CLAIMS)}"

    def planned(self, case: Case, assumed: Assumed) -> list[PlannedCall]:
        material = asked_tokens(case) + assumed.all_contexts + assumed.answer_tokens
        reply = 2 * assumed.statements * STATEMENT_TOKENS
        return [PlannedCall(self.prompts.tokens(tasks.CLAIMS) + material, reply)]

    async def score(
        self,
        item: Gradable,
        judge: Judge,
        embedder: Embedder,  # noqa: ARG002 - the protocol's; this metric compares no vectors
    ) -> Scored | NotApplicable:
        if not item.contexts:
            return without_contexts(item)
        reply = await ask_about(
            judge,
            item.contexts,
            lambda contexts: self.prompts.task(
                tasks.CLAIMS,
                tasks.Claims,
                {"question": item.question, "contexts": [*contexts], "answer": item.answer.text},
                sample=item.sample,
                check=verdicts.claims,
            ),
        )
        claims = reply.value.claims
        return score_claims(claims, [reply], item.language) if claims else no_claims([reply])


@dataclass(frozen=True, slots=True)
class ContextReviewer:
    """The call that context recall and context precision of a case have in common."""

    prompts: Prompts
    calls: SharedCalls[tasks.ContextReview]

    @property
    def digest(self) -> str:
        return f"s{SPLITTING}:{self.prompts.digest(tasks.CONTEXT_REVIEW)}"

    def planned(self, case: Case, assumed: Assumed) -> list[PlannedCall]:
        reference = case.expected
        if reference is None:
            return []
        material = asked_tokens(case) + assumed.all_contexts + 2 * estimated_tokens(reference)
        reply = (assumed.contexts + len(sentences(reference))) * STATEMENT_TOKENS
        prompt = self.prompts.tokens(tasks.CONTEXT_REVIEW) + material
        return [PlannedCall(prompt, reply, shared=tasks.CONTEXT_REVIEW)]

    async def review(self, item: Gradable, reference: str, judge: Judge) -> JudgeReply[tasks.ContextReview]:
        wanted = sentences(reference)

        def task(contexts: list[str]) -> JudgeTask[tasks.ContextReview]:
            return self.prompts.task(
                tasks.CONTEXT_REVIEW,
                tasks.ContextReview,
                {
                    "question": item.question,
                    "contexts": [*contexts],
                    "reference": reference,
                    "sentences": [*wanted],
                },
                sample=item.sample,
                check=verdicts.context_review(len(contexts), len(wanted)),
            )

        return await ask_about(judge, item.contexts, task, through=self.calls.ask)


@dataclass(frozen=True, slots=True)
class EconomicContextRecall:
    """The reference's verdicts out of the shared review."""

    reviewer: ContextReviewer
    spec: MetricSpec = CONTEXT_RECALL

    @property
    def version(self) -> str:
        return f"1:economic:{self.reviewer.digest}"

    def planned(self, case: Case, assumed: Assumed) -> list[PlannedCall]:
        return self.reviewer.planned(case, assumed)

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
        reply = await self.reviewer.review(item, item.reference, judge)
        wanted = sentences(item.reference)
        return score_attribution(wanted, reply.value.attribution, [reply], item.language)


@dataclass(frozen=True, slots=True)
class EconomicContextPrecision:
    """The contexts' verdicts out of the shared review."""

    reviewer: ContextReviewer
    spec: MetricSpec = CONTEXT_PRECISION

    @property
    def version(self) -> str:
        return f"1:economic:{self.reviewer.digest}"

    def planned(self, case: Case, assumed: Assumed) -> list[PlannedCall]:
        return self.reviewer.planned(case, assumed)

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
        reply = await self.reviewer.review(item, item.reference, judge)
        useful = [verdict.useful for verdict in sorted(reply.value.usefulness, key=lambda v: v.index)]
        return score_usefulness(useful, [reply], item.language)
