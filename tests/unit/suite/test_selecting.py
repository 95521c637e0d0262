import pytest

from ragjudge.errors import UsageFault
from ragjudge.suite import select
from tests import builders

SUITE = builders.suite(
    builders.case("1", tags=("smoke",)),
    builders.case("2", tags=("hr", "smoke")),
    builders.case("3", tags=("hr",)),
    builders.case("4", skip="later"),
    builders.case("5"),
)


def ids(**wanted) -> str:
    return " ".join(case.id for case in select(SUITE, **wanted).cases)


@pytest.mark.parametrize(
    ("wanted", "left"),
    [
        ({}, "1 2 3 4 5"),
        ({"ids": ["3", "1"]}, "1 3"),
        ({"tags": ["hr"]}, "2 3"),
        ({"tags": ["hr", "smoke"]}, "1 2 3"),
        ({"ids": ["1", "2"], "tags": ["hr"]}, "2"),
        ({"limit": 2}, "1 2"),
        ({"ids": ["３", "1\u200b"]}, "1 3"),
        ({"shard": (2, 2)}, "2 3"),
        ({"tags": ["smoke"], "shard": (2, 2), "limit": 1}, "2"),
    ],
)
def test_ids_tags_shard_and_limit(wanted, left):
    """In the order of the suite."""
    assert ids(**wanted) == left


def test_a_shard_is_the_same_however_the_suite_is_sorted():
    """Dealt out by a stable hash of the ids."""
    turned = SUITE.model_copy(update={"cases": SUITE.cases[::-1]})

    assert {c.id for c in select(turned, shard=(1, 2)).cases} == {
        c.id for c in select(SUITE, shard=(1, 2)).cases
    }


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_shards_share_no_case_and_hold_all(parts):
    """Together they are the suite."""
    found = [case.id for part in range(1, parts + 1) for case in select(SUITE, shard=(part, parts)).cases]

    assert sorted(found) == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({"ids": ["6"]}, "--case 6: no case has it."),
        ({"tags": ["smok"]}, "--tag smok: no case has it."),
        ({"limit": 0}, "--limit must be 1 or more, not 0."),
        ({"limit": -1}, "--limit must be 1 or more, not -1."),
        ({"shard": (6, 6)}, "nothing would be evaluated"),
        ({"ids": ["4"]}, "Every selected case is marked skip"),
        ({"ids": ["1"], "tags": ["hr"]}, "nothing would be evaluated"),
    ],
)
def test_a_run_of_nothing_is_an_error(wanted, says):
    """It must not look like a success."""
    with pytest.raises(UsageFault) as caught:
        ids(**wanted)

    assert says in str(caught.value)


NAMED = builders.suite(
    *(builders.case(name) for name in ("travel-1", "travel-2", "travel-10", "leave-1", "7"))
)


@pytest.mark.parametrize(
    ("wanted", "en", "ja"),
    [
        (["travl-10"], "Did you mean one of 'travel-10', 'travel-1', 'travel-2'?", "「travel-10」「travel-1」「travel-2」のいずれかの間違いではありませんか。"),
        (["leav"], "Did you mean 'leave-1'?", "「leave-1」の間違いではありませんか。"),
        (["ｌｅａｖ"], "Did you mean 'leave-1'?", "「leave-1」の間違いではありませんか。"),
        (["出張"], "There are: 7, leave-1, travel-1, travel-2, travel-10.", "指定できる値: 7、leave-1、travel-1、travel-2、travel-10"),
    ],
)  # fmt: skip
def test_an_unknown_id_names_those_that_are_near(wanted, en, ja):
    """Up to three by likeness, whatever the width of the letters; without any, what the suite has."""
    with pytest.raises(UsageFault) as caught:
        select(NAMED, ids=wanted)

    assert caught.value.exit_code == 2
    assert caught.value.in_language("en").splitlines() == [
        f"--case {wanted[0]}: no case has it.",
        f"  → {en}",
    ]
    assert caught.value.in_language("ja").splitlines() == [
        f"--case {wanted[0]}: 該当するケースがありません。",
        f"  → {ja}",
    ]


def test_all_unknown_ids_are_named_at_once_and_no_id_moves_the_terminal():
    """Known ones beside them are no trouble; control characters are taken out, long lists are cut."""
    with pytest.raises(UsageFault) as caught:
        select(NAMED, ids=["7", "nobody\x1b[2J", "leave-2"])
    assert str(caught.value) == "--case nobody?[2J, leave-2: no case has it."

    many = builders.suite(*(builders.case(str(n)) for n in range(1, 40)))
    with pytest.raises(UsageFault) as caught:
        select(many, ids=["zzz"])
    assert "There are: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 … and 29 more." in caught.value.in_language("en")


def test_a_mistyped_tag_gets_a_suggestion():
    """The nearest one."""
    with pytest.raises(UsageFault) as caught:
        ids(tags=["smok"])

    assert caught.value.in_language("ja") == (
        "--tag smok: 該当するケースがありません。\n  → 「smoke」の間違いではありませんか。"
    )


def test_the_name_of_the_suite_stays():
    """A part is compared with the whole suite's baseline."""
    assert select(SUITE, limit=1).name == SUITE.name
