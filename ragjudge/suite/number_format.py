"""Numbers, dates and times as Excel shows them by their cell's format: pure.

What a format code means: ECMA-376 Part 1, 18.8.31 (numFmts) and 18.8.30 (the built-in ones).
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import NamedTuple

GENERAL = "General"
JAPANESE_BUILT_IN = {
    **dict.fromkeys((27, 36, 50, 57), "[$-411]ge.m.d"),
    **dict.fromkeys((28, 29, 51, 54, 58), '[$-411]ggge"年"m"月"d"日"'),
    30: "m/d/yy",
    31: 'yyyy"年"m"月"d"日"',
    32: 'h"時"mm"分"',
    33: 'h"時"mm"分"ss"秒"',
    **dict.fromkeys((34, 52, 55), 'yyyy"年"m"月"'),
    **dict.fromkeys((35, 53, 56), 'm"月"d"日"'),
}
"""Dates that Japanese Excel stores by number alone (18.8.30, ja-jp)."""

_BY_LOCALE = frozenset({
    "mm-dd-yy", "m/d/yy h:mm", '"$"#,##0_);("$"#,##0)', '"$"#,##0_);[Red]("$"#,##0)', '"$"#,##0.00_);("$"#,##0.00)',
    '"$"#,##0.00_);[Red]("$"#,##0.00)', '_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)',
    '_("$"* #,##0.00_)_("$"* \\(#,##0.00\\)_("$"* "-"??_)_(@_)',
})  # fmt: skip
"""Built-in formats that each computer shows in its own way."""
_NEGATIVE_BY_LOCALE = frozenset({
    "#,##0_);(#,##0)", "#,##0_);[Red](#,##0)", "#,##0.00_);(#,##0.00)", "#,##0.00_);[Red](#,##0.00)",
    '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)', '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)',
})  # fmt: skip
_LONGEST = 255
"""Characters that Excel allows a format."""
_TOO_LARGE = 1e15
"""From here on Excel's 15 digits no longer hold every whole number."""

_PART = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|(?P<space>[_*].)|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<code>General|AM/PM|y+|m+|d+|h+|s+|a+|g+|e+)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_COLOR = re.compile(r"black|blue|cyan|green|magenta|red|white|yellow|color ?\d{1,2}", re.IGNORECASE)
_PLAIN_LOCALE = re.compile(r"-0?4(?:09|11)|-en-us|-ja-jp", re.IGNORECASE)
_SIGNS = frozenset(" $-+():'<>=&~^{}")
"""What needs no quotes, beside whatever is not ASCII."""
_DIGITS = frozenset("0#?")
_THOUSANDS = re.compile(r"(?<=[0-9])(?=(?:[0-9]{3})+$)")
_SMALLEST = -10
"""Power of ten below which Excel writes `1E-11`."""
_WEEKDAYS = "月火水木金土日"
_ERAS = (
    (date(2019, 5, 1), "令和", "R"),
    (date(1989, 1, 8), "平成", "H"),
    (date(1926, 12, 25), "昭和", "S"),
    (date(1912, 7, 30), "大正", "T"),
)


class UnknownFormat(Exception):
    """What Excel shows is not known: by this format, or on this user's computer."""


class _Token(NamedTuple):
    is_code: bool
    """Stands for a part of the value; else the text stands for itself."""
    text: str


def shown(value: float | date | time, number_format: str) -> str:
    """What a cell of sufficient width shows, without blanks around it. Raises `UnknownFormat`."""
    half_in_words = "[$-" in number_format and "AM/PM" in number_format.upper()
    if number_format in _BY_LOCALE or len(number_format) > _LONGEST or half_in_words:
        raise UnknownFormat
    sections = _sections(number_format)
    if not isinstance(value, (int, float)):
        text = _moment(value, sections[0])
    elif value < 0 and number_format in _NEGATIVE_BY_LOCALE:
        raise UnknownFormat
    else:
        text = _signed(value, sections)
    if not text.strip():
        raise UnknownFormat
    return text.strip()


def _sections(number_format: str) -> list[list[_Token]]:
    """The parts between `;`; one for texts alone (`@`) is none of a number's."""
    sections: list[list[_Token]] = [[]]
    for part in _PART.finditer(number_format):
        if part["other"] == ";":
            sections.append([])
        elif (token := _token(part)) is not None:
            sections[-1].append(token)
    if len(sections) > 1 and _Token(True, "@") in sections[-1]:
        sections.pop()
    return sections


def _token(part: re.Match[str]) -> _Token | None:
    """None for what shows nothing: blanks that fill up a cell, colours, and the language of plain figures."""
    bracket = part["bracket"]
    if part["space"] is not None:
        return None
    if bracket is None:
        code = part["code"] or part["other"] or ""
        if not code or code in _SIGNS or not code.isascii():
            return _Token(False, code or part["quoted"] or part["escaped"] or "")
        return _Token(True, code.lower())
    if _COLOR.fullmatch(bracket):
        return None
    if not bracket.startswith("$"):
        raise UnknownFormat
    symbol, dash, _ = bracket[1:].partition("-")
    if not symbol and not (dash and _PLAIN_LOCALE.fullmatch(bracket[1:])):
        raise UnknownFormat
    return _Token(False, symbol)


def _signed(value: float, sections: list[list[_Token]]) -> str:
    """By the section for its sign: positive, negative, zero."""
    if not abs(value) < _TOO_LARGE:
        raise UnknownFormat
    exact = Decimal(format(value, ".15g"))
    if exact < 0 and len(sections) > 1:
        return _number(-exact, sections[1])
    if exact == 0 and len(sections) > 2:
        return _number(exact, sections[2])
    return "-" * (exact < 0) + _number(abs(exact), sections[0])


def _number(value: Decimal, tokens: list[_Token]) -> str:
    """A number of 0 or more by one section: `#,##0.0"円"`, `0%`, `000-0000`, `General"件"`."""
    codes = [token.text if token.is_code else "" for token in tokens]
    general = [i for i, code in enumerate(codes) if code in ("general", "@")]
    pieces = dict.fromkeys(general, _general(value)) if general else _figures(value, codes)
    return _joined(tokens, pieces, "%")


def _joined(tokens: list[_Token], pieces: Mapping[int, str], signs: str) -> str:
    """The value's pieces and what stands between them. A code that gave no piece is not known."""
    if any(token.is_code and i not in pieces and token.text not in signs for i, token in enumerate(tokens)):
        raise UnknownFormat
    return "".join(pieces.get(i, token.text) for i, token in enumerate(tokens))


def _general(value: Decimal) -> str:
    if value and value.adjusted() < _SMALLEST:
        raise UnknownFormat
    return format(value, "f")


def _figures(value: Decimal, codes: Sequence[str]) -> dict[int, str]:
    """What stands at each placeholder, comma and point. A comma behind the last digit divides by a thousand."""
    point = codes.index(".") if "." in codes else len(codes)
    whole = [i for i, code in enumerate(codes[:point]) if code in _DIGITS]
    decimals = [i for i, code in enumerate(codes) if i > point and code in _DIGITS]
    commas = [i for i, code in enumerate(codes) if code == ","]
    pieces = dict.fromkeys(commas, "")
    if not whole:
        if commas or point < len(codes):
            raise UnknownFormat
        return pieces
    grouped = [i for i in commas if i < whole[-1]]
    scale = Decimal(100) ** codes.count("%") / Decimal(1000) ** (len(commas) - len(grouped))
    try:
        rounded = (value * scale).quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP)
    except InvalidOperation:
        raise UnknownFormat from None
    digits, _, rest = format(rounded, "f").partition(".")
    if point < len(codes):
        pieces[point] = "."
    zeros = [n for n, i in enumerate(whole) if codes[i] == "0"]
    digits = digits.lstrip("0").zfill(len(whole) - zeros[0] if zeros else 0)
    if grouped and (grouped[0] < whole[0] or "" in codes[whole[0] : whole[-1]]):
        raise UnknownFormat
    least = max((n + 1 for n, i in enumerate(decimals) if codes[i] == "0"), default=0)
    rest = rest.rstrip("0").ljust(least, "0")
    return (
        pieces | _spread(digits, whole, bool(grouped)) | {i: rest[n : n + 1] for n, i in enumerate(decimals)}
    )


def _spread(digits: str, places: Sequence[int], grouped: bool) -> dict[int, str]:
    """Digits from the right, one to a place; what is left over stands at the first one."""
    if grouped:
        return dict.fromkeys(places, "") | {places[0]: _THOUSANDS.sub(",", digits)}
    pieces = {}
    for i in reversed(places[1:]):
        digits, pieces[i] = digits[:-1], digits[-1:]
    return pieces | {places[0]: digits}


def _moment(value: date | time, tokens: list[_Token]) -> str:
    """A date or a time by its section: `m"月"d"日"`, `yyyy/m/d h:mm`, `ggge"年"`."""
    codes = {i: token.text for i, token in enumerate(tokens) if token.is_code}
    letters = [i for i, code in codes.items() if code[0] in "ymdhsage" and code != "am/pm"]
    known = _of_day(value) if isinstance(value, date) else {}
    known |= _of_clock(
        value if isinstance(value, (datetime, time)) else time(), half="am/pm" in codes.values()
    )
    if not any(codes[i][0] == "g" for i in letters):
        known.pop("e", None)
    pieces = {i: known[code] for i, code in codes.items() if code in known}
    for before, i, after in zip([None, *letters], letters, [*letters[1:], None], strict=False):
        is_minute = (before is not None and codes[before][0] == "h") or (
            after is not None and codes[after][0] == "s"
        )
        if codes[i] in ("m", "mm") and is_minute:
            pieces[i] = known["minute" if codes[i] == "m" else "minutes"]
    return _joined(tokens, pieces, "/.,")


def _of_day(day: date) -> dict[str, str]:
    weekday = _WEEKDAYS[day.weekday()]
    known = {
        "yyyy": f"{day.year:04}", "yy": f"{day.year % 100:02}",
        "m": str(day.month), "mm": f"{day.month:02}", "d": str(day.day), "dd": f"{day.day:02}",
        "aaa": weekday, "aaaa": f"{weekday}曜日",
    }  # fmt: skip
    plain = date(day.year, day.month, day.day)
    for start, name, letter in _ERAS:
        if plain >= start:
            return known | {"e": str(day.year - start.year + 1), "ggg": name, "gg": name[0], "g": letter}
    return known


def _of_clock(clock: datetime | time, *, half: bool) -> dict[str, str]:
    hour = (clock.hour % 12 or 12) if half else clock.hour
    return {
        "h": str(hour), "hh": f"{hour:02}", "minute": str(clock.minute), "minutes": f"{clock.minute:02}",
        "s": str(clock.second), "ss": f"{clock.second:02}", "am/pm": "AM" if clock.hour < 12 else "PM",
    }  # fmt: skip
