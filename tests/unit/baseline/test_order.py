from datetime import timedelta

import pytest

from ragjudge.baseline.order import BY_HAND, Turn, left_alone, with_past
from ragjudge.baseline.update import LONGEST_HISTORY, renewed
from tests.builders import NOON, scored_run

OLDER, NEWER = "1" * 40, "2" * 40
MAIN = (OLDER, NEWER)


def came_before(commit, other):
    """What a repository with two commits knows."""
    return MAIN.index(commit) < MAIN.index(other) if {commit, other} <= set(MAIN) else None


def made(minute, value=4, commit="f" * 40):
    at = NOON + timedelta(minutes=minute)
    return scored_run({"a": [value]}, commit=commit, started_at=at, finished_at=at)


def stored(for_commit, minute=10, **run):
    return renewed(None, made(minute, **run), stored_at=NOON, store_answers=True, for_commit=for_commit)


@pytest.mark.parametrize("run", [None, made(0), made(20)], ids=["to be asked", "began before", "began later"])
def test_the_branch_decides_whose_baseline_is_newer(run):
    """A pull request that was judged early may be merged late: when a run began says nothing then."""
    assert Turn(OLDER, came_before).is_over(stored(NEWER), run)
    assert not Turn(NEWER, came_before).is_over(stored(OLDER), run)
    assert not Turn(NEWER, came_before).is_over(stored(NEWER), run)


@pytest.mark.parametrize(("run", "over"), [(None, False), (made(0), True), (made(20), False)])
def test_where_the_branch_is_not_known_the_later_run_is_newer(run, over):
    """History was rewritten, or the baseline is of a time that did not write down the branch's commit."""
    assert over is Turn(OLDER, came_before).is_over(stored("9" * 40), run)
    assert over is Turn(OLDER, came_before).is_over(stored(None), run)
    assert over is Turn(OLDER).is_over(stored(NEWER), run)


def test_what_a_person_stores_is_never_late():
    """Going back to older results is a decision."""
    assert not BY_HAND.is_over(stored(NEWER), made(0))
    assert not Turn(OLDER, came_before).is_over(None, made(0))


def test_a_run_that_came_late_is_in_the_history_once_and_in_its_place():
    newer = renewed(stored(OLDER), made(30, value=5), stored_at=NOON + timedelta(hours=1), store_answers=True)
    kept = with_past(newer, made(5, value=2, commit=OLDER))

    assert (newer.run, newer.stored_at) == (kept.run, kept.stored_at)
    assert [(4.0, None), (2.0, OLDER)] == [
        (e.means["correctness"], e.commit if e.commit == OLDER else None) for e in kept.history
    ]
    assert kept == with_past(kept, made(5, value=2, commit=OLDER))
    assert NEWER[:12] in left_alone(stored(NEWER)).ja


def test_its_history_stays_bounded():
    kept = stored(NEWER)
    for minute in range(LONGEST_HISTORY + 20):
        kept = with_past(kept, made(minute, commit=f"{minute:040}"))

    assert LONGEST_HISTORY == len(kept.history)
