"""What pydantic found wrong with the settings, in words that a tester can act on."""

from collections.abc import Iterable
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from ragjudge.errors import Place, Problem
from ragjudge.language import Text
from ragjudge.settings.sources import SECRET_PATHS
from ragjudge.settings.suggestions import cure_of_key, space_after_colon

Path = tuple[str | int, ...]

_EXPECTED: dict[str, Text] = {
    "int": Text("a whole number", "整数"),
    "float": Text("a number", "数値"),
    "finite_number": Text("a number", "数値"),
    "bool": Text("true or false", "true か false"),
    "string": Text("text", "文字列"),
    "tuple": Text("a list", "リスト"),
    "list": Text("a list", "リスト"),
    "dict": Text("`name: value` pairs", "「名前: 値」の組"),
    "model": Text("`name: value` pairs", "「名前: 値」の組"),
    "date": Text("a date such as 2026-12-31", "2026-12-31 のような日付"),
}


def problem(error: ErrorDetails, root: type[BaseModel], place: Place | None) -> Problem:
    """One error of pydantic's as a Problem; a key's value is never repeated."""
    path = error["loc"]
    name = dotted(path)
    if error["type"] == "extra_forbidden":
        return unknown(path, root, place)
    if error["type"] == "missing":
        return Problem(Text(f"{name} is missing.", f"{name} がありません。"), place)
    expected = _expected(error)
    got = "" if name in SECRET_PATHS else _shown(error["input"])
    return Problem(
        Text(
            f"{name} must be {expected.en}{', not ' + got if got else ''}.",
            f"{name} には{expected.ja}を指定してください{'(現在の値: ' + got + ')' if got else ''}。",
        ),
        place,
        _of_a_joined_pair(error, got),
    )


def unknown(path: Path, root: type[BaseModel], place: Place | None) -> Problem:
    """A key that no section has."""
    name = dotted(path)
    return Problem(
        Text(f"Unknown setting {name!r}.", f"「{name}」という設定項目はありません。"),
        place,
        cure_of_key(str(path[-1]), fields_at(root, path[:-1])),
    )


def _of_a_joined_pair(error: ErrorDetails, got: str) -> Text | None:
    """`minimum:` over a lone `correctness:3.5` is a text where pairs belong."""
    pairs = error["type"].startswith(("dict", "model"))
    return space_after_colon(str(error["input"])) if pairs and got else None


def _expected(error: ErrorDetails) -> Text:
    kind, context = error["type"], error.get("ctx", {})
    match kind:
        case "literal_error":
            choices = str(context["expected"]).replace("'", "")
            return Text(f"one of {choices}", f"{choices.replace(' or ', ', ')} のいずれか")
        case "greater_than_equal":
            return Text(f"{context['ge']} or more", f"{context['ge']}以上の値")
        case "less_than_equal":
            return Text(f"{context['le']} or less", f"{context['le']}以下の値")
        case "greater_than":
            return Text(f"more than {context['gt']}", f"{context['gt']}より大きい値")
        case "less_than":
            return Text(f"less than {context['lt']}", f"{context['lt']}より小さい値")
        case "string_pattern_mismatch":
            return Text(
                "a name of small letters, digits and _ (at most 40)",
                "英小文字・数字・_ だけの名前(40文字まで)",
            )
        case _:
            family = next((word for word in _EXPECTED if kind.startswith(word)), None)
            return (
                _EXPECTED[family] if family else Text(f"valid ({error['msg']})", f"正しい値({error['msg']})")
            )


def _shown(value: object) -> str:
    if not isinstance(value, str | int | float | bool):
        return ""
    text = str(value)
    return repr(text if len(text) <= 60 else text[:60] + "…")


def dotted(path: Iterable[str | int]) -> str:
    """`("accept", 0, "until")` → `accept[1].until`: people count from 1."""
    name = ""
    for step in path:
        name += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if name else str(step)
    return name


def fields_at(root: type[BaseModel], path: Path) -> list[str]:
    """Names that may stand at a path of the settings; empty where any name may."""
    model: type[BaseModel] | None = root
    for step in path:
        if isinstance(step, int):
            continue
        annotation = model.model_fields[step].annotation if model and step in model.model_fields else None
        model = _model_in(annotation)
    return [name for name in model.model_fields if name != "api_key"] if model else []


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in (tuple, Union, UnionType):
        return next((found for part in get_args(annotation) if (found := _model_in(part))), None)
    return None
