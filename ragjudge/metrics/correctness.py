"""correctness: how good is the answer beside the ideal one, on the teams' own scale of 1 to 5?"""

import hashlib
from dataclasses import dataclass

from pydantic import JsonValue

from ragjudge.language import Language
from ragjudge.metric_specs import CORRECTNESS, VIEWPOINTS, MetricSpec
from ragjudge.metrics import tasks
from ragjudge.metrics.asking import ask, joined_notes
from ragjudge.metrics.base import Gradable, without_reference
from ragjudge.metrics.costs import STATEMENT_TOKENS, Assumed, PlannedCall, asked_tokens, estimated_tokens
from ragjudge.metrics.prompting import Prompts
from ragjudge.ports import Embedder, Judge
from ragjudge.results.outcome import NotApplicable, Scored
from ragjudge.suite.case import Case

SUMMARY_CUT = "summary_cut"
"""Note: the judge's summary was longer than asked for and was shortened."""
_LONGEST = {"ja": 50, "en": 80}


@dataclass(frozen=True, slots=True)
class Correctness:
    """The judge's grade with a comment per viewpoint and a summary. One call; only the answer's text goes to it.

    `allow` are differences that never cost points, in the team's own words; part of the version, so that scores
    under other rules are not compared.
    """

    prompts: Prompts
    allow: tuple[str, ...] = ()
    spec: MetricSpec = CORRECTNESS

    @property
    def version(self) -> str:
        version = f"1:{self.prompts.digest(tasks.GRADE)}"
        if not self.allow:
            return version
        digest = hashlib.sha256("\0".join(self.allow).encode("utf-8", "surrogatepass")).hexdigest()
        return f"{version}:a{digest[:8]}"

    def planned(self, case: Case, assumed: Assumed) -> list[PlannedCall]:
        reference = case.expected
        if reference is None:
            return []
        material = asked_tokens(case) + estimated_tokens(reference) + assumed.answer_tokens
        reply = (len(VIEWPOINTS) + 1) * STATEMENT_TOKENS
        return [PlannedCall(self.prompts.tokens(tasks.GRADE) + material, reply)]

    async def score(
        self,
        item: Gradable,
        judge: Judge,
        embedder: Embedder,  # noqa: ARG002 - the protocol's; this metric compares no vectors
    ) -> Scored | NotApplicable:
        if item.reference is None:
            return without_reference()
        allow = dict.fromkeys([*self.allow, *item.allow])
        fields: dict[str, JsonValue] = {
            "question": item.question,
            "reference": item.reference,
            "answer": item.answer.text,
            "allow": list(allow),
        }
        reply = await ask(judge, self.prompts.task(tasks.GRADE, tasks.Grade, fields, sample=item.sample))
        grade = reply.value
        summary = _shortened(grade.summary, self.prompts.language)
        cut = (SUMMARY_CUT,) if summary != _one_line(grade.summary) else ()
        return Scored(
            value=float(grade.score),
            reason=summary,
            comments={**{name: getattr(grade, name) for name in VIEWPOINTS}, "summary": summary},
            notes=joined_notes([reply], *cut),
            usage=reply.usage,
        )


def _shortened(summary: str, language: Language) -> str:
    """At most 50 characters in Japanese, 80 in English, the mark of shortening included."""
    summary, longest = _one_line(summary), _LONGEST[language]
    return summary if len(summary) <= longest else summary[: longest - 1] + "…"


def _one_line(text: str) -> str:
    return " ".join(text.split())
