import pytest

from ragjudge.results import codec
from tests.integration.cli.conftest import CASES

pytestmark = pytest.mark.slow


def test_shards_joined_are_the_whole_suite(team):
    """Three shards of a matrix, merged, then compared once."""
    team.ragjudge("baseline", "update", "--quiet")
    for n in (1, 2, 3):
        assert team.ragjudge("run", "--quiet", "--shard", f"{n}/3", "--out", f"part-{n}") == 0

    assert team.ragjudge("merge", *(f"part-{n}/results.json" for n in (3, 1, 2))) == 0

    joined = codec.loads((team.folder / ".ragjudge" / "results.json").read_bytes())
    assert len(joined.cases) == CASES
    assert team.ragjudge("compare", ".ragjudge/results.json") == 0


def test_a_missing_shard_is_named(team, capsys):
    """A gap is no smaller suite."""
    team.ragjudge("run", "--quiet", "--shard", "1/2", "--out", "part-1")

    assert team.ragjudge("merge", "part-1/results.json") == 2
    assert "2" in capsys.readouterr().err


def test_the_same_shard_twice_is_refused(team):
    """A case counts once."""
    team.ragjudge("run", "--quiet", "--out", "a")

    assert team.ragjudge("merge", "a/results.json", "a/results.json") == 2


def test_a_pinned_baseline_says_when_small_drops_add_up(team, capsys):
    """The anchor is kept through updates and shown in the history."""
    team.ragjudge("baseline", "update", "--quiet")

    assert team.ragjudge("baseline", "pin") == 0
    assert team.ragjudge("baseline", "update", "--quiet") == 0
    assert team.ragjudge("baseline", "history") == 0
    shown = capsys.readouterr().out
    assert " *" in shown
    assert team.ragjudge("baseline", "pin", "--remove") == 0
