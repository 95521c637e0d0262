"""Bring the values of a judge's reply into the schema's types, by closed tables and never by guessing.

A model writes "はい" for true or "4" for 4; it must not thereby be misread. What stands in no table is a fault in
words, fit to be sent back to the model. Nothing is clamped, rescaled or filled in.
"""

import json
import math
import re
import types
import typing
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError

R = TypeVar("R", bound=BaseModel)

YES = frozenset({"yes", "true", "y", "1", "はい", "真", "正", "そうです", "支持される", "該当する"})
NO = frozenset({"no", "false", "n", "0", "いいえ", "偽", "誤", "違います", "支持されない", "該当しない"})
"""What counts as a verdict. Whole words only: "irrelevant" is not "relevant"."""

_HEAD_END = re.compile(r"[,.、。,.!!::;;—\n]")
_NUMBER = re.compile(r"-?\d{1,9}(\.\d{1,9})?")
_LONGEST_QUOTE = 60


class Unfit(Exception):
    """A value that the schema does not allow; the message is the fault in words, without an end mark."""


@dataclass(frozen=True, slots=True)
class Fitted(Generic[R]):
    """A value in the schema, and whether any part of it was written in another form than the schema's."""

    value: R
    coerced: bool


def fit(data: object, schema: type[R]) -> Fitted[R]:
    """Put parsed JSON into the schema. Raises `Unfit` with every word the model needs to mend its reply."""
    walk = _Walk()
    converted = walk.model(data, schema, "the reply")
    try:
        return Fitted(schema.model_validate(converted, strict=True), walk.coerced)
    except ValidationError as error:
        raise Unfit(
            "; ".join(_in_words(e["loc"], e["msg"], e["input"]) for e in error.errors()[:3])
        ) from None


class _Walk:
    """One pass over a reply, remembering whether anything had to be converted."""

    def __init__(self) -> None:
        self.coerced = False

    def model(self, data: object, schema: type[BaseModel], where: str) -> dict[str, object]:
        if not isinstance(data, Mapping):
            raise Unfit(f"{where} must be a JSON object, not {quoted(data)}")
        return {
            name: self.value(data[key], field.annotation, _inside(where, name))
            for name, field in schema.model_fields.items()
            if (key := self._key(data, name, required=field.is_required(), where=where)) is not None
        }

    def _key(self, data: Mapping[Any, object], name: str, *, required: bool, where: str) -> str | None:
        """The key as the model wrote it: another case is accepted where it is unmistakable."""
        if name in data:
            return name
        alike = [key for key in data if isinstance(key, str) and key.strip().casefold() == name]
        if len(alike) == 1:
            self.coerced = True
            return alike[0]
        if required:
            raise Unfit(f'"{name}" is missing in {where}')
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
                raise Unfit(f"{where} must be a list, not {quoted(data)}")
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
            raise Unfit(f"{where} must be text, not {quoted(data)}")
        return _encodable(data)

    def _boolean(self, data: object, where: str) -> bool:
        if isinstance(data, bool):
            return data
        verdict = _verdict(data)
        if verdict is None:
            raise Unfit(f"{where} must be true or false, not {quoted(data)}")
        self.coerced = True
        return verdict

    def _number(self, data: object, where: str) -> int | float:
        if isinstance(data, str):
            plain = unicodedata.normalize("NFKC", data).strip()
            if not _NUMBER.fullmatch(plain):
                raise Unfit(f"{where} must be a plain number, not {quoted(data)}")
            self.coerced = True
            return float(plain)
        if isinstance(data, bool) or not isinstance(data, int | float):
            raise Unfit(f"{where} must be a number, not {quoted(data)}")
        if isinstance(data, float) and not math.isfinite(data):
            raise Unfit(f"{where} must be a finite number")
        if abs(data) > 1e9:
            raise Unfit(f"{where} is far too large")
        return data

    def _whole(self, number: float, where: str) -> int:
        if number != int(number):
            raise Unfit(f"{where} must be a whole number, not {number}")
        self.coerced = self.coerced or isinstance(number, float)
        return int(number)

    def _label(self, data: object, labels: tuple[Any, ...], where: str) -> object:
        """Exactly one of the labels: a word that merely contains one is another word."""
        if data in labels:
            return data
        if isinstance(data, str):
            word = unicodedata.normalize("NFKC", data).strip().strip(".。").casefold()
            for label in labels:
                if isinstance(label, str) and label.casefold() == word:
                    self.coerced = True
                    return label
        raise Unfit(f"{where} must be one of {', '.join(map(str, labels))}, not {quoted(data)}")


def _verdict(data: object) -> bool | None:
    """True or false by the closed tables; None for everything else, a self-contradiction included."""
    if isinstance(data, int | float):
        return {0: False, 1: True}.get(int(data)) if data in (0, 1) else None
    if not isinstance(data, str):
        return None
    plain = unicodedata.normalize("NFKC", data).strip().casefold()
    head, _, rest = _HEAD_END.sub("\n", plain, count=1).partition("\n")
    said = _in_tables(head)
    if said is None or any(_in_tables(word) is (not said) for word in re.findall(r"\w+", rest)):
        return None
    return said


def _in_tables(word: str) -> bool | None:
    word = word.strip().strip("\"'「」*_`")
    if word in YES:
        return True
    return False if word in NO else None


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
    return f'"{name}"' if where == "the reply" else f"{where}.{name}"


def _in_words(place: tuple[int | str, ...], message: str, data: object) -> str:
    where = ".".join(str(part + 1) if isinstance(part, int) else part for part in place) or "the reply"
    return f'"{where}": {message}, not {quoted(data)}'
