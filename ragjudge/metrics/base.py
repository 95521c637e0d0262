"""What every metric is: something that turns one answer into one outcome."""

from dataclasses import dataclass
from typing import Protocol

from ragjudge.language import Language
from ragjudge.metric_specs import MetricSpec
from ragjudge.ports import Embedder, Judge
from ragjudge.results.answer import Answer
from ragjudge.results.outcome import NotApplicable, Scored
from ragjudge.suite.case import Case


@dataclass(frozen=True, slots=True)
class Gradable:
    """The sole input of every metric: a case and the app's answer to it.

    `sample` is the attempt's name: it makes repeats and confirmations differ in the judge's cache.
    """

    case: Case
    answer: Answer
    language: Language
    allow: tuple[str, ...] = ()
    sample: str = "1"


class Metric(Protocol):
    """A metric. Raises `JudgeCouldNotScore` where a score could not be had; tokens are counted by the engine."""

    @property
    def spec(self) -> MetricSpec: ...

    @property
    def version(self) -> str:
        """Bumped whenever the metric's behaviour changes, joined with a digest of its prompts."""
        ...

    async def score(self, item: Gradable, judge: Judge, embedder: Embedder) -> Scored | NotApplicable: ...
