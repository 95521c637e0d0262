"""Where Japanese and English sentences end."""

import time

import pytest

from ragjudge.metrics.sentences import sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("営業時間は9時です。土日は休みです。", ["営業時間は9時です。", "土日は休みです。"]),
        ("彼は「はい。そうです。」と答えた。次へ。", ["彼は「はい。そうです。」と答えた。", "次へ。"]),
        ("「休みです。」「営業します。」", ["「休みです。」", "「営業します。」"]),
        (
            "申請します（事前に承認が必要です。）。次です。",
            ["申請します（事前に承認が必要です。）。", "次です。"],
        ),
        ("括弧が（閉じない。次の文。", ["括弧が（閉じない。", "次の文。"]),
        ("え！？そうなの？？はい", ["え！？", "そうなの？？", "はい"]),
        ("税率は4．5％です．次の文です．", ["税率は4．5％です．", "次の文です．"]),
        ("3.5%です。", ["3.5%です。"]),
        ("-5度です。", ["-5度です。"]),
        ("本当ですか?はい。Yahoo!ニュースを見る。", ["本当ですか?", "はい。", "Yahoo!ニュースを見る。"]),
        ("v1.2.3をexample.co.jpで使う。", ["v1.2.3をexample.co.jpで使う。"]),
        ("必要書類:\n・申請書\n・領収書", ["必要書類: 申請書", "領収書"]),
        ("手順は以下。\n---\n1) 開く\n2) 閉じる", ["手順は以下。", "開く", "閉じる"]),
        ("①開く\u2028②閉じる", ["開く", "閉じる"]),
        ("半角です｡終わり｡", ["半角です｡", "終わり｡"]),
    ],
)
def test_japanese_text_is_split_at_its_own_marks(text, expected):
    """。！？ and line ends, but not inside closed quotes, numbers or names."""
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Dr. Smith arrived at 3.5 p.m. He left. See e.g. the manual, No. 5. Is it? Yes!",
            ["Dr. Smith arrived at 3.5 p.m.", "He left.", "See e.g. the manual, No. 5.", "Is it?", "Yes!"],
        ),
        ("one line\nwraps here. Next", ["one line wraps here.", "Next"]),
        ("J. K. Rowling wrote it.", ["J. K. Rowling wrote it."]),
        ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
        ("U.S. law applies. Inc. is short.", ["U.S. law applies.", "Inc. is short."]),
        ("1. First thing\n2. Second thing", ["First thing", "Second thing"]),
        ("- Travel\n* Meals", ["Travel", "Meals"]),
        ("No. It is not.", ["No.", "It is not."]),
    ],
)
def test_english_text_keeps_abbreviations_and_decimals_whole(text, expected):
    """A point ends a sentence only where a reader would stop."""
    assert sentences(text) == expected


@pytest.mark.parametrize("text", ["", " \n", "。。。", "---", "「」"])
def test_text_without_a_word_has_no_sentence(text):
    """Punctuation alone gives nothing to judge."""
    assert sentences(text) == []


@pytest.mark.parametrize(
    "hostile", ["(" * 60_000 + "」" * 60_000, "a. " * 40_000, "「。" * 40_000, "e.g. " * 30_000]
)
def test_hostile_text_takes_no_longer_than_its_length(hostile):
    """An answer of a hundred thousand brackets or points is split in moments, not minutes."""
    started = time.process_time()
    sentences(hostile)
    assert time.process_time() - started < 3
