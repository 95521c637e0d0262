"""What preview apps are called, and which apps are taken for one."""

from hypothesis import given
from hypothesis import strategies as st

from ragjudge.dify.console.values import App
from ragjudge.preview.naming import SEARCHED, Owner, named, slot_of

PR = Owner("octo/bot", 12, "suite.json", "abcdef0123456789")


def app(name: str, description: str) -> App:
    return App("id", name, description, "advanced-chat", 0, {})


def test_a_person_sees_whose_app_it_is():
    """The name begins with the pull request and the app; the description says that it goes away."""
    called = named(PR, "社内規程", "0123abcd")
    assert called.name == f"PR 12: 社内規程 [ragjudge {PR.slot}-0123abcd]"
    assert called.description == (
        "Temporary app of ragjudge (octo/bot PR 12 abcdef012345). It is deleted after the run."
    )


def test_a_preview_of_a_preview_carries_one_tag():
    """Somebody exported a preview app and committed it: its old tag must not make it another run's."""
    old = named(Owner("octo/bot", 1), "bot", "ffffffff").name
    assert named(PR, old, "0123abcd").name.count("[ragjudge") == 1


@given(st.text(), st.text(max_size=40), st.integers(1, 10**6))
def test_every_preview_is_recognised_whatever_the_app_is_called(app_name, repository, number):
    """Hostile names included; the console's search word is part of each."""
    owner = Owner(repository, number)
    called = named(owner, app_name, "0123abcd")
    assert slot_of(app(called.name, called.description)) == owner.slot
    assert SEARCHED in called.name
    assert len(called.name) <= 100
    assert len(called.description) <= 300
    assert called.name.isprintable()


def test_owners_that_differ_in_anything_have_slots_of_their_own():
    """Repository, number and part; the commit does not count: a later push is the same owner."""
    owners = [
        PR,
        Owner("octo/bot", 13, "suite.json"),
        Owner("octo/bot", 12, "b.json"),
        Owner("octo/b", 12, "suite.json"),
    ]
    assert len({owner.slot for owner in owners}) == 4
    assert Owner("octo/bot", 12, "suite.json", "other").slot == PR.slot


def test_an_app_with_one_mark_only_is_nobodys():
    """A renamed app, or one whose description was rewritten, was kept on purpose."""
    called = named(PR, "bot", "0123abcd")
    assert slot_of(app("bot", called.description)) is None
    assert slot_of(app(called.name, "")) is None
    assert slot_of(app(called.name + " (copy)", called.description)) is None
