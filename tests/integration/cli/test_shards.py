"""A large suite in parts: each is asked by itself, the whole is judged once, with a second look."""

import json
from dataclasses import replace

import pytest

from ragjudge.demo.definition import load_app
from ragjudge.results import codec
from tests.integration.cli.conftest import CASES
from tests.integration.cli.test_stop import conversations_held
from tests.judge_server import Fault, by_meaning

pytestmark = pytest.mark.slow

WHOLE = ".ragjudge/results.json"


def run_parts(team, count=3) -> list[int]:
    return [
        team.ragjudge("run", "--quiet", "--shard", f"{n}/{count}", "--out", f"part-{n}")
        for n in range(1, count + 1)
    ]


def joined(team, count=3):
    assert 0 == team.ragjudge("merge", *(f"part-{n}/results.json" for n in range(1, count + 1)))
    return codec.loads((team.folder / WHOLE).read_bytes())


def edit(team, change) -> list[dict]:
    """The suite's cases after `change`, written back."""
    path = team.folder / "suite.json"
    cases = json.loads(path.read_text(encoding="utf-8"))
    change(cases)
    path.write_text(json.dumps(cases, ensure_ascii=False), encoding="utf-8")
    return cases


def test_parts_belong_together_whatever_each_holds(team):
    """Checks in one case, English in a few: every part is judged by the whole suite's language and metrics."""

    def mixed(cases):
        cases[0]["checks"] = {"not_contains": ["!!!"]}
        for case in cases[:5]:
            case["question"] = f"Travel expenses, case {case['id']}?"

    edit(team, mixed)

    assert [0] * 6 == run_parts(team, 6)

    assert CASES == len(joined(team, 6).cases)


def test_turns_of_one_conversation_are_asked_by_one_part(team):
    """Else two parts would ask it twice."""
    app = {
        "base_url": team.app.base_url,
        "inputs": {"Entity": "本社", "Category": "経費"},
        "judge_turns": "every",
    }
    team.config(app=app)

    def talks(cases):
        for case in cases:
            case["turns"] = [{"question": "宿泊費の上限は？", "answer": "12,000円です。"}]

    edit(team, talks)

    run_parts(team)

    assert 2 * CASES == len(joined(team).cases)
    assert 2 * CASES == len(team.app.log.entries())


def unlucky(team, case_id, *, times=1):
    """A judge that gives the answer to one case 1 point, so often; later it grades by meaning."""
    cases = json.loads((team.folder / "suite.json").read_text(encoding="utf-8"))
    wanted = next(case["answer"] for case in cases if str(case["id"]) == case_id)
    left = [times]

    def answer(asked):
        said = by_meaning(asked)
        is_it = "score" in asked.properties and asked.material.get("reference") == [wanted]
        if is_it and left[0]:
            left[0] -= 1
            return {**said, "score": 1}
        return said

    team.judge.answer = answer


def best_case(team) -> str:
    """A case that the baseline has in full."""
    stored = json.loads((team.folder / "baseline.json").read_text(encoding="utf-8"))
    return next(
        c["case"]["id"]
        for c in stored["cases"]
        if all(s["scores"]["correctness"].get("value") == 5 for s in c["samples"])
    )


def test_an_unlucky_score_in_a_part_is_asked_again_before_the_whole_turns_red(team):
    """The whole has the second look of a check in one job: one fresh answer clears the case."""
    team.ragjudge("baseline", "update", "--quiet")
    unlucky(team, best_case(team))
    assert [0, 0, 0] == run_parts(team)
    joined(team)
    asked = len(team.app.log.entries())

    assert 0 == team.ragjudge("check", "--quiet", "--from", WHOLE)

    assert 1 == len(team.app.log.entries()) - asked
    assert "Passed" in team.report()
    assert 1 == sum(len(case.get("confirmations", ())) for case in team.results()["cases"])


def test_a_worse_app_is_red_by_the_whole_alone(team, demo_files):
    """Parts only ask; suspects are confirmed as in one job, and nothing else is asked a second time."""
    team.ragjudge("baseline", "update", "--quiet")
    team.app.publish(load_app(demo_files / "app-degraded.yml"))
    assert 1 == team.ragjudge("check", "--quiet")
    in_one = team.results()

    assert [0, 0, 0] == run_parts(team)
    parts = joined(team)
    asked = len(team.app.log.entries())

    assert 1 == team.ragjudge("check", "--quiet", "--from", WHOLE)
    in_parts = team.results()
    assert confirmed(in_one) == confirmed(in_parts) != {}
    assert sum(confirmed(in_parts).values()) == len(team.app.log.entries()) - asked
    assert in_parts["judge_usage"]["calls"] > parts.judge_usage.calls


def confirmed(results) -> dict[str, int]:
    return {c["case"]["id"]: len(c["confirmations"]) for c in results["cases"] if c.get("confirmations")}


def test_a_floor_is_the_whole_suites(team):
    """A part that lies below it by itself is no failure; the whole is held to it."""
    team.config(gate={"minimum": {"correctness": 5}})

    assert [0, 0, 0] == run_parts(team)
    joined(team)

    assert 1 == team.ragjudge("check", "--quiet", "--from", WHOLE)


def test_more_parts_than_cases_are_no_trouble(team, capsys):
    """An empty part has nothing to ask; a check of nothing is still refused."""
    kept = edit(team, lambda cases: cases.__delitem__(slice(2, None)))

    assert [0] * 4 == run_parts(team, 4)

    assert len(kept) == len(joined(team, 4).cases)
    assert [0, 0, 2, 2] == sorted(team.ragjudge("check", "--quiet", "--shard", f"{n}/4") for n in range(1, 5))
    assert "nothing would be evaluated" in capsys.readouterr().err


def test_a_part_that_could_not_be_judged_says_so_and_leaves_its_results(team):
    """Exit 3 in the part, so that re-running failed jobs asks it anew; the whole is inconclusive, with a report."""
    team.ragjudge("baseline", "update", "--quiet")
    team.judge.answer = lambda asked: {"ready": True} if "ready" in asked.properties else "no"

    assert [3, 3, 3] == run_parts(team)
    joined(team)

    assert 3 == team.ragjudge("check", "--quiet", "--from", WHOLE)
    assert "nconclusive" in team.report()


def test_what_was_asked_again_is_deleted_from_the_app_too(team):
    """The parts tidied up after themselves."""
    app = {"base_url": team.app.base_url, "cleanup": "all", "inputs": {"Entity": "本社", "Category": "経費"}}
    team.config(app=app)
    team.ragjudge("baseline", "update", "--quiet")
    unlucky(team, best_case(team))
    run_parts(team)
    joined(team)

    assert 0 == team.ragjudge("check", "--quiet", "--from", WHOLE)

    assert 0 == conversations_held(team.app)


@pytest.mark.parametrize("fault", ["app", "judge", "suite"])
def test_what_is_not_of_the_same_kind_is_refused(team, demo_files, capsys, fault):
    """Fresh answers of another app, or scores of another judge, would prove nothing about the results."""
    team.ragjudge("baseline", "update", "--quiet")
    unlucky(team, best_case(team))
    run_parts(team)
    joined(team)
    if fault == "app":
        team.app.publish(replace(load_app(demo_files / "app.yml"), name="another"))
    if fault == "judge":
        team.config(judge={"provider": "offline"})
    if fault == "suite":
        edit(team, lambda cases: cases[0].update(question="別の質問"))

    assert 2 == team.ragjudge("check", "--quiet", "--language", "en", "--from", WHOLE)
    said = capsys.readouterr()
    assert "cannot go on from these results" in said.err + said.out + team.report()


def test_nothing_needs_to_be_there_where_nothing_is_asked_again(team):
    """An app that is down by now does not matter to results without a suspect."""
    team.ragjudge("baseline", "update", "--quiet")
    run_parts(team)
    joined(team)
    team.judge.answer = lambda _: Fault(500)

    assert 0 == team.ragjudge("check", "--quiet", "--from", WHOLE)


def test_results_hold_what_was_asked(team, capsys):
    """A selection besides them would be a contradiction."""
    team.ragjudge("run", "--quiet")

    assert 2 == team.ragjudge("check", "--from", WHOLE, "--case", "1", "--language", "en")
    assert "--from goes with no --case" in capsys.readouterr().err
