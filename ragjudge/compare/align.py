"""Which cases can be compared at all: pair two runs by case id, and name everything that cannot be paired."""

from dataclasses import dataclass

from ragjudge.results.run import CaseResult, RunResult
from ragjudge.suite.natural import by_id


@dataclass(frozen=True, slots=True)
class Pair:
    """The same question in two runs. Metrics that need the reference can be compared only if it is the same too."""

    before: CaseResult
    after: CaseResult
    same_reference: bool

    @property
    def case_id(self) -> str:
        return self.after.case.id


@dataclass(frozen=True, slots=True)
class Alignment:
    """Each case of either run once. All in the order of ids, so that the order of a suite's file changes nothing.

    `pairs` are ordered as plain text: the resampling goes by their places. What is listed is ordered for people.
    """

    pairs: tuple[Pair, ...]
    new: tuple[str, ...]
    removed: tuple[str, ...]
    newly_skipped: tuple[str, ...]
    question_changed: tuple[str, ...]

    @property
    def reference_changed(self) -> tuple[str, ...]:
        return tuple(p.case_id for p in self.pairs if not p.same_reference)

    @property
    def checks_changed(self) -> tuple[str, ...]:
        return by_id(p.case_id for p in self.pairs if not p.before.case.checks_as(p.after.case))


def align(before: RunResult, after: RunResult) -> Alignment:
    """Pair by id over the intersection of what was asked in both runs."""
    then = {c.case.id: c for c in before.cases if c.case.skip is None}
    now = {c.case.id: c for c in after.cases}
    asked = {case_id: c for case_id, c in now.items() if c.case.skip is None}
    common = sorted(then.keys() & asked.keys())
    same = [i for i in common if asked[i].case.asks_as(then[i].case)]
    return Alignment(
        pairs=tuple(_pair(then[i], asked[i]) for i in same),
        new=by_id(asked.keys() - then.keys()),
        removed=by_id(then.keys() - now.keys()),
        newly_skipped=by_id((then.keys() & now.keys()) - asked.keys()),
        question_changed=by_id(set(common) - set(same)),
    )


def _pair(before: CaseResult, after: CaseResult) -> Pair:
    return Pair(before, after, same_reference=before.case.expects_as(after.case))
