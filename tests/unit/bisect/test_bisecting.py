"""One change after the other, with scripted apps: what is tried, what is not and why."""

import asyncio

import pytest

from ragjudge.bisect.bisecting import MOST_S, Bisecting, Limits, Tried
from ragjudge.bisect.candidates import Candidate, Candidates
from ragjudge.errors import AppUnreachable, ConsoleUnreachable, DslFault, Problem
from ragjudge.language import Text
from ragjudge.results.attribution import Alone
from ragjudge.results.run import CaseResult, Sample
from ragjudge.results.usage import Usage
from tests.builders import case, run


def text(en):
    return Text(en, en)


def candidate(name, why_not=None):
    return Candidate(text(name), digest=name, why_not=why_not and text(why_not))


BASE = candidate("base")


def asked(*ids, tokens=0):
    results = [CaseResult(case=case(i), samples=(Sample(attempt="1"),)) for i in ids]
    return run(results, judge_usage=Usage(prompt_tokens=tokens))


class Apps:
    """What each candidate breaks; an error instead is raised. `tokens` of the judge are spent by each."""

    def __init__(self, tokens=0, **breaks):
        self.breaks = breaks
        self.tokens = tokens
        self.tried = []

    async def __call__(self, one, cases, spent):
        found = self.breaks.get(one.name.en, ())
        if isinstance(found, Exception):
            raise found
        self.tried.append((one.name.en, cases))
        alone = Alone(one.name, (), cases, tuple(c for c in cases if c in found))
        return Tried(alone, asked(*cases, tokens=spent.total_tokens + self.tokens))


def bisected(apps, *names, cases=("1", "2"), limits=None, clock=lambda: 0.0, start=None):
    each = tuple(one if isinstance(one, Candidate) else candidate(one) for one in names)
    said = []
    bisecting = Bisecting(
        start or asked(*cases), limits or Limits(), apps, monotonic=clock, note=lambda t: said.append(t.en)
    )
    return asyncio.run(bisecting.each(Candidates(each, BASE), cases)), said


def reasons(found):
    return [one.why_not and one.why_not.en for one in found.alone]


def test_each_change_is_tried_on_the_regressed_cases():
    """One note per try; the base is not asked where something is told apart."""
    apps = Apps(a={"1", "2"})
    found, said = bisected(apps, "a", "b")

    assert apps.tried == [("a", ("1", "2")), ("b", ("1", "2"))]
    assert [one.broken for one in found.alone] == [("1", "2"), ()]
    assert len(said) == 2
    assert (found.unchanged, found.questions) == (None, 4)


def test_the_base_is_asked_only_what_every_change_breaks():
    """A control where it can tell something."""
    apps = Apps(a={"1", "2"}, b={"1"}, base={"1"})
    found, said = bisected(apps, "a", "b")

    assert apps.tried[-1] == ("base", ("1",))
    assert found.unchanged.broken == ("1",)
    assert "without any" in said[-1]


def test_what_cannot_stand_alone_costs_nothing():
    """The others are tried all the same, and nothing is concluded about the cases from half."""
    apps = Apps()
    found, _ = bisected(apps, candidate("a", "it dangles"), "b")

    assert reasons(found) == ["it dangles", None]
    assert [name for name, _ in apps.tried] == ["b"]
    assert (found.together, found.open) == ((), ("1", "2"))


def test_a_change_that_the_server_refuses_does_not_stop_the_others():
    """A missing plugin is about this change alone."""
    apps = Apps(a=DslFault([Problem(text("no plugin"))]), b={"1"})
    found, _ = bisected(apps, "a", "b")

    assert reasons(found) == ["no plugin", None]
    assert found.broken_by("1")[0].name.en == "b"


@pytest.mark.parametrize(
    ("trouble", "says"), [(ConsoleUnreachable(text("gone")), "gone"), (TimeoutError(), "no answer in time.")]
)
def test_a_server_that_is_gone_is_not_tried_again(trouble, says):
    """Each further try would only wait."""
    apps = Apps(a={"1"}, b=trouble)
    found, _ = bisected(apps, "a", "b", "c")

    assert reasons(found) == [None, says, f"stopped before: {says}"]
    assert [name for name, _ in apps.tried] == ["a"]


def test_an_interrupt_ends_the_trying_and_nothing_else():
    """The verdict is known by then: what was found so far is told, and the task goes on."""

    async def attempt(one, cases, spent):
        if one.name.en == "b":
            asyncio.current_task().cancel()
            await asyncio.sleep(0)
        return Tried(Alone(one.name, (), cases, cases), asked(*cases, tokens=spent.total_tokens))

    found, _ = bisected(attempt, "a", "b", "c")

    assert found.alone[0].broken == ("1", "2")
    assert reasons(found) == [None, "it was interrupted.", "it was interrupted."]


def test_a_try_that_ended_early_keeps_what_it_found_and_is_the_last():
    """The judge went away after the first case."""

    async def attempt(one, cases, spent):
        alone = Alone(one.name, (), cases[:1], cases[:1])
        return Tried(alone, asked(*cases[:1], tokens=spent.total_tokens), AppUnreachable(text("outage")))

    found, _ = bisected(attempt, "a", "b")

    assert (found.alone[0].broken, reasons(found)) == (("1",), ["outage", "stopped before: outage"])


def test_an_app_whose_answers_cannot_be_scored_says_so():
    """Nothing tried is not the same as nothing broken."""

    async def attempt(one, cases, spent):
        return Tried(Alone(one.name), asked(*cases, tokens=spent.total_tokens))

    found, _ = bisected(attempt, "a", "b")

    assert reasons(found) == ["no answer could be scored."] * 2
    assert found.together == ()


@pytest.mark.parametrize(
    ("questions", "tried"), [(4, []), (5, ["a"]), (6, ["a", "b"]), (13, ["a", "b"]), (14, ["a", "b"])]
)
def test_questions_are_counted_over_check_and_bisect(questions, tried):
    """The check asked two. A case may cost three, and costs one here: what it leaves goes to the next change."""
    apps = Apps()
    found, _ = bisected(apps, "a", "b", limits=Limits(questions=questions))

    assert [name for name, _ in apps.tried] == tried
    assert {len(cases) for _, cases in apps.tried} <= {2 if questions == 14 else 1}
    assert 2 + found.questions <= questions
    assert [why for why in reasons(found) if why] == ["budget.questions does not reach for it."] * (
        2 - len(tried)
    )


def test_the_judges_budget_is_one_for_all():
    """The check spent 50 of 100 tokens, the first change 60: the second is not begun."""
    apps = Apps(tokens=60)
    found, _ = bisected(apps, "a", "b", limits=Limits(judge_tokens=100), start=asked("1", "2", tokens=50))

    assert reasons(found) == [None, "budget.judge_tokens is used up."]
    assert found.judge_tokens == 60


def test_no_change_is_begun_after_half_an_hour():
    """The verdict waits to be told."""
    times = iter([0.0, 10.0, MOST_S + 1, MOST_S + 1])
    found, _ = bisected(Apps(), "a", "b", clock=lambda: next(times))

    assert reasons(found) == [None, "it would take too long."]
