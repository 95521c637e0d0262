"""Names of branches: as git sees them, but known before anything is sent."""

import subprocess

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ragjudge.errors import ConfigFault
from ragjudge.settings import load
from ragjudge.settings.branch_name import wrong_with

NAMES = st.text(
    st.sampled_from("ab/.-_@{}~^:?*[\\ \x07\x7fé本") | st.sampled_from("refs.lockHEAD"), min_size=1
)


@settings(max_examples=120, deadline=None)
@given(name=NAMES)
@example(name="ragjudge-baseline/old")
@example(name="a..b")
@example(name="a.lock/b")
@example(name="@")
@example(name="HEAD")
@example(name="-x")
@example(name="@{-1}")
@example(name="日本語")
def test_a_name_passes_where_git_takes_it(name):
    """Neither more nor less than git's own rules."""
    taken = subprocess.run(["git", "check-ref-format", f"refs/heads/{name}"], check=False).returncode == 0
    kept_for_git = name.startswith(("-", "refs/")) or name in {"@", "HEAD"}

    assert (taken and not kept_for_git) == (wrong_with(name) is None)


@pytest.mark.parametrize("name", ["", "refs/heads/x", "refs/x", "a" * 40])
def test_a_ref_a_commit_and_nothing_are_no_branches_name(name):
    """Git would take them for a branch's name, and nobody means that."""
    assert wrong_with(name) is not None


@pytest.mark.parametrize(
    ("name", "en", "ja"),
    [
        ("my baseline", "it holds space.", "空白を含んでいます"),
        ("a..b", "it holds '..', '@{' or '//'.", "「..」「@{」「//」のいずれかを含んでいます"),
        ("x.lock", "a part of it begins with '.' or ends with '.lock'.", "「.lock」で終わる部分があります"),
        ("", "it is empty.", "空です"),
    ],
)
def test_the_config_is_told_at_its_line_and_nothing_is_sent(name, en, ja):
    """Exit 2 with the reason, not "try again later"."""
    with pytest.raises(ConfigFault) as caught:
        load(f"suite: s.json\nbaseline:\n  store: 'branch:{name}'\n", path="ragjudge.yml")

    [problem] = caught.value.problems
    assert "ragjudge.yml:3" == str(problem.place)
    assert f"baseline.store: {name!r} is no name for a branch: {en}" == problem.what.en
    assert ja in problem.what.ja


def test_a_files_name_may_be_anything():
    """Only branches have git's rules."""
    assert (
        "file:my baseline.json"
        == load("suite: s.json\nbaseline: 'file:my baseline.json'\n").settings.baseline.store
    )
