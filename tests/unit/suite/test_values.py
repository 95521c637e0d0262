import pytest

from ragjudge.suite import values
from ragjudge.suite.raw import Bare
from ragjudge.suite.values import BadValue


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, None), ("", None), ("  ", None), (" a ", " a "), (Bare("1.0", 1.0), "1.0"), (["only one"], "only one"),
    ],
)  # fmt: skip
def test_text_is_what_was_written(value, text):
    """A bare number as it was written; older exports keep a reference in a list of one."""
    assert values.text(value) == text


@pytest.mark.parametrize(
    "value", ["\u200b", "\ufeff", " \u2060\u3000", "\u00ad\u200e", "\ufe0f", "\u3164", "\u2800", "\x7f"]
)
def test_what_nobody_sees_is_no_text(value):
    """Web pages and chats leave such characters behind."""
    assert values.text(value) is None
    assert values.plain_text(value) == ""
    assert values.text(f"a{value}") == f"a{value}"


@pytest.mark.parametrize("value", [["a", "b"], {"a": "b"}, True, "a\0b", "\ud800"])
def test_what_is_no_text_is_refused(value):
    """Two references leave open which one counts."""
    with pytest.raises(BadValue):
        values.text(value)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (None, ()),
        ("a, b、c;d\ne", ("a", "b", "c", "d", "e")),
        (["a, b", None, "c"], ("a, b", "c")),
        ('["a, b", "c"]', ("a, b", "c")),
        ("[要確認] a, b", ("[要確認] a", "b")),
        (Bare("5", 5), ("5",)),
    ],
)
def test_lists_in_cells_are_split_and_lists_in_lists_are_not(value, found):
    """A cell that only begins like a list is text."""
    assert values.texts(value, split=True) == found


def test_a_text_that_must_stay_whole_stays_whole():
    """A passage of a reference holds commas and line breaks."""
    assert values.texts("一行目、\n二行目", split=False) == ("一行目、\n二行目",)
    assert values.texts("[1] 出典", split=False) == ("[1] 出典",)


@pytest.mark.parametrize("value", [{"a": 1}, True])
def test_what_is_no_list_is_refused(value):
    """With what would be right."""
    with pytest.raises(BadValue) as caught:
        values.texts(value, split=True)

    assert "list" in caught.value.what.en


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (None, {}), ("", {}), ("a=1\nb = x=y", {"a": "1", "b": "x=y"}),
        ("a: 本社\nb: [1, x]", {"a": "本社", "b": [Bare("1", 1), "x"]}),
        ('{"a": "b"}', {"a": "b"}), ({"a": None}, {"a": None}),
    ],
)  # fmt: skip
def test_pairs_in_cells(value, found):
    """As JSON, as YAML, or as `name=value` lines."""
    assert values.mapping(value) == found


@pytest.mark.parametrize("value", ["just text", "[1, 2]", "a: [", ["a"], Bare("1", 1), True])
def test_what_are_no_pairs_is_refused(value):
    """With an example."""
    with pytest.raises(BadValue):
        values.mapping(value)


@pytest.mark.parametrize(
    ("value", "found"), [(None, None), ("２０", 20.0), ("0", 0.0), (Bare("2.5", 2.5), 2.5)]
)
def test_numbers(value, found):
    """Full-width digits too."""
    assert values.number(value) == found


@pytest.mark.parametrize("value", ["-1", "many", "nan", "inf", "1e999", ["a", "b"]])
def test_what_is_no_number_is_refused(value):
    """Limits are finite and not negative."""
    with pytest.raises(BadValue):
        values.number(value)


_NO = """
－ ー — ― – ‐ ── -- ／ … N n n/a N/A #N/A na 無し 無 なし （なし） ナシ ﾅｼ × ✕ ✖️ ❌ ０ 0 Ｎｏ NO ＦＡＬＳＥ null None 未 ☐ □
"""
_YES = "○ 〇 ◯ ● ⭕️ ✓ ✔️ ☑ ☑️ ■ x Ｘ ｘ Y yes ＴＲＵＥ true 1 １ はい レ ﾚ"
_REASONS = [
    "仕様変更中",
    "対応なし (3月まで)",
    "n/a until March",
    "Ｎ社の規程待ち",
    "×社の規程",
    "0円改定のため",
    "-5度の件",
    "回答なし",
]


@pytest.mark.parametrize(
    ("written", "skip"),
    [
        *((no, None) for no in [*_NO.split(), "\u200b", "　", "no ", "なし。"]),
        *((yes, "skip") for yes in _YES.split()),
    ]
    + [(reason, reason) for reason in _REASONS],
)
def test_a_cell_that_says_no_leaves_no_case_out(written, skip):
    """In any width, as a dash, a cross, an empty box or another program's word; a sentence is a reason."""
    assert values.skip(written) == skip


def test_values_nested_beyond_reason_are_refused():
    """Before anything recursive meets them."""
    deep: object = "x"
    for _ in range(60):
        deep = [deep]

    with pytest.raises(BadValue):
        values.json_value(deep)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (None, None),
        ("１２", "12"),
        (" Ａ−1 ", "A−1"),
        ("　", None),
        (Bare("007", 7), "007"),
        ("㈱", "㈱"),
        ("か\u3099", "が"),
        ("e\u0301", "é"),
        ("1\u200b", "1"),
        ("\ufeff1\u00ad-\u20602", "1-2"),
        ("\u200b", None),
        ("A\u00a01", "A 1"),
        ("A\u20031", "A 1"),
        ("ｱ", "ｱ"),
    ],
)
def test_ids_lose_only_what_nobody_sees(value, found):
    """Width, blanks, invisible characters and how accents and voiced kana are stored; nothing else changes."""
    assert values.identity(value) == found
