"""Cases that kept their question but changed their id: renumbered lists, inserted rows, renamed ids.

Ids pair a run with its baseline. A list numbered by its rows gets every id behind an inserted row wrong; then old
questions are compared with new ones. What moved is found by the questions themselves.
"""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from ragjudge.suite.case import Case

NEAR = 0.8
"""Share of common character pairs (Dice, 0 to 1) from which two questions are taken for versions of one."""
MOST_PAIRS = 250_000
"""Comparing everything with everything is for small lists; beyond this only equal questions are paired."""


@dataclass(frozen=True, slots=True)
class Move:
    """The question of `old_id` now stands under `new_id`; `similarity` is 1.0 where it is the same to the letter."""

    old_id: str
    new_id: str
    similarity: float


def moves(before: Sequence[Case], after: Sequence[Case]) -> tuple[Move, ...]:
    """Pairs of ids, in the order of `before`; each id is used at most once on its side.

    A case that has the same question under the same id in both lists has not moved. Equal reference and category
    decide between several cases with one question.
    """
    still = {case.id: case.question_digest for case in after}
    stayed = {case.id for case in before if still.get(case.id) == case.question_digest}
    gone = [case for case in before if case.id not in stayed]
    new = [case for case in after if case.id not in stayed]
    found: dict[str, Move] = {}
    for key in (_everything, _question):
        found |= {m.old_id: m for m in _equal(gone, new, key)}
        taken = {move.new_id for move in found.values()}
        gone = [case for case in gone if case.id not in found]
        new = [case for case in new if case.id not in taken]
    found |= {m.old_id: m for m in _near(_without(gone, still), _without(new, {c.id for c in before}))}
    return tuple(found[case.id] for case in before if case.id in found)


def _everything(case: Case) -> Hashable:
    return (case.question_digest, case.reference_digest, case.category)


def _question(case: Case) -> Hashable:
    return case.question_digest


def _equal(gone: Iterable[Case], new: Iterable[Case], key: Callable[[Case], Hashable]) -> Iterable[Move]:
    waiting: dict[Hashable, list[Case]] = defaultdict(list)
    for case in new:
        waiting[key(case)].append(case)
    for case in gone:
        same = waiting[key(case)]
        if same:
            yield Move(case.id, same.pop(0).id, 1.0)


def _without(cases: Iterable[Case], ids: Iterable[str]) -> list[Case]:
    """Only ids that one side alone has: an edited question under its old id is an edit, not a move."""
    kept = set(ids)
    return [case for case in cases if case.id not in kept]


def _near(gone: Sequence[Case], new: Sequence[Case]) -> Iterable[Move]:
    """The most similar pairs first."""
    if len(gone) * len(new) > MOST_PAIRS:
        return
    pairs_of = {id(case): _pairs(case.question) for case in (*gone, *new)}
    candidates = []
    for old in gone:
        for other in new:
            if old.inputs != other.inputs:
                continue
            similarity = _dice(pairs_of[id(old)], pairs_of[id(other)])
            if similarity >= NEAR:
                candidates.append((-similarity, old.id, other.id))
    used_old: set[str] = set()
    used_new: set[str] = set()
    for negative, old_id, new_id in sorted(candidates):
        if old_id not in used_old and new_id not in used_new:
            used_old.add(old_id)
            used_new.add(new_id)
            yield Move(old_id, new_id, -negative)


def _pairs(text: str) -> Counter[str]:
    plain = "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())
    return Counter(plain[i : i + 2] for i in range(max(len(plain) - 1, min(len(plain), 1))))


def _dice(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    if not total or 2 * min(one.total(), other.total()) < NEAR * total:
        return 0.0
    return 2 * (one & other).total() / total
