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
