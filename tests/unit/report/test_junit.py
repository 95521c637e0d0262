"""JUnit XML, as dashboards read it."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from ragjudge.compare.decision import Reason, ReasonCode, Verdict
from ragjudge.report import junit
from tests.unit.report.stories import STORIES, failed, inconclusive, no_baseline, skipped


def read(story, **report):
    return ET.fromstring(junit.render(story.view(**report)).encode())


def cases(root):
    return {case.get("name").split(":")[0]: case for case in root.iter("testcase")}


def test_regressions_are_failures():
    """A regressed or removed case fails, with the score's way and the texts to look at."""
    found = cases(read(failed("ja")))
    failure = found["3"].find("failure")
    assert failure.get("type") == "regressed"
    assert failure.get("message") == "品質低下: 正答度 ★★★★★ 5 → ★★☆☆☆ 2（−3）"
    assert "今回の回答: 出張旅費の精算は、翌月末までに" in failure.text
    assert found["13"].find("failure").get("type") == "removed"
    assert found["1"].find("failure") is None


def test_unscored_are_errors():
    """What could not be scored is an error with its cure, and a suspect is one too: neither passed nor failed."""
    found = cases(read(inconclusive("en")))
    assert found["2"].find("error").get("type") == "judge_rate_limited"
    assert found["5"].find("error").get("message") == "No answer came in time"
    assert "app.timeout_s" in found["5"].find("error").text
    assert found["3"].find("error").get("type") == "suspect"
    assert not list(read(inconclusive("en")).iter("failure"))


def test_regressed_mean_is_a_failure_of_its_own():
    """A mean may fall without any single case to blame."""
    metrics = [
        case for case in read(failed("en")).iter("testcase") if case.get("classname").endswith(".metrics")
    ]
    assert [case.get("name") for case in metrics if case.find("failure") is not None] == [
        "Metrics: context recall"
    ]


def test_points_at_the_suites_lines():
    """File and line are those of the case in the suite."""
    case = cases(read(failed("ja")))["3"]
    assert (case.get("file"), case.get("line")) == ("tests/rag/rules.json", "18")
    assert case.get("classname") == "tests/rag/rules.json.経費システム"
    assert case.get("time") == "2.400"


@pytest.mark.parametrize("name", STORIES)
def test_counts_agree_with_what_is_there(name):
    """The totals of suite and file are the number of elements."""
    root = read(STORIES[name]("ja"))
    for element in (root, root.find("testsuite")):
        assert int(element.get("tests")) == len(list(root.iter("testcase")))
        assert int(element.get("failures")) == len(list(root.iter("failure")))
        assert int(element.get("errors")) == len(list(root.iter("error")))
        assert int(element.get("skipped")) == len(list(root.iter("skipped")))


def test_scores_only_holds_no_text():
    """With `content: scores` a case is its id, and a failure its numbers."""
    text = junit.render(failed("ja").view(content="scores"))
    assert "出張" not in text
    assert 'name="3"' in text


def test_nothing_judged_is_an_empty_suite():
    """A skipped check claims no passed test."""
    assert read(skipped("ja")).get("tests") == "0"


def test_first_run_passes():
    """Without a baseline nothing fails."""
    assert read(no_baseline("ja")).get("failures") == "0"


NOT_COMPARABLE = Reason(code=ReasonCode.NOT_COMPARABLE, metric="faithfulness", number=1, detail="judge")
REASONS = {
    NOT_COMPARABLE: "failure",
    Reason(code=ReasonCode.NOT_COMPARABLE, cases=("1",), number=1, detail="reference"): "failure",
    Reason(code=ReasonCode.METRIC_REMOVED, metric="style"): "failure",
    Reason(code=ReasonCode.CASES_REMOVED, cases=("gone",), number=1): "failure",
    Reason(code=ReasonCode.NOTHING_EVALUATED): "error",
    Reason(code=ReasonCode.NOTHING_COMPARED, detail="question"): "error",
    Reason(code=ReasonCode.RUN_STOPPED, detail="down"): "error",
    Reason(code=ReasonCode.WORKFLOW_CHANGED_DURING_RUN, detail="a, b"): "error",
    Reason(code=ReasonCode.SUSPECTS_NOT_CONFIRMED, cases=("1",), number=1): "error",
}


@pytest.mark.parametrize("reason", REASONS, ids=lambda r: f"{r.code}{r.cases}")
@pytest.mark.parametrize("content", ["full", "scores"])
def test_a_reason_that_no_case_and_no_metric_shows_has_a_test_of_its_own(reason, content):
    """A file that is green where the check is red would be believed."""
    story = no_baseline("en")
    verdict = Verdict.FAILED if REASONS[reason] == "failure" else Verdict.INCONCLUSIVE
    decision = story.decision.model_copy(update={"verdict": verdict, "reasons": (reason,)})

    root = read(replace(story, decision=decision), content=content)

    [wrong] = [case for case in root.iter("testcase") if case.find(REASONS[reason]) is not None]
    assert "tests/rag/rules.json.verdict" == wrong.get("classname")
    assert reason.code == wrong.find(REASONS[reason]).get("type")
    assert wrong.find(REASONS[reason]).get("message")


def test_reasons_of_one_kind_are_tests_of_their_own():
    """Two metrics that are not comparable are two failures, under names that stay the same from run to run."""
    story = no_baseline("en")
    reasons = (NOT_COMPARABLE, NOT_COMPARABLE.model_copy(update={"metric": "correctness"}))
    decision = story.decision.model_copy(update={"verdict": Verdict.FAILED, "reasons": reasons})

    root = read(replace(story, decision=decision))

    names = [case.get("name") for case in root.iter("testcase") if case.find("failure") is not None]
    assert ["not_comparable: faithfulness", "not_comparable: correctness"] == names


@pytest.mark.parametrize("name", STORIES)
def test_red_and_undecidable_are_seen_without_reading_the_report(name):
    """Failures where the verdict is red, errors at least where it is none, neither where it is green."""
    story = STORIES[name]("en")
    root = read(story)
    failures, errors = int(root.get("failures")), int(root.get("errors"))

    match story.decision.verdict:
        case Verdict.FAILED:
            assert failures > 0
        case Verdict.INCONCLUSIVE:
            assert failures + errors > 0
        case _:
            assert failures == 0
