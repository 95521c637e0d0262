"""A Japanese suite with an English report, and the other way round: our own words are the report's."""

import json
import re

import pytest

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
QUOTED = re.compile(r'"[^"]*"')
ENGLISH_SUITE = [
    {"id": 1, "question": "How long is the warranty?", "answer": "The warranty lasts two years."},
    {"id": 2, "question": "Who approves expenses?", "answer": "The department head approves them."},
]


def outcomes(team, metric: str) -> list[dict]:
    found = [s["scores"][metric] for case in team.results()["cases"] for s in case["samples"]]
    return [outcome for outcome in found if outcome["kind"] == "scored"]


@pytest.mark.parametrize("mode", ["standard", "economic"])
def test_reasons_are_in_the_reports_language_and_prompts_in_the_suites(team, mode):
    """What the judge itself said stays as it is."""
    team.config(metrics={"mode": mode})

    team.ragjudge("run", "--quiet")

    for metric, ours in {
        "answer_relevancy": "Read backwards, the answer answers:|The answer evades",
        "faithfulness": r"\d+ of \d+ statements are supported by the contexts\.",
        "context_recall": r"\d+ of \d+ sentences of the reference are found",
        "context_precision": "Useful contexts by rank:",
    }.items():
        reasons = [outcome["reason"] for outcome in outcomes(team, metric)]
        assert reasons
        assert [reason for reason in reasons if not re.match(ours, reason)] == []
    assert all(JAPANESE.search(asked.prompt) for asked in team.judge.asked()[1:])


def test_what_the_offline_judge_says_is_in_the_reports_language(team):
    """It is our own code that speaks; only what it quotes is the suite's."""
    team.config(judge={"provider": "offline"})

    team.ragjudge("run", "--quiet")

    comments = [text for grade in outcomes(team, "correctness") for text in grade["comments"].values()]
    assert comments
    assert [text for text in comments if JAPANESE.search(QUOTED.sub("", text))] == []
    questions = [outcome["reason"] for outcome in outcomes(team, "answer_relevancy")]
    assert any(JAPANESE.search(question) for question in questions)


def test_an_offline_judge_whose_language_is_set_speaks_that(team):
    """A setting is a wish."""
    team.config(judge={"provider": "offline", "language": "ja"})

    team.ragjudge("run", "--quiet")

    assert all(JAPANESE.search(grade["reason"]) for grade in outcomes(team, "correctness"))


def test_an_english_suite_is_reported_in_japanese_where_that_is_wanted(team):
    """The usual case of a company whose app speaks English."""
    (team.folder / "suite.json").write_text(json.dumps(ENGLISH_SUITE), encoding="utf-8")
    app = {"base_url": team.app.base_url, "inputs": {"Entity": "本社", "Category": "経費システム"}}
    team.config(app=app, judge={"provider": "offline"}, report={"language": "ja"})

    team.ragjudge("run", "--quiet")

    assert outcomes(team, "correctness")
    assert all(JAPANESE.search(grade["reason"]) for grade in outcomes(team, "correctness"))
    assert all("コンテキスト" in outcome["reason"] for outcome in outcomes(team, "context_recall"))
