"""Ids stand in the order in which people count."""

from hypothesis import given
from hypothesis import strategies as st

from ragjudge.suite.natural import by_id, natural


def test_numbers_in_ids_count_by_their_value():
    """2 before 10, in whole ids and inside of them; equal values by their spelling."""
    assert by_id(["10", "2", "1"]) == ("1", "2", "10")
    assert by_id(["q10", "q9", "q9-b", "q9-a10", "q9-a9"]) == ("q9", "q9-a9", "q9-a10", "q9-b", "q10")
    assert by_id(["1", "01", "001", "2"]) == ("001", "01", "1", "2")
    assert by_id(["出張-12", "出張-3", "a", "", "7"]) == ("", "7", "a", "出張-3", "出張-12")


@given(st.lists(st.integers(0, 10**30)))
def test_plain_numbers_are_ordered_as_numbers(numbers):
    """Of any size."""
    assert [int(one) for one in by_id(map(str, numbers))] == sorted(numbers)


@given(st.lists(st.text(alphabet="0123456789ab-#出", max_size=8), unique=True))
def test_any_ids_have_one_order(ids):
    """However they came: the same order, nothing lost, no two alike."""
    assert by_id(ids) == by_id(reversed(ids))
    assert sorted(by_id(ids)) == sorted(ids)
    assert len({natural(one) for one in ids}) == len(ids)


def test_an_id_of_very_many_digits_is_no_trouble():
    """Python refuses to make a number of it; we need none."""
    assert by_id(["9" * 6000, "1" + "0" * 6000])[0] == "9" * 6000
