"""The parts of a case that have a shape of their own: checks and further turns."""

import re
from functools import partial

from pydantic import JsonValue

from ragjudge.language import Text
from ragjudge.settings.suggestions import cure_of_key
from ragjudge.suite import json_shape, pattern_words, values
from ragjudge.suite.case import Checks, Turn
from ragjudge.suite.columns import Columns
from ragjudge.suite.raw import RawValue, is_blank
from ragjudge.suite.values import BadValue, BadValues

_TURN_FIELDS = ("question", "reference", "files", "checks")


def checks(parts: dict[str, RawValue]) -> Checks:
    """`parts` by name of the check. One text is a list of one: a phrase may hold commas."""
    faults = [
        BadValue(
            Text(f"has no check named {name[:80]!r}", f"に「{name[:80]}」というチェックはありません"),
            cure_of_key(name, Checks.model_fields),
        )
        for name in parts
        if name not in Checks.model_fields
    ]

    def listed(name: str) -> tuple[str, ...]:
        return values.part(name, lambda: values.texts(parts.get(name), split=False), faults) or ()

    patterns = listed("regex")
    for pattern in patterns:
        values.part("regex", partial(_compiles, pattern), faults)
    found = Checks(
        contains=listed("contains"),
        not_contains=listed("not_contains"),
        regex=patterns,
        max_latency_s=values.part("max_latency_s", lambda: values.number(parts.get("max_latency_s")), faults),
        cites=listed("cites"),
        json_schema=values.part("json_schema", lambda: _json_schema(parts.get("json_schema")), faults),
    )
    if faults:
        raise BadValues(faults)
    return found


def _json_schema(value: RawValue) -> dict[str, JsonValue] | None:
    if value is None:
        return None
    schema = values.json_value(values.mapping(value))
    fault = json_shape.schema_fault(schema)
    if fault is not None:
        known = ", ".join(json_shape.KEYWORDS)
        raise BadValue(
            Text(
                f"holds a JSON schema that cannot be used at {fault}",
                f"のJSONスキーマの {fault} は使えません",
            ),
            Text(f"These keywords can be used: {known}.", f"使えるキーワード: {known}"),
        )
    return schema if isinstance(schema, dict) else None


def _compiles(pattern: str) -> None:
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        raise BadValue(
            Text(
                f"holds a regular expression that cannot be read: {pattern[:80]!r} ({error})",
                f"の正規表現を読み取れません: {pattern[:80]!r}({pattern_words.in_japanese(error)})",
            )
        ) from None


def turns(value: RawValue, columns: Columns) -> tuple[Turn, ...]:
    """Questions, or `{question, reference, checks, files}` each; in a cell one question per line."""
    found = value
    if isinstance(value, str):
        looks_written = value.lstrip().startswith(("[", "- ", "{"))
        found = (
            values.written(value)
            if looks_written
            else [line for line in value.splitlines() if not is_blank(line)]
        )
    if found is None:
        return ()
    if not isinstance(found, list):
        found = [found]
    faults: list[BadValue] = []
    read: list[Turn] = []
    for item in found:
        try:
            read.append(_turn(item, columns))
        except BadValue as bad:
            faults += bad.each
    if faults:
        raise BadValues(faults)
    return tuple(read)


def _turn(value: RawValue, columns: Columns) -> Turn:
    if not isinstance(value, dict):
        value = {"question": value}
    parts: dict[str, RawValue] = {}
    for title, item in value.items():
        field = columns.field(title)
        if field == "inputs":
            raise BadValue(
                Text(
                    "cannot have inputs of their own: Dify takes the inputs of the first turn only",
                    "には inputs を書けません(Difyは最初のターンの inputs だけを使います)",
                )
            )
        if field not in _TURN_FIELDS or field in parts:
            raise BadValue(
                Text(
                    f"has {title[:80]!r} twice or not known",
                    f"の「{title[:80]}」は使えないか、重複しています",
                ),
                cure_of_key(title, _TURN_FIELDS),
            )
        parts[field] = item
    question = values.text(parts.get("question"))
    if question is None:
        raise BadValue(Text("has a turn without a question", "に質問のないターンがあります"))
    faults: list[BadValue] = []
    turn = Turn(
        question=question,
        reference=values.part("reference", lambda: values.text(parts.get("reference")), faults),
        files=values.part("files", lambda: values.texts(parts.get("files"), split=True), faults) or (),
        checks=values.part("checks", lambda: checks(values.mapping(parts.get("checks"))), faults) or Checks(),
    )
    if faults:
        raise BadValues(faults)
    return turn
