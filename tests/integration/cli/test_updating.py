"""`ragjudge baseline update` after what a team changes on purpose, and after an unlucky answer."""

import json

import pytest

from ragjudge.demo.definition import load_app
from tests.judge_server import by_meaning

pytestmark = pytest.mark.slow


def stored(team):
    return json.loads((team.folder / "baseline.json").read_text(encoding="utf-8"))


def edit_first(team, **fields):
    """The first case of the suite, edited."""
    path = team.folder / "suite.json"
    cases = json.loads(path.read_text(encoding="utf-8"))
    cases[0] |= fields
    path.write_text(json.dumps(cases, ensure_ascii=False), encoding="utf-8")
    return str(cases[0]["id"])


def another_judge(team, **sections):
    team.config(judge={"provider": "openai", "model": "judge-2", "base_url": team.judge.url}, **sections)


@pytest.mark.parametrize("answers", [True, False])
@pytest.mark.parametrize("change", ["judge", "reference"])
def test_what_could_not_be_compared_is_no_obstacle_to_its_cure(team, change, answers):
    """A new baseline is what ends "not comparable", with and without stored answers."""
    kept = {"baseline": {"store": "file:baseline.json", "store_answers": answers}}
    team.config(**kept)
    team.ragjudge("baseline", "update", "--quiet")
    if change == "judge":
        another_judge(team, **kept)
    else:
        edit_first(team, answer="まったく別の正解です。")

    assert team.ragjudge("baseline", "update", "--quiet") == 0
    assert stored(team)["run"]["fingerprint"]["judge"]["model"] == (
        "judge-2" if change == "judge" else "judge-1"
    )
    assert team.ragjudge("check", "--quiet") == 0


def test_a_suite_whose_questions_are_all_new_is_told_so_and_renewed(team):
    """Nothing is wrong with app or judge: the table shows every case scored."""
    team.ragjudge("baseline", "update", "--quiet")
    path = team.folder / "suite.json"
    cases = json.loads(path.read_text(encoding="utf-8"))
    edited = [case | {"question": f"変更後: {case['question']}"} for case in cases]
    path.write_text(json.dumps(edited, ensure_ascii=False), encoding="utf-8")

    assert team.ragjudge("check", "--quiet", "--language", "ja") == 3
    assert "ベースラインと比べられたケースが 1 件もありません（質問が変わったケース）" in team.report()
    assert "ragjudge doctor" not in team.report()
    assert team.ragjudge("baseline", "update", "--quiet") == 0
    assert team.ragjudge("check", "--quiet") == 0


@pytest.mark.parametrize("change", ["judge", "reference"])
def test_a_regression_is_refused_whatever_else_was_changed(team, demo_files, change):
    """The stored answers are judged again, and what can be compared gates."""
    team.ragjudge("baseline", "update", "--quiet")
    before = (team.folder / "baseline.json").read_bytes()
    team.app.publish(load_app(demo_files / "app-degraded.yml"))
    if change == "judge":
        another_judge(team)
    else:
        edit_first(team, answer="まったく別の正解です。")

    assert team.ragjudge("baseline", "update", "--quiet") == 1
    assert (team.folder / "baseline.json").read_bytes() == before


def test_results_by_another_judge_are_taken_without_a_call(team):
    """Stored results are gated by what can be compared; nothing is asked or judged for it."""
    team.ragjudge("baseline", "update", "--quiet")
    another_judge(team)
    assert team.ragjudge("check", "--quiet") == 0
    calls = team.judge.calls

    assert team.ragjudge("baseline", "update", ".ragjudge/results.json") == 0
    assert team.judge.calls == calls
    assert stored(team)["run"]["fingerprint"]["judge"]["model"] == "judge-2"


def test_one_edited_reference_without_stored_answers_is_said_and_the_rest_is_gated(team, demo_files):
    """Where the answers are not kept, nobody can judge the old one by the new reference."""
    team.config(baseline={"store": "file:baseline.json", "store_answers": False})
    team.ragjudge("baseline", "update", "--quiet")
    edited = edit_first(team, answer="まったく別の正解です。")

    assert team.ragjudge("check", "--quiet") == 0
    assert "reference changed" in team.report()
    assert f"compared by metrics that need it: 1 case ({edited})" in team.report()
    team.app.publish(load_app(demo_files / "app-degraded.yml"))
    assert team.ragjudge("check", "--quiet") == 1


def dips(times=1):
    """A judge whose first grades of a good answer are low."""
    left = [None] * times

    def answer(asked):
        reply = by_meaning(asked)
        if left and isinstance(reply, dict) and reply.get("score") == 5:
            left.pop()
            return reply | {"score": 1}
        return reply

    return answer


def one_repeat(team, **sections):
    """Judged anew each time, so that an unlucky judge can be."""
    judge = {"provider": "openai", "model": "judge-1", "base_url": team.judge.url, "cache": False}
    team.config(baseline={"store": "file:baseline.json", "repeats": 1}, judge=judge, **sections)


def test_an_unlucky_answer_is_asked_again_before_an_update_is_refused(team):
    """As in a check: what recovers is noise."""
    one_repeat(team)
    team.ragjudge("baseline", "update", "--quiet")
    team.judge.answer = dips()

    assert team.ragjudge("baseline", "update", "--quiet") == 0
    assert [1] * 12 == [len(case["samples"]) for case in stored(team)["cases"]]
    assert not any("confirmations" in case for case in stored(team)["cases"])


def test_a_suspect_that_was_not_confirmed_leaves_the_update_undecided(team, capsys):
    """Exit 3: nobody knows. Exit 1 would say that the app got worse."""
    one_repeat(team, gate={"extra_budget": 0})
    team.ragjudge("baseline", "update", "--quiet")
    before = (team.folder / "baseline.json").read_bytes()
    team.judge.answer = dips()

    assert team.ragjudge("baseline", "update", "--quiet", "--language", "en") == 3
    assert "--accept" in capsys.readouterr().err
    assert (team.folder / "baseline.json").read_bytes() == before


def unwilling(answers, times):
    """A new judge that does not grade these answers, so many times."""
    left = [None] * times

    def answer(asked):
        given = "".join(asked.material.get("answer", []))
        if left and asked.body.get("model") == "judge-2" and "score" in asked.properties and given in answers:
            left.pop()
            return "I would rather not."
        return by_meaning(asked)

    return answer


@pytest.mark.parametrize(("times", "code"), [(999, 3), (2, 1)], ids=["for good", "at first"])
def test_a_broken_case_does_not_hide_behind_a_stored_answer_that_was_not_judged_again(
    team, demo_files, times, code
):
    """Nobody knows whether it became worse. What may pass is tried once more, as with today's answers."""
    only = {"metrics": {"use": ["correctness"]}}
    team.config(**only)
    team.ragjudge("baseline", "update", "--quiet")
    team.app.publish(load_app(demo_files / "app-degraded.yml"))
    team.ragjudge("check", "--quiet")
    now = {c["case"]["id"]: c["samples"][0]["answer"]["text"] for c in team.results()["cases"]}
    then = {c["case"]["id"]: c["samples"][0]["answer"]["text"] for c in stored(team)["cases"]}
    moved = {text for case, text in then.items() if text != now[case]}
    assert moved
    assert not moved & set(now.values())
    team.judge.answer = unwilling(moved, times)
    another_judge(team, **only)

    assert team.ragjudge("check", "--quiet") == code
    assert ("could not be judged again" in team.report()) == (code == 3)


@pytest.mark.parametrize(
    "damage", [lambda data: data[:500], lambda _: b"", lambda data: b"<<<<<<< HEAD\n" + data]
)
def test_a_damaged_baseline_is_replaced_with_accept(team, capsys, damage):
    """The cure that the message names works, and what is lost is said."""
    path = team.folder / "baseline.json"
    team.ragjudge("baseline", "update", "--quiet")
    path.write_bytes(damage(path.read_bytes()))

    assert team.ragjudge("baseline", "update", ".ragjudge/results.json", "--language", "en") == 2
    assert "`ragjudge baseline update --accept`" in capsys.readouterr().err
    assert team.ragjudge("baseline", "update", ".ragjudge/results.json", "--accept", "--language", "en") == 0
    assert "It is replaced" in capsys.readouterr().err
    assert team.ragjudge("compare", ".ragjudge/results.json") == 0


def test_a_file_that_is_no_baseline_is_never_written_over(team, capsys):
    """A path given by mistake: `--accept` replaces a damaged baseline only."""
    team.ragjudge("baseline", "update", "--quiet")
    other = team.folder / "other.json"
    other.write_text('[{"id": 1, "question": "大事な質問"}]', "utf-8")
    given = ("--baseline", "file:other.json", "--language", "en")

    for accept in ((), ("--accept",)):
        assert team.ragjudge("baseline", "update", ".ragjudge/results.json", *accept, *given) == 2
        told = capsys.readouterr().err
        assert "other.json is no baseline" in told
        assert "baseline.store" in told
    assert "大事な質問" in other.read_text("utf-8")


def test_a_baseline_of_a_newer_version_is_never_replaced(team, capsys):
    """It is whole: this ragjudge is too old for it."""
    path = team.folder / "baseline.json"
    team.ragjudge("baseline", "update", "--quiet")
    newer = path.read_bytes().replace(b'"schema_version": 1', b'"schema_version": 2')
    path.write_bytes(newer)

    assert team.ragjudge("baseline", "update", ".ragjudge/results.json", "--accept", "--language", "en") == 2
    assert "Update ragjudge" in capsys.readouterr().err
    assert path.read_bytes() == newer


@pytest.mark.parametrize("answers", [True, False], ids=["answers stored", "scores only"])
@pytest.mark.parametrize(
    "edit",
    [{"answer": ""}, {"answer": "まったく別の正解です。", "metrics": ["faithfulness", "answer_relevancy"]}],
    ids=["no reference", "another reference, fewer metrics"],
)
def test_a_case_that_is_no_longer_judged_by_its_reference_is_red_unless_accepted(team, answers, edit):
    """It could hide a regression, like a case that is gone or skipped."""
    kept = {"baseline": {"store": "file:baseline.json", "store_answers": answers}}
    team.config(**kept)
    team.ragjudge("baseline", "update", "--quiet")
    edited = edit_first(team, **edit)

    assert team.ragjudge("check", "--quiet") == 1
    assert team.ragjudge("baseline", "update", "--quiet") == 1
    entry = {"case": edited, "reason": "規程改定", "until": "2999-12-31"}
    team.config(**kept, accept=[entry])
    assert team.ragjudge("check", "--quiet") == 0
    assert team.ragjudge("baseline", "update", "--quiet") == 0
