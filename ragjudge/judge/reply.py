"""Read a judge's reply: a ladder of readings, each one less literal than the one before, and a fault in words.

1. the whole text is JSON (strict, then with raw line breaks in strings allowed);
2. the JSON object of the wanted form, behind reasoning, in a fence or between prose. One that stands in the material
   too is a quotation; where two others differ, nobody can tell which is the judge's own: 4;
3. the same after a repair of its syntax (json_repair) that changes no letter of what is stated;
4. a fault in words, which the caller sends back to the model once.

Never an exception, never a value that the reply does not state.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar, get_origin

from pydantic import BaseModel

from ragjudge.judge import found_json
from ragjudge.judge.values import Fitted, Unfit, fit
from ragjudge.language import Text

R = TypeVar("R", bound=BaseModel)

FENCE = "repaired:fence"
SURROUNDED = "repaired:surrounded"
REASONING = "repaired:reasoning"
SYNTAX = "repaired:syntax"
ASKED_AGAIN = "repaired:asked_again"
COERCED = "coerced"


_EMPTY = Text("the reply is empty", "返答が空です")
_TOO_LONG = Text("the reply is far too long", "返答が長すぎます")
_ONLY_REASONING = Text("the reply ends within the reasoning", "推論の途中で返答が終わっています")
_NO_OBJECT = Text("there is no JSON object in the reply", "返答にJSONオブジェクトがありません")
_TWO_VERDICTS = Text(
    "there are two different JSON objects of the wanted form",
    "求めた形のJSONオブジェクトが2つあり、内容が異なります",
)
_ONLY_QUOTED = Text(
    "the only JSON object in the reply is a quotation of the material",
    "返答のJSONオブジェクトは、評価対象の引用だけです",
)
_BROKEN = Text(
    "there is no complete, valid JSON object of the wanted form in the reply",
    "返答に、求めた形の完全で正しいJSONオブジェクトがありません",
)


@dataclass(frozen=True, slots=True)
class Understood(Generic[R]):
    """What the reply says, and what had to be done to read it."""

    value: R
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Misunderstood:
    """Why the reply can't be used, in words for the model and for the report's readers."""

    fault: Text


Check = Callable[[R], Text | None]


def read(
    text: str | None,
    schema: type[R],
    check: Check[R] | None = None,
    *,
    material: str = "",
) -> Understood[R] | Misunderstood:
    """Read one reply. `check` sees a value that fits the schema and says what is still wrong with it, or None.

    `material` is what the judge was given to read, and may quote.
    """
    plain = (text or "").strip().lstrip("\ufeff").strip()
    if not plain:
        return Misunderstood(_EMPTY)
    if len(plain) > found_json.LONGEST_REPLY:
        return Misunderstood(_TOO_LONG)
    return _Reading(schema, check, material).of(plain)


class _Reading(Generic[R]):
    """One descent of the ladder; keeps the first fault, which is about the most literal reading."""

    def __init__(self, schema: type[R], check: Check[R] | None, material: str) -> None:
        self.schema = schema
        self.check = check
        self.material = material
        self.fault: Text | None = None

    def of(self, text: str) -> Understood[R] | Misunderstood:
        whole = self._whole(text)
        if whole is not None:
            return whole
        rest = found_json.after_reasoning(text)
        if rest is None:
            return Misunderstood(_ONLY_REASONING)
        understood = self._within(rest.strip(), (REASONING,) if len(rest) < len(text) else ())
        return understood or Misunderstood(self.fault or _no_object(rest))

    def _whole(self, text: str) -> Understood[R] | Misunderstood | None:
        """A text that is JSON from end to end is what it says, fit or not: nothing in it is looked for."""
        for lenient in (False, True):
            try:
                value = found_json.parse(text, lenient=lenient)
            except found_json.Contradiction as error:
                return Misunderstood(error.fault)
            except ValueError:
                continue
            understood = self._fitting(value, (SYNTAX,) if lenient else ())
            return understood or Misunderstood(self.fault or _NO_OBJECT)
        return None

    def _within(self, text: str, notes: tuple[str, ...]) -> Understood[R] | Misunderstood | None:
        found = found_json.objects_in(text)
        if not found_json.braces_between(text, found):
            alone = len(found) == 1 and found[0].start == 0 and found[0].end == len(text)
            how = FENCE if found_json.has_fence(text) else SURROUNDED
            own = found if alone else self._not_quoted(found)
            told = self._of_the_wanted_form(own, notes if alone else (*notes, how))
            if told is not None:
                return told
            if len(own) < len(found):
                return Misunderstood(_ONLY_QUOTED)
        value = found_json.repaired(found_json.fenced(text) or text)
        return None if value is None else self._fitting(value, (*notes, SYNTAX))

    def _not_quoted(self, found: list[found_json.Found]) -> list[found_json.Found]:
        material = [one.value for one in found_json.objects_in(self.material)]
        return [one for one in found if one.value not in material]

    def _of_the_wanted_form(
        self, found: list[found_json.Found], notes: tuple[str, ...]
    ) -> Understood[R] | Misunderstood | None:
        """What those objects say that are or try to be a reply; None where none can be used."""
        readings = ((one.value, self._fitting(one.value, notes)) for one in found)
        tried = [fits for value, fits in readings if fits is not None or _resembles(value, self.schema)]
        told = [fits for fits in tried if fits is not None]
        if told and (len(told) < len(tried) or any(one.value != told[0].value for one in told)):
            return Misunderstood(_TWO_VERDICTS)
        return told[0] if told else None

    def _fitting(self, value: object, notes: tuple[str, ...]) -> Understood[R] | None:
        for reading in (value, *_unwrapped(value, self.schema)):
            try:
                fitted: Fitted[R] = fit(reading, self.schema)
            except Unfit as error:
                self.fault = self.fault or error.fault
                continue
            fault = None if self.check is None else self.check(fitted.value)
            if fault is None:
                wrapped = () if reading is value or SYNTAX in notes else (SYNTAX,)
                return Understood(fitted.value, (*notes, *wrapped, *((COERCED,) if fitted.coerced else ())))
            self.fault = self.fault or fault
        return None


def _no_object(text: str) -> Text:
    return _BROKEN if "{" in text else _NO_OBJECT


def _resembles(value: object, schema: type[BaseModel]) -> bool:
    """Is it an object with any of the schema's keys?"""
    names = schema.model_fields
    return isinstance(value, dict) and any(key.strip().casefold() in names for key in value)


def _unwrapped(value: object, schema: type[BaseModel]) -> list[object]:
    """The reply without a wrapping that models add: one key around the object, or the bare list of a list reply."""
    if isinstance(value, dict) and len(value) == 1:
        return [inner for inner in value.values() if isinstance(inner, dict)]
    if isinstance(value, list):
        lists = [name for name, field in schema.model_fields.items() if get_origin(field.annotation) is list]
        if len(lists) == 1 and len(schema.model_fields) == 1:
            return [{lists[0]: value}]
        return [value[0]] if len(value) == 1 else []
    return []
