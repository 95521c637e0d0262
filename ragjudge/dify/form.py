"""The app's start form, and a case's inputs made to fit it.

Since Dify 1.13 a streaming call with inputs that do not fit answers 200, one ping, and then nothing for five
minutes. So everything that can be checked is checked here, for all cases, before the first question.
"""

import json
import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from ragjudge.dify.attachments import FileRules, read_variable_rules
from ragjudge.dify.wire import count_of, list_of, mapping_of, text_of
from ragjudge.language import Text

_FILES = ("file", "file-list")
_TEXTS = ("text-input", "paragraph")
_OBJECTS = ("json_object", "json")
_TRUE = frozenset({"true", "yes", "y", "on", "1", "はい", "オン", *"○〇◯⭕✓✔☑"})
_FALSE = frozenset({"false", "no", "n", "off", "0", "", "いいえ", "オフ", *"×✕✖✗☐"})


@dataclass(frozen=True, slots=True)
class Variable:
    """One field of the start form. `kind` is Dify's word for it: `text-input`, `select`, `number`…"""

    name: str
    kind: str
    label: str = ""
    required: bool = False
    max_length: int = 0
    """0: no limit."""
    options: tuple[str, ...] = ()
    files: FileRules = FileRules()

    def describe(self) -> str:
        rules = [self.kind]
        rules += ["required"] if self.required else []
        rules += [f"max {self.max_length}"] if self.max_length and self.kind in _TEXTS else []
        rules += [" | ".join(self.options)] if self.options else []
        return f"{self.name} ({', '.join(rules)})"


@dataclass(frozen=True, slots=True)
class Misfit(Exception):
    """One value that the form does not take."""

    what: Text
    cure: Text | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """All variables, in the form's order."""

    variables: tuple[Variable, ...] = ()

    def fitted(self, inputs: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """The inputs as the app wants them. Raises Misfit at the first that does not fit.

        Variables that the form does not know are passed on: Dify ignores them.
        """
        fitted = dict(inputs)
        if (misfit := next(self._unsendable(inputs), None)) is not None:
            raise misfit
        for variable in self.variables:
            value = _fitted(variable, inputs)
            if value is None:
                fitted.pop(variable.name, None)
            else:
                fitted[variable.name] = value
        return fitted

    def misfits(self, inputs: Mapping[str, JsonValue]) -> list[Misfit]:
        """Everything about these inputs that the form does not take."""
        found = list(self._unsendable(inputs))
        for variable in self.variables:
            try:
                _fitted(variable, inputs)
            except Misfit as misfit:
                found.append(misfit)
        return found

    def _unsendable(self, inputs: Mapping[str, JsonValue]) -> Iterator[Misfit]:
        """Values beside the form's variables that no request can hold, such as an infinite number in a YAML suite."""
        known = {variable.name for variable in self.variables}
        for name in (name for name, value in inputs.items() if name not in known and not _is_json(value)):
            yield Misfit(
                Text(
                    f"input “{name}” holds a number or character that JSON has not.",
                    f"入力「{name}」に、JSONで表せない数値または文字が含まれています。",
                )
            )

    @property
    def file_variables(self) -> tuple[Variable, ...]:
        return tuple(variable for variable in self.variables if variable.kind in _FILES)


def read_form(value: object, limits: object = None) -> Form:
    """`/parameters`.`user_input_form`: a list of one-key objects, kind → field. `limits`: `system_parameters`."""
    variables = []
    for entry in list_of(value):
        for kind, fields in mapping_of(entry).items():
            data = mapping_of(fields)
            if name := text_of(data.get("variable")):
                variables.append(
                    Variable(
                        name=name,
                        kind=kind,
                        label=text_of(data.get("label")),
                        required=data.get("required") is True,
                        max_length=count_of(data.get("max_length")),
                        options=tuple(text_of(option) for option in list_of(data.get("options"))),
                        files=read_variable_rules(data, limits) if kind in _FILES else FileRules(),
                    )
                )
    return Form(tuple(variables))


def _fitted(variable: Variable, inputs: Mapping[str, JsonValue]) -> JsonValue:
    value = inputs.get(variable.name)
    empty = isinstance(value, str) and not value.strip()
    if value is None or (empty and variable.kind not in _TEXTS):
        if variable.required:
            raise _missing(variable, inputs)
        return None
    if variable.kind in _TEXTS:
        return _text(variable, value)
    if variable.kind == "select":
        return _option(variable, value)
    if variable.kind == "number":
        return _number(variable, value)
    if variable.kind == "checkbox":
        return _switch(variable, value)
    if variable.kind in _OBJECTS:
        return _object(variable, value)
    return value


def _missing(variable: Variable, inputs: Mapping[str, JsonValue]) -> Misfit:
    name = variable.name
    alike = next((near for near in inputs if near != name and near.casefold() == name.casefold()), None)
    cure = Text(f"Add `inputs: {{{name}: …}}`.", f"`inputs: {{{name}: …}}` を追加してください。")
    if name in inputs:
        cure = Text("It is empty here: give it a value.", "値が空です。値を入力してください。")
    elif alike is not None:
        cure = Text(
            f"The case has “{alike}”; the app spells it “{name}”.",
            f"ケースには「{alike}」がありますが、アプリの変数名は「{name}」です(大文字・小文字も区別されます)。",
        )
    return Misfit(Text(f"input “{name}” is required.", f"入力「{name}」は必須です。"), cure)


def _text(variable: Variable, value: JsonValue) -> JsonValue:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Misfit(
            Text(
                f"input “{variable.name}” must be a text.", f"入力「{variable.name}」は文字列にしてください。"
            )
        )
    text = value if isinstance(value, str) else _plain_number(value)
    if variable.max_length and len(text) > variable.max_length:
        raise Misfit(
            Text(
                f"input “{variable.name}” has {len(text)} characters; the app takes {variable.max_length}.",
                f"入力「{variable.name}」は{len(text)}文字です。アプリの上限は{variable.max_length}文字です。",
            )
        )
    return text


def _plain_number(value: float) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _option(variable: Variable, value: JsonValue) -> JsonValue:
    text = value if isinstance(value, str) else _plain_number(value) if isinstance(value, int | float) else ""
    if text in variable.options:
        return text
    trimmed = {option.strip().casefold(): option for option in variable.options}
    if (near := trimmed.get(text.strip().casefold())) is not None:
        return near
    allowed = ", ".join(variable.options)
    raise Misfit(
        Text(
            f"input “{variable.name}” is “{text[:60]}”; allowed: {allowed}.",
            f"入力「{variable.name}」の値「{text[:60]}」は使えません。使える値: {allowed}。",
        )
    )


def _number(variable: Variable, value: JsonValue) -> JsonValue:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < math.inf:
        return value
    text = value.strip().translate(_NARROW) if isinstance(value, str) and len(value) < _LONGEST_NUMBER else ""
    plain = text.replace(",", "")
    if _NUMBER.fullmatch(text) and math.isfinite(number := float(plain)):
        return int(plain) if plain.lstrip("+-").isdecimal() else number
    raise Misfit(
        Text(
            f"input “{variable.name}” must be a number, not “{str(value)[:60]}”.",
            f"入力「{variable.name}」は数値にしてください(現在の値:「{str(value)[:60]}」)。",
        ),
        _COMMA if _NUMBER.fullmatch(plain) and plain != text else None,
    )


_NUMBER = re.compile(
    r"[+-]?(?:(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?", re.IGNORECASE
)
_LONGEST_NUMBER = 400
"""Beyond what any float holds."""
_COMMA = Text(
    "A comma only parts thousands (1,500); decimals are written with a point (1.5).",
    "カンマは3桁区切り(1,500)にだけ使えます。小数はピリオド(1.5)で書いてください。",
)


def _is_json(value: JsonValue) -> bool:
    """Python's JSON also reads NaN, 1e999 and half a surrogate pair: none of them can be sent."""
    try:
        return bool(json.dumps(value, ensure_ascii=False, allow_nan=False).encode())
    except (ValueError, RecursionError):
        return False


def _object(variable: Variable, value: JsonValue) -> JsonValue:
    try:
        found = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict) and _is_json(found):
        return found
    shown = (value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))[:60]
    raise Misfit(
        Text(
            f"input “{variable.name}” must be a JSON object, not “{shown}”.",
            f"入力「{variable.name}」はJSONオブジェクトにしてください(現在の値:「{shown}」)。",
        ),
        Text('Write it as `{"name": "value"}`.', '`{"名前": "値"}` の形で書いてください。'),
    )


_NARROW = str.maketrans("０１２３４５６７８９．，－＋−", "0123456789.,-+-")
"""Full-width digits and signs as Japanese spreadsheets hold them."""


def _switch(variable: Variable, value: JsonValue) -> JsonValue:
    if isinstance(value, bool):
        return value
    written = _plain_number(value) if isinstance(value, float) else str(value)
    word = unicodedata.normalize("NFKC", written).strip().casefold()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise Misfit(
        Text(
            f"input “{variable.name}” must be true or false, not “{str(value)[:60]}”.",
            f"入力「{variable.name}」は true か false にしてください(現在の値:「{str(value)[:60]}」)。",
        )
    )
