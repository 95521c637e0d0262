"""A team's own checks and criteria, economic mode and pairs, through the command line over real sockets."""

import json
from collections import Counter

from ragjudge.demo.definition import load_app

CASES = 6


def suite_with(team, checks):
    """The first cases of the team's suite; the first one gets `checks`."""
    path = team.folder / "suite.json"
    cases = json.loads(path.read_text(encoding="utf-8"))[:CASES]
    cases[0]["checks"] = checks
    path.write_text(json.dumps(cases, ensure_ascii=False), encoding="utf-8")


def tasks(team):
    return Counter(exchange.asked.task for exchange in team.judge.log if exchange.asked.task != "probe")


def test_a_check_that_breaks_fails_the_run_and_is_named(team):
    """No judge decides it: a text that must be there is gone."""
    team.config(metrics={"use": ["correctness"]})
    suite_with(team, {"contains": ["。"]})
    assert team.ragjudge("baseline", "update", "--quiet") == 0

    suite_with(team, {"contains": ["この文字列はどこにもない"]})

    assert team.ragjudge("check", "--quiet") == 1
    broken = team.results()["cases"][0]["samples"][0]["scores"]["checks"]
    assert broken["value"] == 0.0
    assert "この文字列はどこにもない" in broken["reason"]


def test_economic_mode_asks_at_most_four_times_per_case(team):
    """Claims, context review, grade and questions: one call each."""
    team.config(metrics={"mode": "economic"})
    suite_with(team, {})

    assert team.ragjudge("run", "--quiet") == 0
    asked = tasks(team)
    assert set(asked) <= {"claims", "context_review", "grade", "questions"}
    assert max(asked.values()) <= CASES
    scores = [case["samples"][0]["scores"] for case in team.results()["cases"]]
    assert {outcome["kind"] for each in scores for outcome in each.values()} <= {"scored", "not_applicable"}


def test_todays_answers_are_judged_beside_the_baselines_where_wanted(team, demo_files):
    """Unchanged answers cost nothing; changed ones two calls each, and the report counts them."""
    team.config(metrics={"use": ["correctness"], "pairwise": True}, gate={"confirm": 0})
    suite_with(team, {})
    assert team.ragjudge("baseline", "update", "--quiet") == 0
    team.app.publish(load_app(demo_files / "app-degraded.yml"))
    team.judge.log.clear()

    team.ragjudge("check", "--quiet")

    pairs = team.results()["pairs"]
    changed = tasks(team)["pairwise"] // 2
    assert len(pairs) == CASES
    assert 0 < changed <= CASES
    assert "Today's answers beside the baseline's" in team.report()
