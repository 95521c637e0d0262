"""What every metric is: something that turns one answer into one outcome."""

from dataclasses import dataclass
from typing import Protocol

from ragjudge.language import Language
from ragjudge.metric_specs import MetricSpec
from ragjudge.ports import Embedder, Judge
from ragjudge.results.answer import Answer
from ragjudge.results.outcome import Inapplicable, NotApplicable, Scored
from ragjudge.suite.case import Case


@dataclass(frozen=True, slots=True)
class Gradable:
    """The sole input of every metric: a case and the app's answer to it.

    `language` is that of our own words in a reason, the report's; prompts have one of their own.
    `sample` is the attempt's name: it makes repeats and confirmations differ in the judge's cache.
    """

    case: Case
    answer: Answer
    language: Language
    allow: tuple[str, ...] = ()
    sample: str = "1"

    @property
    def asked(self) -> str:
        """The question that the answer answers: the last turn's, where there are several."""
        return self.case.turns[-1].question if self.case.turns else self.case.question

    @property
    def question(self) -> str:
        """`asked`, with the conversation's earlier questions on lines of their own before it."""
        questions = [self.case.question, *(turn.question for turn in self.case.turns)]
        return "\n".join(questions)

    @property
    def reference(self) -> str | None:
        return self.case.expected

    @property
    def contexts(self) -> tuple[str, ...]:
        """The retrieved passages, best first; empty where none could be had."""
        retrieved = self.answer.contexts
        return tuple(item.content for item in retrieved.items) if retrieved.kind == "retrieved" else ()


class Metric(Protocol):
    """A metric. Raises `JudgeCouldNotScore` where a score could not be had; tokens are counted by the engine."""

    @property
    def spec(self) -> MetricSpec: ...

    @property
    def version(self) -> str:
        """Bumped whenever the metric's behaviour changes, joined with a digest of its prompts."""
        ...

    async def score(self, item: Gradable, judge: Judge, embedder: Embedder) -> Scored | NotApplicable: ...


def without_reference() -> NotApplicable:
    return NotApplicable(reason=Inapplicable.NO_REFERENCE)


def without_contexts(item: Gradable) -> NotApplicable:
    """Never a pass and never 0: the detail says why there are none."""
    missing = item.answer.contexts
    detail = missing.cause.value if missing.kind == "not_available" else ""
    return NotApplicable(reason=Inapplicable.NO_CONTEXTS, detail=detail)
