"""The story of a run whose suite has several judged turns in one conversation."""

import asyncio

import pytest

from ragjudge import pipeline
from ragjudge.settings import AppSettings, Settings
from ragjudge.suite import every_turn
from ragjudge.suite.case import Turn
from tests import builders
from tests.fakes import FakeApp, FakeEmbedder, FakeJournal, FakeJudge, FakeMetric, FakeProgress

SUITE = every_turn(
    builders.suite(
        builders.case("A", question="一", turns=(Turn(question="二", reference="x"),)),
        builders.case("B", question="三"),
    )
)


def ran(grades: dict[str, float], cleanup: str = "passed"):
    """Run the suite with these grades of correctness; returns the app and the record."""
    app = FakeApp()
    parts = pipeline.Parts(
        app=app,
        judge=FakeJudge(),
        embedder=FakeEmbedder(),
        metrics=(FakeMetric(score=lambda item: grades.get(item.case.id, 5.0)),),
        journal=FakeJournal(),
        progress=FakeProgress(),
    )
    job = pipeline.Job(
        settings=Settings(app=AppSettings(cleanup=cleanup)),
        suite=SUITE,
        run_id="r",
        language="ja",
        repeats=1,
        now=lambda: builders.NOON,
    )
    return app, asyncio.run(pipeline.run(parts, job)).run


@pytest.mark.parametrize("weak", ["A", "A#turn1"])
def test_a_conversation_stays_where_any_of_its_turns_is_worth_opening(weak):
    """A weak turn is looked up in the app's log, where the whole conversation stands."""
    app, _ = ran({weak: 1.0})
    talk, other = (next(q.user for q in app.asked if q.query == query) for query in ("一", "三"))

    assert talk != other
    assert [other] == app.forgotten


def test_a_conversation_whose_turns_all_passed_is_forgotten_once():
    """One user for all its cases."""
    app, record = ran({})

    assert 2 == len(app.forgotten) == len(set(app.forgotten))
    assert ["A#turn1", "A", "B"] == [result.case.id for result in record.cases]
    assert sorted("一二三") == sorted(q.query for q in app.asked)
