"""JSON arrays and JSONL, with the line of each case and of each of its keys.

The standard decoder knows no lines, so arrays and the cases in them are walked here, value by value.
"""

import json
import re
from collections.abc import Callable
from json import JSONDecodeError
from typing import Any

from ragjudge.errors import Place, Problem
from ragjudge.language import Text
from ragjudge.suite.decoding import decode
from ragjudge.suite.raw import Bare, RawCase, RawField, RawValue, Reading, Unreadable

WRAPPERS = ("cases", "tests", "test_cases", "questions", "data", "examples")
"""An object that holds the list under one of these names is accepted too."""

_ONE_PER_LINE = Text(
    "Each line holds one case {…} and no comma behind it.",
    "1行に {…} を1件だけ書き、そのあとにカンマは付けません。",
)
_NOTHING_AFTER = Text(
    "Delete what stands behind the closing bracket.", "閉じかっこのあとの部分を削除してください。"
)
_BLANK = re.compile(r"[ \t\n\r]*")
_LONGEST_NUMBER = 300
_TROUBLES = {
    "Expecting value": "値が必要なところです",
    "Expecting property name enclosed in double quotes": "二重引用符で囲んだ項目名が必要なところです",
    "Expecting ':' delimiter": "「:」が必要なところです",
    "Expecting ',' delimiter": "「,」が必要なところです",
    "Illegal trailing comma before end of object": "最後の「,」は書けません",
    "Illegal trailing comma before end of array": "最後の「,」は書けません",
    "Unterminated string starting at": "文字列の引用符が閉じられていません",
    "Invalid control character at": "改行やタブはそのまま書けません(「\\n」「\\t」と書きます)",
    "Invalid \\escape": "使えない「\\」の書き方です",
    "Invalid \\uXXXX escape": "「\\u」の後に4桁の16進数が必要です",
}
"""What Python's decoder says."""


def read(data: bytes, file: str) -> Reading:
    """One array of objects. Raises `Unreadable`."""
    decoded = decode(data, file)
    notes = (decoded.note,) if decoded.note else ()
    if not decoded.text.strip():
        return Reading(notes=notes)
    walk = _Walk(decoded.text, file)
    cases, problems = walk.document()
    return Reading(tuple(cases), notes, tuple(problems))


def read_lines(data: bytes, file: str) -> Reading:
    """One object per line; a bad line does not hide the others."""
    decoded = decode(data, file)
    notes = (decoded.note,) if decoded.note else ()
    cases: list[RawCase] = []
    problems: list[Problem] = []
    for number, line in enumerate(decoded.text.split("\n"), start=1):
        if not line.strip():
            continue
        walk = _Walk(line, file, first_line=number)
        try:
            found, wrong = walk.single()
        except Unreadable as fault:
            problems.append(fault.problem(file))
            continue
        cases += found
        problems += wrong
    return Reading(tuple(cases), notes, tuple(problems))


class _Walk:
    """A cursor over JSON text. Lines are counted as it moves on, so that the whole walk is linear."""

    def __init__(self, text: str, file: str, first_line: int = 1) -> None:
        self._text = text
        self._file = file
        self._at = 0
        self._line = first_line
        self._decoder = json.JSONDecoder(
            parse_int=_integer, parse_float=_real, parse_constant=_refuse, object_pairs_hook=_object
        )
        self._cases: list[RawCase] = []
        self._problems: list[Problem] = []

    def document(self) -> tuple[list[RawCase], list[Problem]]:
        self._skip_blank()
        if self._peek() == "{":
            self._wrapper()
        elif self._peek() == "[":
            self._array()
        else:
            raise self._unexpected("[")
        self._end(_NOTHING_AFTER)
        return self._cases, self._problems

    def single(self) -> tuple[list[RawCase], list[Problem]]:
        self._skip_blank()
        self._element()
        self._end(_ONE_PER_LINE)
        return self._cases, self._problems

    def _wrapper(self) -> None:
        found = False

        def member(key: str) -> None:
            nonlocal found
            if key.casefold() in WRAPPERS and self._peek() == "[" and not found:
                found = True
                self._array()
            else:
                self._value()

        self._members(member)
        if not found:
            raise Unreadable(
                Text(
                    "The file must hold a list of cases: [{…}, {…}].",
                    "テストケースのリスト [{…}, {…}] を書いてください。",
                ),
                line=1,
            )

    def _array(self) -> None:
        self._expect("[")
        if self._taken("]"):
            return
        while True:
            self._element()
            if self._taken("]"):
                return
            self._expect(",")

    def _element(self) -> None:
        place = Place(self._file, line=self._line)
        if self._peek() != "{":
            self._value()
            self._problems.append(
                Problem(
                    Text("A case must be an object {…}.", "テストケースは {…} の形で書いてください。"), place
                )
            )
            return
        fields: list[RawField] = []

        def member(key: str) -> None:
            at = Place(self._file, line=self._line)
            fields.append(RawField(key, self._value(), at))

        self._members(member)
        self._cases.append(RawCase(place, tuple(fields)))

    def _members(self, member: Callable[[str], None]) -> None:
        self._expect("{")
        if self._taken("}"):
            return
        while True:
            if self._peek() != '"':
                raise self._unexpected('"')
            key = self._value()
            assert isinstance(key, str)
            self._expect(":")
            member(key)
            if self._taken("}"):
                return
            self._expect(",")

    def _value(self) -> RawValue:
        try:
            value, end = self._decoder.raw_decode(self._text, self._at)
        except JSONDecodeError as error:
            raise self._broken(error) from None
        except RecursionError:
            raise Unreadable(Text("Nested too deeply.", "入れ子が深すぎます。"), line=self._line) from None
        except _Refused as refused:
            raise Unreadable(refused.what, line=self._line) from None
        self._move(end)
        return value  # type: ignore[no-any-return]  # our hooks make nothing but raw values

    def _broken(self, error: JSONDecodeError) -> Unreadable:
        line = self._line + self._text.count("\n", self._at, error.pos)
        column = error.pos - self._text.rfind("\n", 0, error.pos)
        said = error.msg
        return Unreadable(
            Text(
                f"This is not valid JSON (character {column}: {said}).",
                f"JSONとして読めません({column}文字目: {_TROUBLES.get(said, said)})。",
            ),
            line=line,
        )

    def _unexpected(self, wanted: str) -> Unreadable:
        found = self._peek()
        column = self._at - self._text.rfind("\n", 0, self._at)
        en = f"{found!r} stands" if found else "the text ends"
        ja = f"{found!r} があります" if found else "ここで終わっています"
        return Unreadable(
            Text(
                f"This is not valid JSON (character {column}: {en} where {wanted!r} was expected).",
                f"JSONとして読めません({column}文字目: {wanted!r} が必要なところですが、{ja})。",
            ),
            line=self._line,
            cure=Text("Look for a missing or extra comma.", "カンマの過不足を確認してください。"),
        )

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _expect(self, character: str) -> None:
        if not self._taken(character):
            raise self._unexpected(character)

    def _taken(self, character: str) -> bool:
        if self._peek() != character:
            return False
        self._move(self._at + 1)
        return True

    def _skip_blank(self) -> None:
        self._move(self._at)

    def _move(self, to: int) -> None:
        """Go on to the next character that is not blank."""
        match = _BLANK.match(self._text, to)
        end = match.end() if match else to
        self._line += self._text.count("\n", self._at, end)
        self._at = end

    def _end(self, cure: Text) -> None:
        if self._at < len(self._text):
            found, column = self._peek(), self._at - self._text.rfind("\n", 0, self._at)
            raise Unreadable(
                Text(
                    f"This is not valid JSON (character {column}: {found!r} stands after the end).",
                    f"JSONとして読めません({column}文字目: 終わりのあとに {found!r} があります)。",
                ),
                line=self._line,
                cure=cure,
            )


class _Refused(Exception):
    def __init__(self, what: Text) -> None:
        super().__init__(what.en)
        self.what = what


def _integer(text: str) -> RawValue:
    if len(text) > _LONGEST_NUMBER:
        raise _Refused(Text("A number is too long.", "数値が長すぎます。"))
    return Bare(text, int(text))


def _real(text: str) -> RawValue:
    value = float(text) if len(text) <= _LONGEST_NUMBER else float("inf")
    if value in (float("inf"), float("-inf")):
        raise _Refused(Text("A number is too large.", "数値が大きすぎます。"))
    return Bare(text, value)


def _refuse(text: str) -> RawValue:
    raise _Refused(Text(f"{text} is not JSON.", f"{text} はJSONでは使えません。"))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, RawValue]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)[:80]
        raise _Refused(
            Text(f"{twice!r} stands twice in one object.", f"「{twice}」が1つの{{}}に2回書かれています。")
        )
    return found
