"""`app.judge_turns: every`: earlier turns are judged as cases, in one conversation with the last."""

import json

import pytest

from tests.integration.cli.test_stop import conversations_held

INPUTS = {"Entity": "本社", "Category": "経費"}
SUITE = [
    {
        "id": "talk",
        "question": "国内出張の日当はいくらですか？",
        "reference": "2,500円です。",
        "turns": [
            {"question": "ありがとうございます。"},
            {"question": "出張のときの宿泊費の上限は？", "reference": "12,000円です。"},
        ],
    },
    {"id": "one", "question": "有給休暇は何日ですか？", "reference": "10日です。"},
]


@pytest.fixture
def talk(team):
    (team.folder / "suite.json").write_text(json.dumps(SUITE, ensure_ascii=False), encoding="utf-8")
    return team


def settings(team, **more) -> dict:
    return {"base_url": team.app.base_url, "inputs": INPUTS, **more}


def test_each_turn_is_asked_once_and_judged_where_it_has_a_reference(talk):
    """Results, baseline and report know the turn as a case; the conversation is one."""
    talk.config(app=settings(talk, judge_turns="every", cleanup="none"))

    assert 0 == talk.ragjudge("run", "--quiet")

    cases = {c["case"]["id"]: c["samples"][0] for c in talk.results()["cases"]}
    assert ["talk#turn1", "talk", "one"] == list(cases)
    assert 4 == len(talk.app.log.entries())
    assert cases["talk"]["answer"]["conversation_id"] == cases["talk#turn1"]["answer"]["conversation_id"]
    assert all(sample["scores"]["correctness"]["kind"] == "scored" for sample in cases.values())
    assert "2,500円" in cases["talk#turn1"]["answer"]["text"]


@pytest.mark.slow
def test_a_baseline_made_by_last_turns_takes_the_others_for_new_cases(talk):
    """Nothing is removed or changed by switching over; the next baseline holds them."""
    talk.config(app=settings(talk))
    assert 0 == talk.ragjudge("baseline", "update", "--quiet")

    talk.config(app=settings(talk, judge_turns="every"))

    assert 0 == talk.ragjudge("check", "--quiet")
    assert 0 == talk.ragjudge("baseline", "update", "--quiet")
    kept = json.loads((talk.folder / "baseline.json").read_text(encoding="utf-8"))
    assert ["talk#turn1", "talk", "one"] == [c["case"]["id"] for c in kept["cases"]]
    assert 0 == talk.ragjudge("check", "--quiet")


def test_no_conversation_is_left_behind(talk):
    """`cleanup: all` finds the shared one, too."""
    talk.config(app=settings(talk, judge_turns="every", cleanup="all"))

    assert 0 == talk.ragjudge("run", "--quiet")

    assert 0 == conversations_held(talk.app)


def test_the_plan_counts_each_question_once(talk, capsys):
    """Four questions, three cases to judge."""
    talk.config(app=settings(talk, judge_turns="every"))

    talk.ragjudge("validate", "--plan")

    said = capsys.readouterr().out
    assert "Cases: 3" in said
    assert "questions to the app: 4" in said
