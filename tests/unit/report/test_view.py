"""The view model: what a report shows, before any words."""

import pytest

from ragjudge.compare.decision import CaseStatus, Decision, Reason, ReasonCode, Verdict
from ragjudge.language import Text
from ragjudge.report import view
from ragjudge.report.view.model import MetricMark
from ragjudge.results.baseline import Baseline
from ragjudge.results.outcome import Cause, Inapplicable, NotApplicable, Scored, Unscored
from ragjudge.results.run import AppFailure, CaseResult, Sample
from ragjudge.settings import ReportSettings
from tests.builders import NOON, case, run, sample
from tests.unit.report.stories import compared, failed, inconclusive, means, passed

NOTHING = Decision(verdict=Verdict.NO_BASELINE, reasons=(Reason(code=ReasonCode.NO_BASELINE),))


def built(results, before=None, decision=NOTHING, *, metrics=("correctness",), extras=None, **report):
    then = run(before, metrics=metrics) if before is not None else None
    return view.build(
        run(results, metrics=metrics), then, decision, report=ReportSettings(**report), extras=extras
    )


def results(*samples, **more):
    return CaseResult(case=case(**more), samples=samples)


def test_shows_the_sample_with_the_lowest_correctness():
    """Of several repeats the worst answer is the one to look at; the score is their mean."""
    shown = built([results(sample("1", "良い", correctness=5), sample("2", "悪い", correctness=2))]).cases[0]
    assert shown.answer == "悪い"
    assert shown.scores["correctness"].after == 3.5


@pytest.mark.parametrize(("score", "weak"), [(3.0, True), (3.1, False), (1, True), (5, False)])
def test_three_or_less_needs_improvement(score, weak):
    """The users' own limit, inclusive."""
    assert built([results(sample(correctness=score))]).cases[0].needs_improvement is weak


def test_unscored_is_neither_zero_nor_dropped():
    """A score that could not be had keeps its cause and enters no mean."""
    lost = Unscored(cause=Cause.JUDGE_TIMEOUT, detail="60 s")
    shown = built([results(sample(correctness=lost)), results(sample(correctness=4), case_id="2")])
    assert shown.cases[0].scores["correctness"].unscored is Cause.JUDGE_TIMEOUT
    assert shown.cases[0].scores["correctness"].after is None
    assert (shown.metrics[0].now, shown.metrics[0].scored, shown.metrics[0].total) == (4.0, 1, 2)


def test_not_applicable_counts_apart():
    """A metric that does not apply is counted as such, not as missing."""
    silent = NotApplicable(reason=Inapplicable.NO_REFERENCE)
    shown = built([results(sample(correctness=silent)), results(sample(correctness=4), case_id="2")])
    metric = shown.metrics[0]
    assert (metric.scored, metric.total, metric.not_applicable) == (1, 1, 1)


def test_a_failed_case_keeps_what_the_app_said():
    """The app's failure and its words are in the view."""
    failure = AppFailure(cause=Cause.APP_ERROR, detail="500", asks=3)
    shown = built([results(Sample(attempt="1", failure=failure))])
    assert (shown.cases[0].failure, shown.cases[0].failure_detail) == (Cause.APP_ERROR, "500")
    assert shown.cost.asked_again == 2


def test_removed_cases_come_last_with_the_baselines_words():
    """A case that is gone is shown as the baseline knew it."""
    shown = failed("ja").view().cases[-1]
    assert (shown.id, shown.status, shown.answer) == ("13", CaseStatus.REMOVED, None)
    assert shown.question == "慶弔見舞金はいつ支給されますか。"


def test_metric_that_fell_by_chance_is_no_pass_mark():
    """A drop beyond tolerance that the test does not confirm is marked as such, never as within limits."""
    marks = {metric.name: metric.mark for metric in failed("ja").view().metrics}
    assert marks["context_recall"] is MetricMark.REGRESSED
    assert marks["faithfulness"] is MetricMark.MAYBE_CHANCE
    assert {metric.mark for metric in passed("ja").view().metrics} == {MetricMark.OK}


def test_regressed_metric_names_its_worst_drops():
    """Where a mean fell, the five cases that pulled it down, worst first."""
    metric = next(m for m in failed("ja").view().metrics if m.name == "context_recall")
    assert [drop.case_id for drop in metric.drops] == ["3", "7", "4", "6", "8"]


def test_groups_are_by_field_and_category():
    """Means per entity and per category, with the change over the pairs."""
    groups = failed("ja").view().groups
    assert [(group.kind, group.name) for group in groups] == [("field", "entity"), ("category", "")]
    head_office = groups[0].rows[0]
    assert (head_office.value, head_office.cases, head_office.needs_improvement) == ("本社", 6, 2)
    assert head_office.means["correctness"].mean == pytest.approx(23 / 6)
    assert head_office.means["correctness"].change == pytest.approx(-1.0)


@pytest.mark.parametrize(
    ("values", "grouped"),
    [
        (["a", "a"], False),
        (["a", "b"], True),
        (["a", "b", "c", "d", "e"], False),
        (["a", "b", "a", "b", "c", "c"], True),
    ],
)
def test_field_groups_only_where_it_says_something(values, grouped):
    """One value for all, or one per case, is no grouping."""
    cases = [results(sample(correctness=4), case_id=str(n), fields={"k": v}) for n, v in enumerate(values)]
    assert bool(built(cases).groups) is grouped


def test_answer_before_is_left_out_where_only_digests_are_stored():
    """A digest of an answer is not an answer."""
    story = failed("ja")
    baseline = Baseline(run=story.before, stored_at=NOON, answers_stored=False)
    shown = view.build(
        story.run,
        story.before,
        story.decision,
        report=ReportSettings(),
        extras=view.Extras(baseline=baseline),
    )
    assert {case.answer_before for case in shown.cases} == {None}


def test_repaired_replies_are_counted():
    """A judge whose replies had to be mended is told of."""
    mended = Scored(value=4, notes=("repaired:fence",))
    plain = Scored(value=4, notes=("non_committal",))
    shown = built([results(sample(correctness=mended)), results(sample(correctness=plain), case_id="2")])
    assert shown.cost.repaired == 1


def test_notices_are_in_the_readers_language():
    """Text comes in both languages and is shown in one."""
    shown = view.build(None, None, NOTHING, report=ReportSettings(language="en"), notices=(Text("en", "ja"),))
    assert shown.notices == ("en",)


def test_view_without_a_run_has_no_numbers():
    """A skipped check shows verdict and reasons only."""
    shown = view.build(None, None, NOTHING, report=ReportSettings(), extras=view.Extras(suite="s.json"))
    assert (shown.suite, shown.metrics, shown.cases, shown.judged, shown.cost) == (
        "s.json",
        (),
        (),
        None,
        None,
    )


def test_scores_only_drops_server_words_too():
    """With `content: scores` what a server or a parser said is left out as well."""
    shown = inconclusive("ja").view(content="scores")
    details = {score.detail for case in shown.cases for score in case.scores.values()}
    assert details | {case.failure_detail for case in shown.cases} == {""}


def test_skipped_cases_are_in_no_group():
    """A case that was not run counts nowhere."""
    cases = [results(sample(correctness=4), case_id=str(n), category="ab"[n % 2]) for n in range(4)]
    cases.append(CaseResult(case=case("9", category="a", skip="later"), samples=()))
    assert [row.cases for row in built(cases).groups[0].rows] == [2, 2]


def test_statuses_follow_the_decision():
    """A case has the status that the gate gave it."""
    before, after = [results(sample(correctness=5))], [results(sample(correctness=2))]
    then, now = run(before), run(after)
    decision = Decision(
        verdict=Verdict.FAILED,
        reasons=(Reason(code=ReasonCode.CASES_REGRESSED, cases=("1",)),),
        cases=compared(then, now, lambda _: CaseStatus.REGRESSED),
        metrics=means(then, now),
    )
    shown = built(after, before, decision).cases[0]
    assert (shown.status, shown.scores["correctness"].change) == (CaseStatus.REGRESSED, -3.0)
