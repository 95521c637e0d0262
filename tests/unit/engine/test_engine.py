import asyncio

import pytest

from ragjudge.engine.ask import Ask
from ragjudge.engine.engine import Asked, Engine, Limits
from ragjudge.engine.grade import Grader
from ragjudge.engine.metering import Purse
from ragjudge.engine.outage import PATIENCE, app_outage, judge_outage
from ragjudge.errors import AppCouldNotAnswer, AppMisconfigured, AppUnreachable, JudgeCouldNotScore
from ragjudge.language import Text
from ragjudge.ports import Remembered
from ragjudge.results.outcome import Cause, Inapplicable, NotApplicable, Scored, Unscored
from ragjudge.results.usage import Usage
from ragjudge.suite.case import Checks, Turn
from tests import builders
from tests.fakes import FakeApp, FakeEmbedder, FakeJournal, FakeJudge, FakeMetric, FakeProgress

OOPS = Text("oops", "失敗")


def asks(*cases) -> list[Ask]:
    return [Ask(case=c, attempt="1", inputs={}, user=f"user-{c.id}") for c in cases]


def go(app, metrics, todo, *, journal=None, limits=None) -> Asked:
    journal = journal or FakeJournal()
    grader = Grader(
        judge=FakeJudge(),
        embedder=FakeEmbedder(),
        metrics=metrics,
        journal=journal,
        purse=Purse(),
        outage=judge_outage(),
    )
    engine = Engine(
        app=app,
        grader=grader,
        journal=journal,
        progress=FakeProgress(),
        limits=limits or Limits(asking=3, judging=5),
        outage=app_outage(),
        language="ja",
    )
    return asyncio.run(engine.run(todo))


def cases(count: int):
    return [builders.case(str(n), question=f"質問{n}") for n in range(count)]


def test_every_case_is_asked_once_and_samples_keep_the_order():
    """Each ask yields one sample, in the order of the asks, whatever finishes first."""
    app = FakeApp()

    asked = go(app, [FakeMetric()], asks(*cases(20)))

    assert [f"質問{n}の答え" for n in range(20)] == [s.answer.text for s in asked.samples]
    assert sorted(f"質問{n}" for n in range(20)) == sorted(q.query for q in app.asked)
    assert asked.stopped is None


def test_a_case_the_app_cannot_answer_becomes_a_failure_and_the_others_go_on():
    """A case's own failure is a value, with its cause."""
    refusal = AppCouldNotAnswer(OOPS, cause="app_input_refused")
    app = FakeApp(lambda q: refusal if q.case_id == "1" else builders.answer("ok"))

    asked = go(app, [FakeMetric()], asks(*cases(3)))

    assert [None, Cause.APP_INPUT_REFUSED, None] == [s.failure and s.failure.cause for s in asked.samples]


def test_what_may_pass_is_tried_once_more_at_the_end():
    """A timeout gets one more pass; an answer from that pass counts like any other."""
    times: list[str] = []

    def answer(question):
        times.append(question.case_id)
        if question.case_id == "0" and times.count("0") == 1:
            return AppCouldNotAnswer(OOPS, cause="app_timeout", passing=True)
        return builders.answer("ok")

    asked = go(FakeApp(answer), [FakeMetric()], asks(*cases(3)))

    assert ["ok", "ok", "ok"] == [s.answer.text for s in asked.samples]
    assert 2 == times.count("0")


def test_a_score_that_failed_is_tried_again_without_asking_the_app_again():
    """The second pass judges the stored answer: it is not asked for twice."""
    tries: list[str] = []

    def score(item):
        tries.append(item.case.id)
        return JudgeCouldNotScore(OOPS, cause="judge_timeout") if len(tries) == 1 else 5.0

    app = FakeApp()
    steady = FakeMetric("faithfulness")

    asked = go(app, [FakeMetric(score=score), steady], asks(*cases(1)))

    assert Scored(value=5.0) == asked.samples[0].scores["correctness"]
    assert 1 == len(app.asked)
    assert 1 == len(steady.scored)


def test_what_the_first_pass_paid_in_vain_stays_on_the_scores_bill():
    """Sums over scores are what was paid."""

    class Costly(FakeMetric):
        async def score(self, item, judge, embedder):
            judge.used += Usage(calls=1)
            return await super().score(item, judge, embedder)

    fails = iter([JudgeCouldNotScore(OOPS, cause="judge_timeout"), 5.0])

    asked = go(FakeApp(), [Costly(score=lambda item: next(fails))], asks(*cases(1)))

    assert 2 == asked.samples[0].scores["correctness"].usage.calls


def test_an_unusable_reply_ends_as_unscored_with_its_cause():
    """Could not is neither zero nor missing."""
    metric = FakeMetric(score=lambda item: JudgeCouldNotScore(OOPS, cause="judge_reply_unusable"))

    asked = go(FakeApp(), [metric], asks(*cases(1)))

    assert Unscored(cause=Cause.JUDGE_REPLY_UNUSABLE, detail="oops") == asked.samples[0].scores["correctness"]


def test_a_wrong_key_stops_the_run_and_keeps_what_was_paid_for():
    """The error is handed back beside the samples that were had before it."""
    app = FakeApp(lambda q: AppMisconfigured(OOPS) if q.case_id == "2" else builders.answer("ok"))

    asked = go(app, [FakeMetric()], asks(*cases(50)), limits=Limits(asking=1, judging=1))

    assert isinstance(asked.stopped, AppMisconfigured)
    assert ["ok", "ok"] == [s.answer.text for s in asked.samples if s.answer]
    assert {Cause.NOT_ASKED} == {s.failure.cause for s in asked.samples if s.failure}
    assert len(app.asked) <= 4


def test_an_answer_in_judgement_survives_a_stop():
    """An answer that was had when the run stopped is in the samples, its missing scores said to be missing."""

    def score(item):
        return AppUnreachable(OOPS)

    asked = go(FakeApp(), [FakeMetric(score=score)], asks(*cases(1)))

    assert "質問0の答え" == asked.samples[0].answer.text
    assert {"correctness": Unscored(cause=Cause.NOT_ASKED)} == asked.samples[0].scores


def test_an_app_that_is_down_is_not_asked_hundreds_of_times():
    """After a few failures to connect in a row the run stops with one error."""
    app = FakeApp(lambda q: AppCouldNotAnswer(OOPS, cause="app_unreachable", passing=True))

    asked = go(app, [FakeMetric()], asks(*cases(200)))

    assert isinstance(asked.stopped, AppUnreachable)
    assert len(app.asked) <= PATIENCE + 3


def test_what_the_journal_remembers_is_not_paid_for_again():
    """A resumed run neither asks nor judges what an earlier process wrote down."""
    known = {
        ("0", "1"): Remembered(
            answer=builders.answer("from before"), scores={"correctness": Scored(value=2.0)}
        ),
        ("1", "1"): Remembered(answer=builders.answer("answered only")),
    }
    app, metric = FakeApp(), FakeMetric()

    asked = go(app, [metric], asks(*cases(3)), journal=FakeJournal(known))

    assert ["2"] == [q.case_id for q in app.asked]
    assert ["1", "2"] == sorted(item.case.id for item in metric.scored)
    assert [2.0, 4.0, 4.0] == [s.scores["correctness"].value for s in asked.samples]


def test_a_question_that_a_killed_process_had_sent_is_not_sent_again():
    """Its answer is fetched where the app kept it; where it did not, the question is asked."""
    known = {("0", "1"): Remembered(sent=True), ("1", "1"): Remembered(sent=True)}
    app = FakeApp()
    app.kept["0"] = builders.answer("kept by the app")

    asked = go(app, [FakeMetric()], asks(*cases(2)), journal=FakeJournal(known))

    assert ["1"] == [q.case_id for q in app.asked]
    assert ["kept by the app", "質問1の答え"] == [s.answer.text for s in asked.samples]


def test_a_case_with_a_time_limit_is_asked_anew_after_a_kill():
    """Nobody measured how long the answer that the app kept took: a limit would hold falsely."""
    app = FakeApp()
    app.kept["0"] = builders.answer("kept by the app", latency_s=None)
    case = builders.case("0", question="速い?", checks=Checks(max_latency_s=0.1))

    asked = go(app, [FakeMetric()], asks(case), journal=FakeJournal({("0", "1"): Remembered(sent=True)}))

    assert ["速い?の答え"] == [s.answer.text for s in asked.samples]


def test_turns_share_one_conversation_and_the_last_answer_is_judged():
    """Each turn is asked in the conversation of the first, by the same user."""
    app = FakeApp(lambda q: builders.answer(f"to {q.query}", conversation_id="conv-1"))
    case = builders.case("0", question="一つ目", turns=(Turn(question="二つ目"),))

    asked = go(app, [FakeMetric()], asks(case))

    assert [("一つ目", ""), ("二つ目", "conv-1")] == [(q.query, q.conversation_id) for q in app.asked]
    assert {"user-0"} == {q.user for q in app.asked}
    assert "to 二つ目" == asked.samples[0].answer.text
    assert 2 == asked.samples[0].answer.asks


def test_a_metric_that_a_case_does_not_select_is_not_applicable():
    """`metrics:` of a case narrows the configured ones, visibly."""
    case = builders.case("0", metrics=("faithfulness",))

    asked = go(FakeApp(), [FakeMetric("correctness"), FakeMetric("faithfulness")], asks(case))

    assert NotApplicable(reason=Inapplicable.NOT_SELECTED) == asked.samples[0].scores["correctness"]
    assert Scored(value=4.0) == asked.samples[0].scores["faithfulness"]


@pytest.mark.parametrize("limit", [1, 4])
def test_no_more_cases_wait_for_the_app_than_allowed(limit):
    """The number of questions handed to the app at once is bounded."""
    app = FakeApp()

    go(app, [FakeMetric()], asks(*cases(30)), limits=Limits(asking=limit, judging=50))

    assert app.most_in_flight <= limit
