import pytest

from ragjudge.demo.definition import load_app
from tests.integration.cli.conftest import CASES
from tests.judge_server import Fault, by_meaning


def test_first_check_is_green_and_says_that_there_is_no_baseline(team, capsys):
    """A team's first run is not red."""
    assert team.ragjudge("check") == 0
    assert "no baseline" in capsys.readouterr().out.lower()


def test_unchanged_app_passes_and_a_degraded_one_fails(team, demo_files):
    """The whole chain over real sockets: baseline, unchanged, degraded."""
    assert team.ragjudge("baseline", "update", "--quiet") == 0
    assert team.ragjudge("check", "--quiet") == 0

    team.app.publish(load_app(demo_files / "app-degraded.yml"))

    assert team.ragjudge("check", "--quiet") == 1
    assert (team.folder / ".ragjudge" / "report.md").exists()


def test_every_case_is_scored_by_every_metric(team):
    """Five outcomes per case, none dropped."""
    team.ragjudge("run", "--quiet")

    cases = team.results()["cases"]
    assert len(cases) == CASES
    assert {5} == {len(sample["scores"]) for case in cases for sample in case["samples"]}


def test_a_judge_that_is_down_is_exit_3_and_one_sentence(team, capsys):
    """Nothing is scored as zero; no question is asked for nothing."""
    team.config(
        judge={"provider": "openai", "model": "judge-1", "base_url": "http://127.0.0.1:9/v1", "timeout_s": 2}
    )

    assert team.ragjudge("check", "--quiet", "--language", "en") == 3
    assert "judge" in capsys.readouterr().err
    assert team.app.log.entries() == []


def test_an_app_that_is_down_is_exit_3(team):
    """Unreachable is not a regression."""
    team.config(app={"base_url": "http://127.0.0.1:9/v1", "timeout_s": 2})

    assert team.ragjudge("check", "--quiet") == 3


def test_a_wrong_app_key_is_exit_2_after_one_probe(team, monkeypatch, capsys):
    """The user must change something; the key itself is not shown."""
    monkeypatch.setenv("DIFY_API_KEY", "app-wrong-key-0123456789")

    assert team.ragjudge("check", "--quiet", "--language", "en") == 2
    said = capsys.readouterr()
    assert "key" in said.err
    assert "app-wrong-key-0123456789" not in said.err + said.out


def test_a_model_that_does_not_exist_is_exit_2_before_any_question(team, capsys):
    """One probe finds it; the suite is not started."""
    error = {
        "message": "The model `judge-1` does not exist",
        "code": "model_not_found",
        "type": "invalid_request_error",
    }
    team.judge.answer = lambda asked: Fault(404, error)

    assert team.ragjudge("check", "--quiet", "--language", "en") == 2
    assert "judge-1" in capsys.readouterr().err
    assert team.app.log.entries() == []


def test_a_broken_suite_is_exit_2_with_its_place_and_nothing_is_sent(team, capsys):
    """All faults at once, each with file and line."""
    (team.folder / "suite.json").write_text('[{"id": 1, "question": ""},\n {"id": 1}]', encoding="utf-8")

    assert team.ragjudge("check", "--quiet", "--language", "en") == 2
    assert "suite.json:2" in capsys.readouterr().err
    assert team.judge.calls == 0


def test_a_judge_that_can_do_one_thing_only_is_inconclusive_and_nothing_is_counted_as_zero(team):
    """Its nonsense leaves cases unscored, with their cause."""

    def nonsense(asked):
        return by_meaning(asked) if {"ready", "useful"} & set(asked.properties) else "I would rather not."

    team.judge.answer = nonsense

    assert team.ragjudge("check", "--quiet") == 3
    causes = {
        outcome["cause"]
        for case in team.results()["cases"]
        for sample in case["samples"]
        for outcome in sample["scores"].values()
        if outcome["kind"] == "unscored"
    }
    assert causes == {"judge_reply_unusable"}


def test_an_unknown_config_key_is_exit_2_with_a_suggestion(team, capsys):
    """A typo in the config is not ignored."""
    team.config(juge={"provider": "offline"})

    assert team.ragjudge("check", "--quiet", "--language", "en") == 2
    assert "judge" in capsys.readouterr().err


def test_no_key_is_in_any_file_of_the_run(team):
    """Keys live in memory only."""
    team.ragjudge("check", "--quiet")

    files = [path for path in (team.folder / ".ragjudge").rglob("*") if path.is_file()]
    assert len(files) >= 5
    for path in files:
        content = path.read_bytes().decode("utf-8", "replace")
        assert team.app.api_key not in content
        assert "sk-test-judge-key" not in content


@pytest.mark.slow
def test_a_baseline_from_a_failed_gate_is_refused(team, demo_files, capsys):
    """The next regression must not hide behind an unsound baseline."""
    team.ragjudge("baseline", "update", "--quiet")
    before = (team.folder / "baseline.json").read_bytes()
    team.app.publish(load_app(demo_files / "app-degraded.yml"))

    assert team.ragjudge("baseline", "update", "--quiet", "--language", "en") == 1
    assert (team.folder / "baseline.json").read_bytes() == before
    assert team.ragjudge("baseline", "update", "--quiet", "--accept") == 0
    assert (team.folder / "baseline.json").read_bytes() != before
    assert "→" in capsys.readouterr().out


def test_stored_results_are_compared_without_a_call(team):
    """`compare` pays nothing."""
    team.ragjudge("baseline", "update", "--quiet")
    calls = team.judge.calls

    assert team.ragjudge("compare", ".ragjudge/results.json") == 0
    assert team.judge.calls == calls


@pytest.mark.slow
def test_another_judge_judges_the_stored_answers_again_and_asks_the_app_nothing_more(team):
    """A changed judge is no regression: the baseline's answers are judged by today's judge first."""
    team.ragjudge("baseline", "update", "--quiet")
    asked = len(team.app.log.entries())
    judge = {"provider": "openai", "model": "judge-2", "base_url": team.judge.url}
    team.config(judge=judge)

    assert team.ragjudge("check", "--quiet") == 0
    assert len(team.app.log.entries()) == asked + CASES
    assert team.results()["fingerprint"]["judge"]["model"] == "judge-2"


@pytest.mark.slow
def test_another_judge_without_stored_answers_is_not_comparable(team):
    """Nothing is guessed: the report asks for a new baseline, and the check is red."""
    team.config(baseline={"store": "file:baseline.json", "store_answers": False})
    team.ragjudge("baseline", "update", "--quiet")
    judge = {"provider": "openai", "model": "judge-2", "base_url": team.judge.url}
    team.config(judge=judge, baseline={"store": "file:baseline.json", "store_answers": False})

    assert team.ragjudge("check", "--quiet") == 1
    assert "not comparable" in team.report().lower() or "can't be compared" in team.report().lower()


def test_a_run_of_chosen_cases_says_so_and_can_be_compared(team):
    """It is not taken for the whole suite, neither as a success nor as cases that were removed."""
    team.ragjudge("baseline", "update", "--quiet")

    assert team.ragjudge("check", "--quiet", "--limit", "2") == 0
    assert f"Only 2 of the suite's {CASES} cases" in team.report()
    assert team.ragjudge("compare", ".ragjudge/results.json") == 0
    assert team.ragjudge("baseline", "update", ".ragjudge/results.json") == 2


def test_a_plan_over_budget_is_exit_2_and_nothing_is_sent(team, capsys):
    """The budget holds for every command that asks."""
    team.config(budget={"questions": 3})

    for command in (["check"], ["run"], ["baseline", "update"]):
        assert team.ragjudge(*command, "--quiet") == 2
    assert "questions" in capsys.readouterr().err
    assert team.app.log.entries() == []
    assert team.judge.calls == 0


def test_a_failed_start_leaves_no_green_report_of_the_run_before(team, monkeypatch):
    """What an upload step publishes is never another run's success."""
    assert team.ragjudge("check", "--quiet") == 0
    monkeypatch.setenv("DIFY_API_KEY", "app-wrong-0123456789")

    assert team.ragjudge("check", "--quiet") == 2
    assert not (team.folder / ".ragjudge" / "report.md").exists()
    assert (team.folder / ".ragjudge" / "previous" / "report.md").exists()


def test_an_out_folder_that_is_a_file_is_exit_2_before_anything_is_sent(team, capsys):
    """Found at once, with the path."""
    (team.folder / "taken").write_text("", encoding="utf-8")

    assert team.ragjudge("check", "--quiet", "--out", "taken") == 2
    assert "taken" in capsys.readouterr().err
    assert team.judge.calls == 0


@pytest.mark.parametrize("command", ["check", "run", "doctor"])
def test_a_socks_proxy_in_the_environment_is_told_in_a_sentence(team, capsys, monkeypatch, command):
    """It is for the user to change; nothing is asked."""
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")

    code = team.ragjudge(command)

    said = capsys.readouterr().err
    assert 2 == code
    assert "ALL_PROXY names a SOCKS proxy (socks5://…), which is not supported." in said
    assert "bug" not in said
    assert 0 == team.judge.calls
