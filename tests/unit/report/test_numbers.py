"""How numbers are written."""

from decimal import Decimal

import pytest

from ragjudge.report import numbers


@pytest.mark.parametrize(
    ("metric", "value", "expected"),
    [
        ("faithfulness", 1.0, "1.00"),
        ("faithfulness", 0.8333, "0.83"),
        ("faithfulness", 0.0, "0.00"),
        ("correctness", 4.0, "4"),
        ("correctness", 3.6667, "3.7"),
        ("politeness", 2.5, "2.5"),
        ("checks", 1.0, "1.00"),
        ("faithfulness", -0.0, "0.00"),
        ("correctness", None, "–"),
    ],
)
def test_score(metric, value, expected):
    """Two decimals on 0–1, none or one on wide scales."""
    assert numbers.score(metric, value) == expected


@pytest.mark.parametrize(
    ("metric", "value", "expected"),
    [
        ("faithfulness", 0.98512, "0.985"),
        ("correctness", 4.636363, "4.64"),
        ("correctness", 5.0, "5.00"),
        ("correctness", None, "–"),
    ],
)
def test_mean(metric, value, expected):
    """One decimal more than a single score."""
    assert numbers.mean(metric, value) == expected


@pytest.mark.parametrize(
    ("metric", "value", "expected"),
    [
        ("correctness", -0.82, "−0.82"),
        ("correctness", 0.5, "+0.50"),
        ("correctness", 0.0, "±0.00"),
        ("correctness", -0.0, "±0.00"),
        ("correctness", -0.0049, "±0.00"),
        ("correctness", 0.0049, "±0.00"),
        ("correctness", -0.0051, "−0.01"),
        ("faithfulness", -0.0004, "±0.000"),
        ("faithfulness", -0.0506, "−0.051"),
        ("faithfulness", None, "–"),
    ],
)
def test_change_of_mean(metric, value, expected):
    """Signed, never "-0.00", and a change just over a tolerance shows as such."""
    assert numbers.change_of_mean(metric, value) == expected


@pytest.mark.parametrize(
    ("metric", "value", "expected"),
    [
        ("correctness", -3.0, "−3"),
        ("correctness", -1.5, "−1.5"),
        ("correctness", 0.04, "±0"),
        ("faithfulness", -0.667, "−0.67"),
    ],
)
def test_change_of_score(metric, value, expected):
    """A change has the decimals of its score."""
    assert numbers.change_of_score(metric, value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.05, "0.05"),
        (1.5, "1.5"),
        (3.0, "3"),
        (0.0, "0"),
        (10.0, "10"),
        (0.00001, "0"),
        (-0.25, "−0.25"),
        (None, "–"),
    ],
)
def test_limit(value, expected):
    """As the user wrote it."""
    assert numbers.limit(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (5, "★★★★★"),
        (3, "★★★☆☆"),
        (2.5, "★★★☆☆"),
        (2.49, "★★☆☆☆"),
        (1, "★☆☆☆☆"),
        (0, "☆☆☆☆☆"),
        (9, "★★★★★"),
        (None, ""),
    ],
)
def test_stars(value, expected):
    """Always five signs, rounded half up."""
    assert numbers.stars(value) == expected


@pytest.mark.parametrize(
    ("value", "en", "ja"),
    [
        (0.0, "0.0 s", "0.0秒"),
        (2.44, "2.4 s", "2.4秒"),
        (42.4, "42 s", "42秒"),
        (59.6, "1 min 00 s", "1分00秒"),
        (185, "3 min 05 s", "3分05秒"),
        (3723, "1 h 02 min", "1時間02分"),
        (-1.0, "0.0 s", "0.0秒"),
    ],
)
def test_seconds(value, en, ja):
    """Times as people say them."""
    assert (numbers.seconds(value, "en"), numbers.seconds(value, "ja")) == (en, ja)


@pytest.mark.parametrize(
    ("price", "expected"),
    [("0", "0.00 USD"), ("1.2", "1.20 USD"), ("0.0042", "0.0042 USD"), ("1234.5", "1,234.50 USD")],
)
def test_money(price, expected):
    """Two decimals, four for small sums."""
    assert numbers.money("USD", Decimal(price)) == expected


def test_interval_is_empty_without_bounds():
    """No bounds, no brackets."""
    assert numbers.interval("correctness", None, None) == ""
    assert numbers.interval("correctness", -1.651, 0.009) == "[−1.65, +0.01]"


def test_sparkline_draws_low_to_high_and_gaps():
    """The lowest point is the lowest bar, the highest the highest; a missing one is a dot."""
    assert numbers.sparkline([0.1, None, 0.9]) == "▁·█"
    assert len(set(numbers.sparkline([0.5, 0.5, 0.5]))) == 1
    assert numbers.sparkline([None, None]) == "··"
