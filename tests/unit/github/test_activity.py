"""The table of `mode: auto`."""

import pytest

from ragjudge.errors import UsageFault
from ragjudge.github import context
from ragjudge.github.activity import Activity, Mode, choose
from tests.unit.github.test_context import ENVIRON, REPOSITORY, pull_request


def seen(event, payload=None, ref="refs/heads/main"):
    return context.from_event(
        event, {"repository": REPOSITORY, **(payload or {})}, {**ENVIRON, "GITHUB_REF": ref}
    )


@pytest.mark.parametrize(
    ("event", "payload", "mode"),
    [
        ("pull_request", pull_request(), Mode.CHECK),
        ("merge_group", {}, Mode.CHECK),
        ("schedule", {}, Mode.CHECK),
        ("workflow_dispatch", {}, Mode.CHECK),
        ("push", {}, Mode.UPDATE_BASELINE),
        ("pull_request", {**pull_request(merged=True), "action": "closed"}, Mode.UPDATE_BASELINE),
    ],
)
def test_each_event_has_its_activity(event, payload, mode):
    """DESIGN's table, row by row."""
    assert choose(Mode.AUTO, seen(event, payload)) == Activity(mode)


def test_a_pull_request_closed_unmerged_is_nothing_to_do():
    """Green, with a sentence."""
    activity = choose(Mode.AUTO, seen("pull_request", {**pull_request(), "action": "closed"}))

    assert activity.nothing is not None


@pytest.mark.parametrize("event", ["issues", "issue_comment", "release", "repository_dispatch"])
def test_any_other_event_is_one_sentence_that_names_it(event):
    """Red, since the workflow should not send it here."""
    with pytest.raises(UsageFault, match=f"`{event}`"):
        choose(Mode.AUTO, seen(event))


@pytest.mark.parametrize("ref", ["refs/heads/feature", "refs/tags/main", "refs/heads/main2"])
def test_a_push_elsewhere_asks_for_a_mode(ref):
    """A baseline is never taken from a branch by accident."""
    with pytest.raises(UsageFault, match="default branch"):
        choose(Mode.AUTO, seen("push", ref=ref))


def test_an_explicit_mode_wins():
    """`mode: check` on a push is what it says."""
    assert choose(Mode.CHECK, seen("push", ref="refs/heads/x")) == Activity(Mode.CHECK)


@pytest.mark.parametrize("mode", list(Mode))
def test_pull_request_target_is_refused_in_every_mode(mode):
    """It would lend a stranger's pull request the base's rights."""
    with pytest.raises(UsageFault, match="pull_request_target"):
        choose(mode, seen("pull_request_target", pull_request("stranger/app")))


@pytest.mark.parametrize("event", ["pull_request", "merge_group"])
def test_a_proposal_can_not_store_its_own_baseline(event):
    """Not even when the workflow asks for it."""
    with pytest.raises(UsageFault, match="must not store"):
        choose(Mode.UPDATE_BASELINE, seen(event, pull_request()))


def test_a_merged_fork_says_that_it_could_not_update():
    """GitHub gives its closing event no secrets."""
    payload = {**pull_request("stranger/app", merged=True), "action": "closed"}

    activity = choose(Mode.UPDATE_BASELINE, seen("pull_request", payload))

    assert activity.nothing is not None
    assert "push" in activity.nothing.en
