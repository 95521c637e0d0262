"""Read a judge's reply: a ladder of readings, each one less literal than the one before, and a fault in words.

1. the whole text is JSON (strict, then with raw line breaks in strings allowed);
2. the JSON object that fits the schema, behind reasoning, in a fence or between prose: the last one that fits,
   since models quote what they grade before they say what they think of it (but where words follow the last one
   and an earlier one says otherwise, nobody can tell which is the quotation: 4);
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
from ragjudge.language import Language, Text

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
    "there are two different JSON objects of the wanted form, and words after them",
    "求めた形のJSONオブジェクトが2つあり、内容が異なります",
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
    """Why the reply can't be used, in words for the model."""

    fault: str


Check = Callable[[R], str | None]


def read(
    text: str | None, schema: type[R], check: Check[R] | None = None, *, language: Language = "en"
) -> Understood[R] | Misunderstood:
    """Read one reply. `check` sees a value that fits the schema and says what is still wrong with it, or None.

    `language` is that of the fault.
    """
    plain = (text or "").strip().lstrip("\ufeff").strip()
    if not plain:
        return Misunderstood(_EMPTY.in_language(language))
    if len(plain) > found_json.LONGEST_REPLY:
        return Misunderstood(_TOO_LONG.in_language(language))
    return _Reading(schema, check, language).of(plain)


class _Reading(Generic[R]):
    """One descent of the ladder; keeps the first fault, which is about the most literal reading."""

    def __init__(self, schema: type[R], check: Check[R] | None, language: Language) -> None:
        self.schema = schema
        self.check = check
        self.language = language
        self.fault: str | None = None

    def of(self, text: str) -> Understood[R] | Misunderstood:
        whole = self._whole(text)
        if whole is not None:
            return whole
        rest = found_json.after_reasoning(text)
        if rest is None:
            return Misunderstood(_ONLY_REASONING.in_language(self.language))
        understood = self._within(rest.strip(), (REASONING,) if len(rest) < len(text) else ())
        return understood or Misunderstood(self.fault or _no_object(rest).in_language(self.language))

    def _whole(self, text: str) -> Understood[R] | Misunderstood | None:
        """A text that is JSON from end to end is what it says, fit or not: nothing in it is looked for."""
        for lenient in (False, True):
            try:
                value = found_json.parse(text, lenient=lenient)
            except found_json.Contradiction as error:
                return Misunderstood(error.fault.in_language(self.language))
            except ValueError:
                continue
            understood = self._fitting(value, (SYNTAX,) if lenient else ())
            return understood or Misunderstood(self.fault or _NO_OBJECT.in_language(self.language))
        return None

    def _within(self, text: str, notes: tuple[str, ...]) -> Understood[R] | None:
        found = found_json.objects_in(text)
        if not found_json.braces_between(text, found):
            how = FENCE if found_json.has_fence(text) else SURROUNDED
            alone = len(found) == 1 and found[0].start == 0 and found[0].end == len(text)
            fitting = [
                fits for one in found if (fits := self._fitting(one.value, notes if alone else (*notes, how)))
            ]
            if (
                fitting
                and found_json.goes_on(text, found[-1])
                and any(f.value != fitting[-1].value for f in fitting)
            ):
                self.fault = _TWO_VERDICTS.in_language(self.language)
                return None
            if fitting:
                return fitting[-1]
        value = found_json.repaired(found_json.fenced(text) or text)
        return None if value is None else self._fitting(value, (*notes, SYNTAX))

    def _fitting(self, value: object, notes: tuple[str, ...]) -> Understood[R] | None:
        for reading in (value, *_unwrapped(value, self.schema)):
            try:
                fitted: Fitted[R] = fit(reading, self.schema)
            except Unfit as error:
                self.fault = self.fault or error.fault.in_language(self.language)
                continue
            fault = None if self.check is None else self.check(fitted.value)
            if fault is None:
                wrapped = () if reading is value or SYNTAX in notes else (SYNTAX,)
                return Understood(fitted.value, (*notes, *wrapped, *((COERCED,) if fitted.coerced else ())))
            self.fault = self.fault or fault
        return None


def _no_object(text: str) -> Text:
    return _BROKEN if "{" in text else _NO_OBJECT


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
