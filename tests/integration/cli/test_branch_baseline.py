import subprocess

import pytest


def git(folder, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.slow
def test_a_baseline_on_a_branch_is_shared_through_the_remote(team, tmp_path_factory):
    """Stored from one checkout, found from it again; the checkout, its index and its branches stay as they were."""
    remote = tmp_path_factory.mktemp("remote")
    git(remote, "init", "--quiet", "--bare", "--initial-branch=main", ".")
    git(team.folder, "init", "--quiet", "--initial-branch=main", ".")
    team.config(baseline={"store": "branch:ragjudge-baseline"})
    git(team.folder, "add", "suite.json", "ragjudge.yml")
    git(team.folder, "commit", "--quiet", "-m", "suite")
    git(team.folder, "remote", "add", "origin", str(remote))
    git(team.folder, "push", "--quiet", "origin", "main")
    before = git(team.folder, "status", "--porcelain=v2", "--branch", "--untracked-files=no")

    assert team.ragjudge("check", "--quiet") == 0
    assert "no baseline" in team.report().lower()
    assert team.ragjudge("baseline", "update", "--quiet") == 0
    assert team.ragjudge("check", "--quiet") == 0

    assert "Passed" in team.report()
    assert "ragjudge-baseline" in git(remote, "branch", "--list")
    assert git(team.folder, "status", "--porcelain=v2", "--branch", "--untracked-files=no") == before
    assert "ragjudge-baseline" not in git(team.folder, "branch", "--all")


@pytest.mark.slow
def test_a_feature_branch_finds_the_default_branchs_baseline(team, tmp_path_factory):
    """Where nothing but `git clone` writes down: the remote itself is asked which branch is its default."""
    remote = tmp_path_factory.mktemp("remote")
    git(remote, "init", "--quiet", "--bare", "--initial-branch=trunk", ".")
    git(team.folder, "init", "--quiet", "--initial-branch=trunk", ".")
    team.config(baseline={"store": "branch:ragjudge-baseline"})
    git(team.folder, "add", "suite.json", "ragjudge.yml")
    git(team.folder, "commit", "--quiet", "-m", "suite")
    git(team.folder, "remote", "add", "origin", str(remote))
    git(team.folder, "push", "--quiet", "origin", "trunk")
    assert team.ragjudge("baseline", "update", "--quiet") == 0
    git(team.folder, "switch", "--quiet", "--create", "feature")

    assert team.ragjudge("check", "--quiet") == 0

    assert "Passed" in team.report()
