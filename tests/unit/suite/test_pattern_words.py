import re

import pytest

from ragjudge.suite.pattern_words import in_japanese


def wrong(pattern: str) -> str:
    with pytest.raises((re.error, OverflowError)) as caught:
        re.compile(pattern)
    return in_japanese(caught.value)


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("経費(30", "3文字目: 「(」が閉じられていません"),
        ("30)", "3文字目: 「)」に対応する「(」がありません"),
        ("a[b", "2文字目: 「[」が閉じられていません"),
        ("*日", "1文字目: 繰り返しの記号(「*」「+」「?」など)の前に、繰り返す対象がありません"),
        ("a\\", "2文字目: 「\\」で終わっています"),
        ("\\pL", "1文字目: 使えない「\\」の書き方です"),
        ("a{99999999999999999999}", "繰り返しの回数が大きすぎます"),
        ("(?<=a+)b", "後読み(「(?<=」「(?<!」)の中の長さが決まっていません"),
    ],
)
def test_a_broken_pattern_is_told_in_japanese(pattern, told):
    """With the place, as people count."""
    assert wrong(pattern) == told


@pytest.mark.parametrize(
    "pattern",
    ["a**", "a{3,2}", "[z-a]", "\\x1", "(?<n", "(?y)", "(?P<1>a)", "(?P<a>x)(?P<a>y)", "(?P=b)", "\\2", "(?", "a(?i)b",
     "(?(1", "\\N{no such}", "(?i-", "(?P<>a)", "(?#"],
)  # fmt: skip
def test_whatever_python_says_no_english_is_shown(pattern):
    """A message that is not known yet still has a plain sentence."""
    assert not re.search("[A-Za-z]{3}", wrong(pattern))
