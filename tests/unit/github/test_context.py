"""From the event file and GITHUB_* to what we know about the run."""

import json

import pytest

from ragjudge.errors import UsageFault
from ragjudge.github import context

ENVIRON = {
    "GITHUB_REPOSITORY": "octo/app",
    "GITHUB_REF": "refs/pull/7/merge",
    "GITHUB_SHA": "c" * 40,
    "GITHUB_RUN_ID": "900",
    "GITHUB_RUN_ATTEMPT": "2",
    "GITHUB_RUN_NUMBER": "31",
    "GITHUB_ACTOR": "alice",
    "GITHUB_API_URL": "https://ghe.example/api/v3",
    "GITHUB_SERVER_URL": "https://ghe.example",
}
REPOSITORY = {"default_branch": "main", "private": True, "full_name": "octo/app"}


def pull_request(head_repo="octo/app", **more):
    return {
        "action": "synchronize",
        "repository": REPOSITORY,
        "pull_request": {
            "number": 7,
            "head": {
                "ref": "feature",
                "sha": "a" * 40,
                "repo": {"full_name": head_repo} if head_repo else None,
            },
            "base": {"ref": "main", "sha": "b" * 40},
            **more,
        },
    }


def test_a_pull_request_of_the_same_repository():
    """Head, base, run and addresses are all there."""
    seen = context.from_event("pull_request", pull_request(), ENVIRON)

    assert seen.pull_request is not None
    assert (seen.pull_request.number, seen.head_sha, seen.base_ref, seen.base_sha) == (
        7,
        "a" * 40,
        "main",
        "b" * 40,
    )
    assert (seen.run_id, seen.run_attempt, seen.run_number) == (900, 2, 31)
    assert seen.run_url == "https://ghe.example/octo/app/actions/runs/900"
    assert seen.private is True
    assert not seen.without_secrets
    assert seen.is_proposal


def test_a_merged_pull_request_is_no_proposal_any_more():
    """Its settings were reviewed."""
    closed = {**pull_request(merged=True), "action": "closed"}
    assert not context.from_event("pull_request", closed, ENVIRON).is_proposal


@pytest.mark.parametrize("merged", [True, False])
@pytest.mark.parametrize(
    "event",
    [
        "pull_request",
        "pull_request_review",
        "pull_request_review_comment",
        "pull_request_target",
        "deployment",
    ],
)
def test_every_event_of_a_pull_request_holds_its_proposal(event, merged):
    """Whatever happens on it, and whether it was merged since: the workspace is its own merge commit."""
    seen = context.from_event(event, {**pull_request(merged=merged), "action": "submitted"}, ENVIRON)

    assert seen.is_proposal
    assert (seen.base_ref, seen.base_sha, seen.head_sha) == ("main", "b" * 40, "a" * 40)


def test_a_pull_requests_ref_alone_tells_a_proposal():
    """An event that names no pull request: what is checked out is one all the same, into the default branch."""
    seen = context.from_event("deployment", {"repository": REPOSITORY}, ENVIRON)

    assert seen.is_proposal
    assert (seen.base_ref, seen.base_sha) == ("main", "")


def test_a_review_of_a_forks_pull_request_has_no_secrets():
    """As little as its push has."""
    seen = context.from_event("pull_request_review", pull_request("stranger/app"), ENVIRON)

    assert seen.without_secrets


@pytest.mark.parametrize("head_repo", ["stranger/app", None])
def test_a_head_in_another_or_a_deleted_repository_is_a_fork(head_repo):
    """GitHub hands such a run no secrets."""
    assert context.from_event("pull_request", pull_request(head_repo), ENVIRON).without_secrets


def test_a_renamed_case_of_the_owner_is_no_fork():
    """GitHub's names don't distinguish case."""
    assert not context.from_event("pull_request", pull_request("Octo/App"), ENVIRON).is_fork


def test_dependabot_is_treated_like_a_fork():
    """Its runs see Dependabot's own secrets only."""
    seen = context.from_event("pull_request", pull_request(), {**ENVIRON, "GITHUB_ACTOR": "dependabot[bot]"})

    assert seen.without_secrets
    assert not seen.is_fork


@pytest.mark.parametrize("event", ["push", "schedule", "workflow_dispatch", "merge_group"])
def test_dependabot_is_no_excuse_outside_of_a_pull_request(event):
    """Who merges or who last changed the workflow is the actor then; a missing secret must be seen."""
    seen = context.from_event(
        event,
        {"repository": REPOSITORY},
        {**ENVIRON, "GITHUB_REF": "refs/heads/main", "GITHUB_ACTOR": "dependabot[bot]"},
    )

    assert not seen.without_secrets


def test_a_merge_queue_names_its_base():
    """There is no pull request in the payload, and several may be inside."""
    payload = {
        "repository": REPOSITORY,
        "merge_group": {"base_ref": "refs/heads/release", "base_sha": "d" * 40, "head_sha": "e" * 40},
    }

    seen = context.from_event("merge_group", payload, ENVIRON)

    assert (seen.pull_request, seen.base_ref, seen.base_sha) == (None, "release", "d" * 40)
    assert seen.is_proposal


def test_a_push_has_its_own_branch_as_base():
    """What is pushed is reviewed already."""
    seen = context.from_event(
        "push", {"repository": REPOSITORY}, {**ENVIRON, "GITHUB_REF": "refs/heads/main"}
    )

    assert (seen.base_ref, seen.head_sha) == ("main", "c" * 40)
    assert not seen.is_proposal


def test_without_the_variables_public_github_is_meant():
    """Old runners set no GITHUB_API_URL."""
    seen = context.from_event("push", {}, {"GITHUB_REPOSITORY": "octo/app"})

    assert (seen.api_url, seen.server_url) == ("https://api.github.com", "https://github.com")


@pytest.mark.parametrize("text", ["", "[]", "{", '{"pull_request": {"number": "7"}}', '{"pull_request": []}'])
def test_a_damaged_event_file_is_one_sentence(tmp_path, text):
    """Never a traceback."""
    path = tmp_path / "event.json"
    path.write_text(text, "utf-8")

    with pytest.raises(UsageFault, match="event file"):
        context.load({**ENVIRON, "GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": str(path)})


def test_outside_of_actions_the_command_line_is_named():
    """Someone who starts the entry by hand learns what to use instead."""
    with pytest.raises(UsageFault) as caught:
        context.load({})

    assert "ragjudge check" in caught.value.in_language("ja")


def test_the_event_file_is_read_as_utf8(tmp_path):
    """Titles and branches in Japanese come through."""
    path = tmp_path / "event.json"
    event = pull_request()
    event["pull_request"]["head"]["ref"] = "規程-改定"
    path.write_text(json.dumps(event, ensure_ascii=False), "utf-8")

    seen = context.load({**ENVIRON, "GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": str(path)})

    assert seen.pull_request is not None
    assert seen.pull_request.head_ref == "規程-改定"
