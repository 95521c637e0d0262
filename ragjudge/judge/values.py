"""Bring the values of a judge's reply into the schema's types, by closed tables and never by guessing.

A model writes "はい" for true or "4" for 4; it must not thereby be misread. What stands in no table is a fault in
words, fit to be sent back to the model. Nothing is clamped, rescaled or filled in.
"""

import json
import math
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ragjudge.judge.found_json import given_twice
from ragjudge.judge.verdict_words import narrow, verdict
from ragjudge.language import Text

R = TypeVar("R", bound=BaseModel)

_NUMBER = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,9})?")
_LONGEST_QUOTE = 60
_WHOLE = Text("the reply", "返答")


class Unfit(Exception):
    """A value that the schema does not allow, and the fault in words, without an end mark."""

    def __init__(self, fault: Text) -> None:
        super().__init__(fault.en)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Fitted(Generic[R]):
    """A value in the schema, and whether any part of it was written in another form than the schema's."""

    value: R
    coerced: bool


def fit(data: object, schema: type[R]) -> Fitted[R]:
    """Put parsed JSON into the schema. Raises `Unfit` with every word the model needs to mend its reply."""
    walk = _Walk()
    converted = walk.model(data, schema, "")
    try:
        return Fitted(schema.model_validate(converted, strict=True), walk.coerced)
    except ValidationError as error:
        raise Unfit(_joined([_in_words(problem) for problem in error.errors()[:3]])) from None


class _Walk:
    """One pass over a reply, remembering whether anything had to be converted."""

    def __init__(self) -> None:
        self.coerced = False

    def model(self, data: object, schema: type[BaseModel], where: str) -> dict[str, object]:
        if not isinstance(data, Mapping):
            raise _must_be(where, Text("a JSON object", "JSONオブジェクト"), data)
        return {
            name: self.value(data[key], field.annotation, _inside(where, name))
            for name, field in schema.model_fields.items()
            if (key := self._key(data, name, required=field.is_required(), where=where)) is not None
        }

    def _key(self, data: Mapping[Any, object], name: str, *, required: bool, where: str) -> str | None:
        """The key as the model wrote it, in any case. Written in two ways, it must say the same."""
        alike = [key for key in data if isinstance(key, str) and key.strip().casefold() == name]
        if any(data[key] != data[alike[0]] for key in alike):
            raise Unfit(given_twice(name))
        if alike:
            self.coerced = self.coerced or name not in alike
            return name if name in alike else alike[0]
        if required:
            raise Unfit(
                Text(
                    f'"{name}" is missing in {where or _WHOLE.en}',
                    f'{where or _WHOLE.ja}に"{name}"がありません',
                )
            )
        return None

    def value(self, data: object, kind: Any, where: str) -> object:
        origin = get_origin(kind)
        if origin is typing.Annotated:
            return self.value(data, get_args(kind)[0], where)
        if origin in (types.UnionType, typing.Union):
            return self._optional(data, get_args(kind), where)
        if origin is Literal:
            return self._label(data, get_args(kind), where)
        if origin is list:
            if not isinstance(data, list):
                raise _must_be(where, Text("a list", "リスト"), data)
            return [self.value(item, get_args(kind)[0], f"{where}[{n}]") for n, item in enumerate(data, 1)]
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return self.model(data, kind, where)
        return self._plain(data, kind, where)

    def _optional(self, data: object, kinds: tuple[Any, ...], where: str) -> object:
        if data is None and type(None) in kinds:
            return None
        return self.value(data, next(kind for kind in kinds if kind is not type(None)), where)

    def _plain(self, data: object, kind: Any, where: str) -> object:
        if kind is bool:
            return self._boolean(data, where)
        if kind in (int, float):
            number = self._number(data, where)
            return self._whole(number, where) if kind is int else float(number)
        if kind is not str:
            return data
        if not isinstance(data, str):
            raise _must_be(where, Text("text", "文字列"), data)
        return _encodable(data)

    def _boolean(self, data: object, where: str) -> bool:
        if isinstance(data, bool):
            return data
        said = verdict(data)
        if said is None:
            raise _must_be(where, Text("true or false", " true か false "), data)
        self.coerced = True
        return said

    def _number(self, data: object, where: str) -> int | float:
        if isinstance(data, str):
            plain = narrow(data).strip()
            if not _NUMBER.fullmatch(plain):
                raise _must_be(where, Text("a plain number", "単純な数値"), data)
            self.coerced = True
            return float(plain)
        if isinstance(data, bool) or not isinstance(data, int | float):
            raise _must_be(where, Text("a number", "数値"), data)
        if isinstance(data, float) and not math.isfinite(data):
            raise _must_be(where, Text("a finite number", "有限の数値"), data)
        if abs(data) > 1e9:
            raise _must_be(where, Text("a number of a sensible size", "妥当な大きさの数値"), data)
        return data

    def _whole(self, number: float, where: str) -> int:
        if number != int(number):
            raise _must_be(where, Text("a whole number", "整数"), number)
        self.coerced = self.coerced or isinstance(number, float)
        return int(number)

    def _label(self, data: object, labels: tuple[Any, ...], where: str) -> object:
        """Exactly one of the labels: a word that merely contains one is another word."""
        if data in labels:
            return data
        if isinstance(data, str):
            word = narrow(data).strip().strip(".。").casefold()
            for label in labels:
                if isinstance(label, str) and label.casefold() == word:
                    self.coerced = True
                    return label
        listed = ", ".join(map(str, labels))
        raise _must_be(where, Text(f"one of {listed}", f"{listed} のいずれか"), data)


def _encodable(text: str) -> str:
    """A half of a surrogate pair, which JSON can escape but no file can hold, becomes a replacement character."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def quoted(data: object) -> str:
    """A value as it is quoted in a fault: short, on one line."""
    text = _encodable(" ".join(json.dumps(data, ensure_ascii=False, default=str).split()))
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"


def _inside(where: str, name: str) -> str:
    return f"{where}.{name}" if where else f'"{name}"'


_RULES = {
    "greater_than_equal": ("ge", Text("{} or more", "{}以上")),
    "less_than_equal": ("le", Text("{} or less", "{}以下")),
    "string_too_short": ("min_length", Text("text of {} character(s) or more", "{}文字以上の文字列")),
    "too_long": ("max_length", Text("a list of {} at most", "{}件以下のリスト")),
}
"""Kinds of pydantic's errors that our schemas can raise → what the bound is called there, and the rule in words."""


def _in_words(problem: ErrorDetails) -> Text:
    where = ""
    for part in problem["loc"]:
        where = f"{where}[{part + 1}]" if isinstance(part, int) else _inside(where, part)
    name, rule = _RULES.get(problem["type"], ("", Text(problem["msg"], problem["msg"])))
    bound = problem.get("ctx", {}).get(name, "")
    return _must_be(where, Text(rule.en.format(bound), rule.ja.format(bound)), problem["input"]).fault


def _must_be(where: str, rule: Text, data: object) -> Unfit:
    said = quoted(data)
    return Unfit(
        Text(
            f"{where or _WHOLE.en} must be {rule.en}, not {said}",
            f"{where or _WHOLE.ja}は{rule.ja}でなければなりません({said})",
        )
    )


def _joined(faults: list[Text]) -> Text:
    return Text("; ".join(fault.en for fault in faults), "、".join(fault.ja for fault in faults))
