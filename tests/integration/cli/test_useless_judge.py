import json
from random import Random

import pytest

from tests.dify_judge_app import DifyJudgeApp
from tests.judge_server import Say, by_meaning

PROSE = "I am sorry, I can only chat."
EVERY_CALL = 12 * 11 * 2 * 2
"""What a run would cost otherwise: cases, first judgements of each, repair, second pass."""
WRONG_FORM = {"score": 7, "verdict": 5, "questions": ["a"]}


def journal(team) -> list[dict]:
    lines = (team.folder / ".ragjudge" / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def told(capsys) -> str:
    """The console's text, line breaks aside."""
    return " ".join(capsys.readouterr().out.split())


def broken(says, broken_calls):
    """A judge whose numbered calls (after the probe) say something else."""

    def answer(asked):
        return says if broken_calls(asked.number) and "ready" not in asked.properties else by_meaning(asked)

    return answer


@pytest.mark.parametrize("mode", ["standard", "economic"])
@pytest.mark.parametrize("says", [Say(PROSE), Say(None), Say("{", finish="length"), WRONG_FORM])
def test_a_judge_that_never_replies_as_asked_stops_the_run_after_a_few_cases(team, capsys, mode, says):
    """One sentence and exit 2: another run would end the same way. The app's answers stay in the journal."""
    team.config(metrics={"mode": mode})
    team.judge.answer = broken(says, lambda number: True)

    code = team.ragjudge("run", "--quiet")

    assert 2 == code
    assert team.judge.calls <= EVERY_CALL // 4
    assert "Not one of the judge's first" in told(capsys)
    assert any("answer" in record for record in journal(team))
    assert "Not one of the judge's first" in team.results()["stopped"]


def test_a_dify_app_that_never_replies_as_asked_stops_the_run_too(team, capsys, monkeypatch):
    """The same with a judge app."""
    monkeypatch.setenv("DIFY_JUDGE_API_KEY", "app-judge")
    with DifyJudgeApp("app-judge") as judging:
        judging.answer = lambda asked: PROSE
        team.config(judge={"provider": "dify", "base_url": judging.base_url})

        code = team.ragjudge("run", "--quiet")

        assert 2 == code
        assert len(judging.queries) <= EVERY_CALL // 4
    assert "Not one of the judge's first" in told(capsys)


def test_the_sentence_is_japanese_where_the_report_is(team, capsys):
    """So is what was wrong with the replies."""
    team.config(report={"language": "ja"})
    team.judge.answer = broken(Say(PROSE), lambda number: True)

    team.ragjudge("run", "--quiet")

    assert "判定は、1件も使えませんでした。" in told(capsys)


def test_what_is_wrong_with_a_reply_is_told_in_the_reports_language(team):
    """The judge is asked again in the suite's language, Japanese; the readers need not know it."""
    team.judge.answer = broken(Say(PROSE), lambda number: True)

    team.ragjudge("run", "--quiet")

    detail = "The judge's reply can't be used, even after asking again: there is no JSON object in the reply"
    assert any(record.get("outcome", {}).get("detail") == detail for record in journal(team))
    assert any("返答を使えませんでした" in asked.prompt for asked in team.judge.asked())


def test_a_run_that_was_stopped_so_goes_on_once_the_judge_replies_as_asked(team):
    """No question is asked twice."""
    team.judge.answer = broken(Say(PROSE), lambda number: True)
    team.ragjudge("run", "--quiet")
    team.judge.answer = by_meaning

    code = team.ragjudge("run", "--quiet", "--resume")

    assert 0 == code
    assert 12 == len(team.app.log.entries())


def test_a_judge_that_finds_its_words_after_the_first_few_is_not_stopped(team):
    """What it failed at first is had in the second pass."""
    team.judge.answer = broken(Say(PROSE), lambda number: number <= 30)

    assert 0 == team.ragjudge("run", "--quiet")


def test_a_judge_that_fails_at_a_third_of_its_calls_is_not_stopped(team):
    """And nothing is lost: what the repair did not mend the second pass does."""
    chance = Random(3)
    team.judge.answer = broken(Say(PROSE), lambda number: chance.random() < 0.3)

    code = team.ragjudge("run", "--quiet")

    outcomes = [
        outcome
        for case in team.results()["cases"]
        for sample in case["samples"]
        for outcome in sample["scores"].values()
    ]
    assert code in (0, 3)
    assert team.results()["stopped"] is None
    assert 60 == len(outcomes)
    assert sum(outcome["kind"] == "unscored" for outcome in outcomes) <= 6


def test_a_judge_that_had_scores_before_is_not_on_trial_when_the_run_is_resumed(team):
    """What is left to do may well be hopeless: exit 3, as for any score that could not be had."""
    team.judge.answer = broken(Say(PROSE), lambda number: number > 60)
    first = team.ragjudge("run", "--quiet")
    team.judge.answer = broken(Say(PROSE), lambda number: True)

    again = team.ragjudge("run", "--quiet", "--resume")

    assert (3, 3) == (first, again)
    assert team.results()["stopped"] is None
