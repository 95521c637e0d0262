import pytest

from ragjudge.demo.definition import load_app


def test_a_second_check_of_the_same_answers_judges_nothing_again(team):
    """Verdicts are remembered under the run's folder; the first of a run is the probe."""
    team.ragjudge("check", "--quiet")
    calls = team.judge.calls

    assert team.ragjudge("check", "--quiet") == 0
    assert team.judge.calls == calls + 1


def test_without_the_cache_everything_is_judged_anew(team):
    """`judge.cache: false` is obeyed."""
    judge = {"provider": "openai", "model": "judge-1", "base_url": team.judge.url, "cache": False}
    team.config(judge=judge)
    team.ragjudge("check", "--quiet")
    calls = team.judge.calls

    team.ragjudge("check", "--quiet")

    assert team.judge.calls == 2 * calls


@pytest.mark.slow
def test_a_suspect_is_never_confirmed_by_a_remembered_verdict(team, demo_files):
    """Two checks of one degraded app: the fresh samples of the second are judged for themselves."""
    team.ragjudge("baseline", "update", "--quiet")
    team.app.publish(load_app(demo_files / "app-degraded.yml"))
    assert team.ragjudge("check", "--quiet") == 1
    confirmations = [s for c in team.results()["cases"] for s in c.get("confirmations", ())]
    assert confirmations
    calls = team.judge.calls

    assert team.ragjudge("check", "--quiet") == 1
    assert team.judge.calls > calls + 1
