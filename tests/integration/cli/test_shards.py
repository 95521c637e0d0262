"""A large suite in parts: each is asked by itself, the whole is judged once, with a second look."""

import json

from ragjudge.results import codec
from tests.integration.cli.conftest import CASES

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
