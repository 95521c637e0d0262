"""Find the JSON objects in what a model wrote: strict where possible, else around reasoning, fences and prose.

Pure text in, values out. Two different values for one key are a contradiction and make an object unusable, and so
does any number that is not finite.
"""

import json
import re
from dataclasses import dataclass

from ragjudge.language import Text

LONGEST_REPLY = 200_000
_MOST_STARTS = 1000
_START = re.compile(r"[{\[]")
_LONGEST_REPAIR = 40_000

_REASONING_END = re.compile(
    r"</(?:think|thinking|thought|reasoning)>|<\|channel\|>final<\|message\|>", re.IGNORECASE
)
_REASONING_START = re.compile(r"<(?:think|thinking|thought|reasoning)>|<\|channel\|>analysis", re.IGNORECASE)
_REASONING = re.compile(f"{_REASONING_END.pattern}|{_REASONING_START.pattern}", re.IGNORECASE)
_BRACE = re.compile(r"[{}]")
_FENCE = re.compile(r"```[a-zA-Z0-9_]*[ \t]*\r?\n?(.*?)(?:```|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|[nrtbf])")
_VALID_ESCAPE = re.compile(r"\\(?:[\"'\\/bfnrt]|u[0-9a-fA-F]{4})")
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_STRUCTURE = re.compile(r"[\s\"'“”‘’`\\,:]+")
_EMPTY_TEXT = re.compile(r"\"\"|''|“”")


class Contradiction(ValueError):
    """One key with two values."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.fault = given_twice(key)


def given_twice(key: str) -> Text:
    return Text(f'"{key}" is given twice with different values', f'"{key}"に異なる値が2つあります')


@dataclass(frozen=True, slots=True)
class Found:
    """One JSON value in a text, and where it ends and begins."""

    value: object
    start: int
    end: int


def parse(text: str, *, lenient: bool) -> object:
    """One whole JSON text. Lenient: raw line breaks and tabs inside strings are allowed. Raises ValueError."""
    try:
        value: object = _decoder(lenient=lenient).decode(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return value


def objects_in(text: str) -> list[Found]:
    """Every outermost JSON object and list in a text, in order."""
    decoder = _decoder(lenient=True)
    found: list[Found] = []
    position = 0
    for _ in range(_MOST_STARTS):
        match = _START.search(text, position)
        if match is None:
            break
        try:
            value, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            position = match.end()
            continue
        found.append(Found(value, match.start(), end))
        position = end
    return found


def braces_between(text: str, found: list[Found]) -> bool:
    """Is there a brace outside of the objects found?

    Then something that was meant as JSON could not be read, and an object found may be a mere quotation inside it.
    """
    position = 0
    for one in found:
        if _BRACE.search(text, position, one.start):
            return True
        position = one.end
    return _BRACE.search(text, position) is not None


def after_reasoning(text: str) -> str | None:
    """The text behind the model's reasoning; None where the reasoning never ends.

    A tag inside a string of a JSON object is a quotation and ends nothing, and so is one after the answer has begun.
    A draft verdict in the reasoning is not the verdict.
    """
    spans = objects_in(text) if _REASONING.search(text) else []

    def quoted(match: re.Match[str]) -> bool:
        return any(span.start < match.start() < span.end for span in spans)

    behind, inside = 0, False
    for mark in _REASONING.finditer(text):
        if quoted(mark):
            continue
        opens = _REASONING_START.fullmatch(mark[0]) is not None
        if not inside and ("{" in text[behind : mark.start()] if opens else behind):
            break
        behind, inside = (behind, True) if opens else (mark.end(), False)
    return None if inside else text[behind:]


def has_fence(text: str) -> bool:
    return "```" in text


def fenced(text: str) -> str | None:
    """What stands in the only fenced block that holds JSON; a fence that is never closed runs to the end.

    None where there is a brace outside of it: then the fence may be a mere quotation.
    """
    blocks = [match for match in _FENCE.finditer(text) if _BRACE.search(match[1])]
    if len(blocks) != 1 or _BRACE.search(text[: blocks[0].start(1)] + text[blocks[0].end(1) :]):
        return None
    return blocks[0][1]


def repaired(text: str) -> object | None:
    """The object in a text after mending its syntax, or None.

    Only what leaves every letter, digit and bracket in place counts as syntax: trailing commas, quotes of another
    kind, missing commas. A repair that added, dropped or closed anything is not taken.
    """
    start, end = text.find("{"), text.rfind("}") + 1
    if start < 0 or end <= start or end - start > _LONGEST_REPAIR or re.search(r"[\[{\"]", text[end:]):
        return None
    source = text[start:end]
    if "\\" in _VALID_ESCAPE.sub("", source):
        return None
    import json_repair  # twenty modules for the rare reply that needs them

    try:
        value: object = json_repair.loads(source, skip_json_loads=True)
        written = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return None
    if _HALF_PAIR.search(written):
        return None  # an escape was torn in two
    same = _stated(source) == _stated(written) and _empties(source) >= _empties(written)
    return value if same and isinstance(value, dict) else None


def _stated(text: str) -> str:
    """All that a JSON text states: its letters, digits and brackets, without quotes, commas and white space."""
    plain = _ESCAPE.sub(lambda m: chr(int(m[1][1:], 16)) if m[1][0] == "u" else " ", text)
    return re.sub(r"\bnone\b", "null", _STRUCTURE.sub(" ", plain).casefold()).replace(" ", "")


def _empties(text: str) -> int:
    return len(_EMPTY_TEXT.findall(text))


def _decoder(*, lenient: bool) -> json.JSONDecoder:
    return json.JSONDecoder(object_pairs_hook=_one_value_per_key, parse_constant=_refused, strict=not lenient)


def _one_value_per_key(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made: dict[str, object] = {}
    for key, value in pairs:
        if key in made and made[key] != value:
            raise Contradiction(key)
        made[key] = value
    return made


def _refused(constant: str) -> object:
    raise ValueError(f"{constant} is not a JSON number")
