"""What is wrong with a regular expression, in Japanese: Python's `re` says it in English only."""

import re

_SAID = (
    ("missing ), unterminated subpattern", "「(」が閉じられていません"),
    ("unbalanced parenthesis", "「)」に対応する「(」がありません"),
    ("unterminated character set", "「[」が閉じられていません"),
    ("nothing to repeat", "繰り返しの記号(「*」「+」「?」など)の前に、繰り返す対象がありません"),
    ("multiple repeat", "繰り返しの記号が重なっています"),
    ("min repeat greater than max repeat", "繰り返しの最小回数が最大回数を超えています"),
    ("the repetition number is too large", "繰り返しの回数が大きすぎます"),
    ("bad character range", "文字の範囲の順序が逆か、範囲にできない文字です"),
    ("bad escape (end of pattern)", "「\\」で終わっています"),
    ("bad escape", "使えない「\\」の書き方です"),
    ("incomplete escape", "「\\」の書き方が途中で終わっています"),
    ("undefined character name", "「\\N」の文字名が間違っています"),
    ("look-behind requires fixed-width pattern", "後読み(「(?<=」「(?<!」)の中の長さが決まっていません"),
    ("unknown extension", "使えない「(?」の書き方です"),
    ("unexpected end of pattern", "途中で終わっています"),
    ("global flags not at the start of the expression", "「(?i)」などのフラグは先頭に書いてください"),
    ("unknown flag", "使えないフラグです"),
    ("missing flag", "フラグが書かれていません"),
    ("bad inline flags", "フラグの組み合わせが間違っています"),
    ("invalid group reference", "存在しないグループを参照しています"),
    ("cannot refer to", "ここからは参照できないグループです"),
    ("unknown group name", "存在しないグループ名です"),
    ("missing group name", "グループ名が書かれていません"),
    ("redefinition of group name", "同じグループ名が2回使われています"),
    ("bad character in group name", "グループ名に使えない文字があります"),
    ("missing", "必要な記号がありません"),
)
"""Beginnings of the messages of Python's parser, the longer ones first."""


def in_japanese(error: Exception) -> str:
    """The place where it is known, and the cause where it has words of ours."""
    said = error.msg if isinstance(error, re.error) else str(error)
    cause = next((ja for en, ja in _SAID if said.startswith(en)), "正規表現として正しくありません")
    position = error.pos if isinstance(error, re.error) else None
    return cause if position is None else f"{position + 1}文字目: {cause}"
