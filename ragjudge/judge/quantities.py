"""Numbers with their units, which wording alone gets wrong. Pure.

"5営業日" shares almost every character with "15営業日"; yet they say different things. What disagrees is named, so
that a reason can say it.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from ragjudge.judge.text import normal

_UNITS = {
    "business day": ("営業日", "business days", "business day", "working days", "working day"),
    "day": ("日間", "日", "days", "day"),
    "week": ("週間", "週", "weeks", "week"),
    "month": ("ヶ月", "ケ月", "か月", "カ月", "箇月", "月間", "月", "months", "month"),
    "year": ("年間", "年度", "年", "years", "year"),
    "hour": ("時間", "時", "hours", "hour", "o'clock"),
    "minute": ("分間", "分", "minutes", "minute", "mins", "min"),
    "second": ("秒", "seconds", "second"),
    "yen": ("円", "yen", "jpy"),
    "dollar": ("ドル", "dollars", "dollar", "usd", "$"),
    "euro": ("ユーロ", "euros", "euro", "eur", "€"),
    "pound": ("ポンド", "pounds", "pound", "gbp", "£"),
    "won": ("ウォン",),
    "yuan": ("人民元",),
    "person": ("名", "人", "people", "persons", "person"),
    "percent": ("パーセント", "%", "percent"),
    "point": ("%ポイント", "ポイント", "percentage points", "percentage point", "points", "point"),
    "fold": ("倍", "fold"),
    "night": ("泊", "nights", "night"),
    "piece": ("件", "個", "枚", "本", "台", "冊", "点", "頭", "匹", "羽", "つ", "items", "item"),
    "time": ("回", "度", "times"),
    "floor": ("階", "floors", "floor"),
    "age": ("歳", "才"),
    "byte": ("gb", "mb", "kb", "tb"),
    "length": ("km", "cm", "mm", "m", "キロ", "メートル", "meters", "metres"),
    "weight": ("kg", "g", "グラム", "キログラム"),
    "character": ("文字", "桁", "characters", "digits"),
}
_UNIT_OF = {written: unit for unit, forms in _UNITS.items() for written in forms}
_CURRENCIES = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yen"}
_NUMBER = re.compile(
    r"(?P<half>午前|午後|\b[ap]m~)?\s{0,2}(?P<mark>[$€£¥])?\s{0,2}(?P<value>\d[\d,]*(?:\.\d+)?)\s*(?P<times>[万億千百]?)\s*(?P<unit>"
    + "|".join(sorted(map(re.escape, _UNIT_OF), key=len, reverse=True))
    + r")?"
)
_DATE = re.compile(r"\b(\d{4})[-/](\d{1,2})[-/](\d{1,2})\b")
_CLOCK = re.compile(r"\b(\d{1,2}):(\d{2})(?!\d)")
_HALF_OF_DAY = re.compile(r"\b(\d{1,2}(?::\d{2})?)\s?([ap])\.?m\b\.?")
_HALF_PAST = re.compile(r"(?<=\d)時半")
_TENTHS = re.compile(r"(?<=\d)割")
_KANJI_NUMBER = re.compile(
    r"[一二三四五六七八九十百]+(?=(?:営業日|日間|週間|[ヶケかカ]月|年間|時間|名|人|件|回|階|歳|割|分の|個|台|枚|頭|匹|羽|つ))"
)
_KANJI_DIGITS = {char: value for value, char in enumerate("〇一二三四五六七八九")}
_TIMES = {"": 1.0, "百": 100.0, "千": 1_000.0, "万": 10_000.0, "億": 100_000_000.0}
_NOON = 12
_LAST_DAY = re.compile(r"月末|末日|\bend of (?:the |next |following )*month\b")
_COUNTED_EN = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WORDS_EN = {word: str(value) for value, word in enumerate(_COUNTED_EN, start=2)}
_WORD_EN = re.compile(rf"\b({'|'.join(_WORDS_EN)})\b")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and its unit's name ("" where none follows)."""

    value: float
    unit: str
    written: str
    half_told: bool = False
    """An hour that was told with a.m. or p.m.: its value is of 24."""


@lru_cache(maxsize=4096)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Every number of a text; dates and clock times are taken apart into year, month, day, hour and minute.

    The last day of a month counts as its day -1.
    """
    plain = with_digits(text)
    found = [Quantity(-1.0, "day", match.group()) for match in _LAST_DAY.finditer(plain)]
    for match in _NUMBER.finditer(plain):
        one = _quantity(plain, match)
        if not (one.unit == "minute" and one.value == 0.0):
            found.append(one)
    return tuple(found)


def _quantity(plain: str, match: re.Match[str]) -> Quantity:
    value = float(match["value"].replace(",", "")) * _TIMES[match["times"]]
    unit, half = _unit(plain, match), match["half"] or ""
    written = match.group().removeprefix(half).strip()
    if not half or unit not in ("hour", "") or value > _NOON:
        return Quantity(value, unit, written)
    written = f"{match['value']} {half[:2]}" if half.isascii() else half + written
    return Quantity(value % _NOON + _NOON * (half in ("午後", "pm~")), "hour", written, half_told=True)


@lru_cache(maxsize=4096)
def with_digits(text: str) -> str:
    """The text with one way of writing numbers: 五営業日, five days, 2024-04-01, 9:30 pm, 3割 in digits and units."""
    plain = _DATE.sub(r"\1年\2月\3日 ", normal(text))
    plain = _WORD_EN.sub(lambda match: _WORDS_EN[match.group()], plain)
    plain = _HALF_OF_DAY.sub(r"\2m~\1", plain)
    plain = _CLOCK.sub(r"\1時\2分 ", plain)
    plain = _KANJI_NUMBER.sub(lambda match: str(_kanji_value(match.group())), plain)
    return _TENTHS.sub("0%", _HALF_PAST.sub("時30分", plain))


def _unit(plain: str, match: re.Match[str]) -> str:
    """A Latin unit must be a whole word: "5 minutes" but not "5 mice"."""
    written = match["unit"]
    if written is None:
        return _CURRENCIES.get(match["mark"], "")
    after = plain[match.end() : match.end() + 1]
    if written.isascii() and written.isalpha() and after.isascii() and after.isalpha():
        return ""
    return _UNIT_OF[written]


def _kanji_value(text: str) -> int:
    total = part = 0
    for char in text:
        if char in "十百":
            total += (part or 1) * (10 if char == "十" else 100)
            part = 0
        else:
            part = part * 10 + _KANJI_DIGITS[char]
    return total + part


def missing_quantities(statement: str, source: str, passage: str = "") -> tuple[str, ...]:
    """The statement's numbers that the source does not give (with the same unit, where both name one).

    A number that stands elsewhere in the source does not help where the nearest passage gives another one instead.
    """
    given, near = quantities(source), quantities(passage)
    return tuple(
        q.written
        for q in quantities(statement)
        if not any(_same(q, other) for other in given)
        or (not any(_same(q, other) for other in near) and any(_instead(q, other) for other in near))
    )


def gives_another(sentence: str, reference: str, answer: str) -> bool:
    """Does the answer give a number of the sentence's kind that the reference does not have, and not the sentence's?"""
    said, given = quantities(answer), quantities(reference)
    foreign = [q for q in said if not any(_same(q, other) for other in given)]
    return any(
        not any(_same(q, other) for other in said) and any(_instead(other, q) for other in foreign)
        for q in quantities(sentence)
    )


def _instead(a: Quantity, b: Quantity) -> bool:
    """Another value of the same unit, or the same value of another one."""
    alike = a.unit == b.unit or abs(a.value - b.value) < 1e-9
    return bool(a.unit and b.unit) and alike and not _same(a, b)


def _same(a: Quantity, b: Quantity) -> bool:
    if a.unit and b.unit and a.unit != b.unit:
        return False
    return abs(a.value - b.value) < 1e-9 or _same_hour(a, b) or _same_hour(b, a)


def _same_hour(told: Quantity, plain: Quantity) -> bool:
    """3 o'clock may be 3 p.m."""
    return told.half_told and not plain.half_told and told.value == plain.value + _NOON
