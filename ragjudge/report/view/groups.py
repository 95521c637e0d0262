"""Means per category, tag and team field: where in the suite things got worse."""

from collections.abc import Callable, Iterable, Sequence
from math import fsum

from ragjudge.report.view.model import CaseView, GroupMean, GroupRow, GroupView

MOST_VALUES = 20
"""A field with more values than this is no grouping but a text of its own."""


def means(cases: Sequence[CaseView], metrics: Sequence[str]) -> tuple[GroupView, ...]:
    """One view per way of grouping that says something: at least two values, not one per case."""
    names = list(dict.fromkeys(name for case in cases for name in case.fields))
    ways: list[tuple[str, str, Callable[[CaseView], tuple[str, ...]]]] = [
        *((("field", name, _field(name))) for name in names),
        ("category", "", lambda case: (case.category,) if case.category else ()),
        ("tag", "", lambda case: case.tags),
    ]
    found = []
    for kind, name, values in ways:
        members = _members(cases, values)
        if _says_something(members, len(cases)):
            rows = tuple(_row(value, group, metrics) for value, group in members.items())
            found.append(GroupView(kind=kind, name=name, rows=rows))
    return tuple(found)


def _field(name: str) -> Callable[[CaseView], tuple[str, ...]]:
    return lambda case: (case.fields[name],) if case.fields.get(name) else ()


def _members(
    cases: Iterable[CaseView], values: Callable[[CaseView], tuple[str, ...]]
) -> dict[str, list[CaseView]]:
    members: dict[str, list[CaseView]] = {}
    for case in cases:
        for value in values(case):
            members.setdefault(value, []).append(case)
    return members


def _says_something(members: dict[str, list[CaseView]], cases: int) -> bool:
    return 2 <= len(members) <= min(MOST_VALUES, max(2, cases // 2))


def _row(value: str, group: Sequence[CaseView], metrics: Sequence[str]) -> GroupRow:
    return GroupRow(
        value=value,
        cases=len(group),
        means={metric: _mean(group, metric) for metric in metrics},
        needs_improvement=sum(case.needs_improvement for case in group),
    )


def _mean(group: Sequence[CaseView], metric: str) -> GroupMean:
    scores = [case.scores[metric] for case in group if metric in case.scores]
    after = [score.after for score in scores if score.after is not None]
    changes = [score.change for score in scores if score.change is not None]
    return GroupMean(
        mean=fsum(after) / len(after) if after else None,
        change=fsum(changes) / len(changes) if changes else None,
    )
