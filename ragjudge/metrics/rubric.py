"""A team's own criterion as a metric: a rubric in words and a scale, no code."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from ragjudge.compare.policy import custom_spec
from ragjudge.metric_specs import MetricSpec
from ragjudge.metrics import tasks, verdicts
from ragjudge.metrics.asking import joined_notes
from ragjudge.metrics.base import Gradable, without_contexts, without_reference
from ragjudge.metrics.costs import STATEMENT_TOKENS, Assumed, PlannedCall, asked_tokens, estimated_tokens
from ragjudge.metrics.cutting import ask_about
from ragjudge.metrics.prompting import Prompts
from ragjudge.ports import Embedder, Judge
from ragjudge.results.outcome import NotApplicable, Scored
from ragjudge.settings import CustomMetric
from ragjudge.suite.case import Case


@dataclass(frozen=True, slots=True)
class Rubric:
    """The judge's grade by the team's criterion. One call. Every word of the criterion is part of the version."""

    prompts: Prompts
    custom: CustomMetric

    @property
    def spec(self) -> MetricSpec:
        return custom_spec(self.custom)

    @property
    def version(self) -> str:
        what = {"rubric", "scale", "needs_contexts", "needs_reference", "examples"}
        text = json.dumps(
            self.custom.model_dump(mode="json", include=what), ensure_ascii=True, sort_keys=True
        )
        return f"1:{self.prompts.digest(tasks.RUBRIC)}:r{hashlib.sha256(text.encode()).hexdigest()[:8]}"

    def planned(self, case: Case, assumed: Assumed) -> list[PlannedCall]:
        reference = case.expected
        if reference is None and self.custom.needs_reference:
            return []
        contexts = assumed.all_contexts if self.custom.needs_contexts else 0
        shown = estimated_tokens(reference or "") if self.custom.needs_reference else 0
        material = estimated_tokens(self.custom.rubric) + asked_tokens(case) + assumed.answer_tokens
        prompt = self.prompts.tokens(tasks.RUBRIC) + material + contexts + shown
        return [PlannedCall(prompt, 2 * STATEMENT_TOKENS)]

    async def score(
        self,
        item: Gradable,
        judge: Judge,
        embedder: Embedder,  # noqa: ARG002 - the protocol's; this metric compares no vectors
    ) -> Scored | NotApplicable:
        if self.custom.needs_reference and item.reference is None:
            return without_reference()
        if self.custom.needs_contexts and not item.contexts:
            return without_contexts(item)
        low, high = self.custom.scale
        reply = await ask_about(
            judge,
            item.contexts if self.custom.needs_contexts else (),
            lambda contexts: self.prompts.task(
                tasks.RUBRIC,
                tasks.RubricGrade,
                self._fields(item, contexts),
                sample=item.sample,
                check=verdicts.rubric(low, high),
            ),
        )
        return Scored(
            value=float(reply.value.score),
            reason=reply.value.reason,
            notes=joined_notes([reply]),
            usage=reply.usage,
        )

    def _fields(self, item: Gradable, contexts: Sequence[str]) -> dict[str, JsonValue]:
        low, high = self.custom.scale
        return {
            "metric": self.custom.name,
            "rubric": self.custom.rubric,
            "low": low,
            "high": high,
            "examples": [dict(example) for example in self.custom.examples],
            "question": item.question,
            "answer": item.answer.text,
            "reference": item.reference if self.custom.needs_reference else None,
            "contexts": list(contexts),
        }
