"""checks: do all of a case's own checks hold? No judge is asked."""

import asyncio
from dataclasses import dataclass

from ragjudge.language import Language
from ragjudge.metric_specs import CHECKS, MetricSpec
from ragjudge.metrics.base import Gradable
from ragjudge.metrics.checks import CheckResult, run_checks
from ragjudge.ports import Embedder, Judge
from ragjudge.results.outcome import Inapplicable, NotApplicable, Scored
from ragjudge.suite.case import Case, Checks, Suite


@dataclass(frozen=True, slots=True)
class ChecksHold:
    """1 where every check of the case holds, else 0 with the ones that don't in the reason."""

    spec: MetricSpec = CHECKS

    @property
    def version(self) -> str:
        return "1"

    async def score(
        self,
        item: Gradable,
        judge: Judge,  # noqa: ARG002 - the protocol's; checks need none
        embedder: Embedder,  # noqa: ARG002 - the protocol's; this metric compares no vectors
    ) -> Scored | NotApplicable:
        checks = of_answer(item.case)
        if checks == Checks():
            return NotApplicable(reason=Inapplicable.NOT_SELECTED, detail="no_checks")
        # A pattern may take seconds: nothing else waits for it.
        results = await asyncio.to_thread(run_checks, checks, item.answer)
        failed = [result for result in results if not result.passed]
        if not failed and checks.max_latency_s is not None and item.answer.latency_s is None:
            return NotApplicable(reason=Inapplicable.NO_LATENCY)
        return Scored(
            value=0.0 if failed else 1.0,
            reason=" / ".join(_shown(result, item.language) for result in failed),
        )


def _shown(result: CheckResult, language: Language) -> str:
    why_not = result.why_not.in_language(language) if result.why_not else ""
    return f"{result.kind} “{result.wanted}”: {why_not}"


def of_answer(case: Case) -> Checks:
    """The checks on the answer that is kept: the last turn's, where there are several."""
    return case.turns[-1].checks if case.turns else case.checks


def wanted(suite: Suite) -> bool:
    """Has any case a check?"""
    return any(of_answer(case) != Checks() for case in suite.whole)
