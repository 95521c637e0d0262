"""A typo fix is not a lost case: near-identical pairs of gone and new cases, offered as renames."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

from ragjudge.compare.decision import Reason, ReasonCode
from ragjudge.results.run import CaseResult, RunResult
from ragjudge.suite.natural import natural

ALIKE = 0.85
"""Share of characters in common from which two questions look like one (difflib's ratio)."""
MOST_COMPARED = 200
"""Suites that were exchanged as a whole are not searched for renames."""


@dataclass(frozen=True, slots=True)
class Rename:
    old_id: str
    new_id: str
    likeness: float


def renames(before: RunResult, after: RunResult) -> tuple[Rename, ...]:
    """The likeliest partner of each gone case among the new ones, each used once, best first."""
    gone = _only_in(before, after)
    new = _only_in(after, before)
    if not gone or not new or len(gone) * len(new) > MOST_COMPARED**2:
        return ()
    pairs = sorted(_alike(gone, new), key=lambda r: (-r.likeness, natural(r.old_id), natural(r.new_id)))
    taken: set[str] = set()
    found = []
    for pair in pairs:
        if not taken & {f"old {pair.old_id}", f"new {pair.new_id}"}:
            taken |= {f"old {pair.old_id}", f"new {pair.new_id}"}
            found.append(pair)
    return tuple(found)


def as_reasons(found: Iterable[Rename]) -> tuple[Reason, ...]:
    return tuple(
        Reason(code=ReasonCode.MAYBE_RENAMED, cases=(r.old_id, r.new_id), number=round(r.likeness, 3))
        for r in found
    )


def _only_in(one: RunResult, other: RunResult) -> list[CaseResult]:
    known = {c.case.id for c in other.cases}
    return [c for c in one.cases if c.case.id not in known and c.case.skip is None]


def _alike(gone: list[CaseResult], new: list[CaseResult]) -> Iterable[Rename]:
    for old in gone:
        if old.case.digests is not None:
            yield from (Rename(old.case.id, one.case.id, 1.0) for one in new if one.case.asks_as(old.case))
            continue
        matcher = SequenceMatcher(autojunk=False)
        matcher.set_seq2(old.case.question)
        for other in new:
            if old.case.inputs != other.case.inputs:
                continue
            matcher.set_seq1(other.case.question)
            if matcher.real_quick_ratio() >= ALIKE and matcher.quick_ratio() >= ALIKE:
                likeness = matcher.ratio()
                if likeness >= ALIKE:
                    yield Rename(old.case.id, other.case.id, likeness)
