"""Raw values as the types of a case's fields: pure, and each refusal says what would be right."""

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import JsonValue

from ragjudge.language import Text
from ragjudge.settings import yaml_tree
from ragjudge.settings.yaml_tree import Entries, YamlFault
from ragjudge.suite import yaml_reader
from ragjudge.suite.raw import Bare, RawValue, is_blank

T = TypeVar("T")

MAX_DEPTH = 50
_SEPARATORS = re.compile(r"[,、,;;\n]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}


class BadValue(Exception):
    """A value that a field cannot take. `part` names what inside of the field is meant: `.max_latency_s`."""

    def __init__(self, what: Text, cure: Text | None = None, *, part: str = "") -> None:
        super().__init__(what.en)
        self.what = what
        self.cure = cure
        self.part = part

    @property
    def each(self) -> "tuple[BadValue, ...]":
        """One by one, where several parts are wrong."""
        return (self,)


class BadValues(BadValue):
    """Several faults of one value."""

    def __init__(self, each: Sequence[BadValue]) -> None:
        super().__init__(each[0].what, each[0].cure, part=each[0].part)
        self._each = tuple(each)

    @property
    def each(self) -> tuple[BadValue, ...]:
        return self._each


def part(name: str, convert: Callable[[], T], faults: list[BadValue]) -> T | None:
    """A part's value, or None after its faults were added to `faults`."""
    try:
        return convert()
    except BadValue as bad:
        faults += [BadValue(one.what, one.cure, part=f".{name}{one.part}") for one in bad.each]
        return None


def clean(value: str) -> str:
    """Text that can be sent and stored: no NUL, no half of a character."""
    if "\0" in value or _SURROGATE.search(value):
        raise BadValue(Text("holds a broken character", "に壊れた文字が含まれています"))
    return value


def text(value: RawValue) -> str | None:
    """One text; a bare number or true/false as it was written."""
    match value:
        case None:
            return None
        case str():
            return None if is_blank(clean(value)) else value
        case Bare():
            return value.text
        case list() if len(value) == 1:
            return text(value[0])
        case list():
            raise BadValue(
                Text("must be one text, not a list", "には1つの文字列を書いてください(リストは使えません)"),
            )
        case _:
            raise BadValue(Text("must be text", "には文字列を書いてください"))


def identity(value: RawValue) -> str | None:
    """An id: one line, spelled as `plain_id` does."""
    found = text(value)
    if found is None:
        return None
    found = plain_id(found)
    if "\n" in found or "\r" in found or len(found) > 200:
        raise BadValue(
            Text("must be one line of at most 200 characters", "には200文字までの1行の文字列を書いてください")
        )
    return found or None


def plain_id(written: str) -> str:
    """Ids that look alike are one: full-width letters, split kana (macOS), invisible characters, kinds of blanks."""
    composed = unicodedata.normalize("NFC", written.translate(_FULL_WIDTH))
    shown = (
        " " if unicodedata.category(c) == "Zs" else c for c in composed if unicodedata.category(c) != "Cf"
    )
    return "".join(shown).strip()


def plain_text(value: RawValue) -> str:
    """Any value as text for a team's own column."""
    match value:
        case None:
            return ""
        case str():
            return "" if is_blank(clean(value)) else value
        case Bare():
            return value.text
        case bool():
            return "true" if value else "false"
        case _:
            return clean(json.dumps(json_value(value), ensure_ascii=False))


def texts(value: RawValue, *, split: bool) -> tuple[str, ...]:
    """A list of texts; one text stands for a list of one, or, with `split`, for what commas separate."""
    match value:
        case None:
            return ()
        case list():
            found = [text(item) for item in value]
            return tuple(item for item in found if item is not None)
        case str() if value.strip().startswith("["):
            return _listed(value, split=split)
        case str() | Bare():
            whole = text(value) or ""
            parts = _SEPARATORS.split(whole) if split else [whole]
            return tuple(part.strip() if split else part for part in parts if part.strip())
        case _:
            raise BadValue(Text("must be a list of texts", "には文字列のリストを書いてください"))


def _listed(value: str, *, split: bool) -> tuple[str, ...]:
    """A cell that holds `["…", "…"]`; anything else that only begins like it is plain text."""
    try:
        found = written(value)
    except BadValue:
        found = None
    if isinstance(found, list):
        return texts(found, split=split)
    whole = clean(value)
    return tuple(part.strip() for part in _SEPARATORS.split(whole) if part.strip()) if split else (whole,)


def json_value(value: RawValue, depth: int = 0) -> JsonValue:
    if depth > MAX_DEPTH:
        raise BadValue(Text("is nested too deeply", "の入れ子が深すぎます"))
    match value:
        case Bare():
            return value.value
        case str():
            return clean(value)
        case list():
            return [json_value(item, depth + 1) for item in value]
        case dict():
            return {clean(key): json_value(item, depth + 1) for key, item in value.items()}
        case _:
            return value


def mapping(value: RawValue) -> dict[str, RawValue]:
    """`{…}`; in a cell also `name: value` or `name=value` lines."""
    found = _from_cell(value) if isinstance(value, str) else value
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise BadValue(
            Text(
                "must be `name: value` pairs, for example {Entity: head office}",
                "には「名前: 値」の組を書いてください(例: {Entity: 本社})",
            )
        )
    return found


def _from_cell(value: str) -> RawValue:
    lines = [line for line in value.splitlines() if line.strip()]
    if lines and all(re.match(r"[^=:{}\[\]\"']+=", line) for line in lines):
        pairs = (line.partition("=") for line in lines)
        return {name.strip(): content.strip() for name, _, content in pairs}
    return written(value)


def written(value: str) -> RawValue:
    """A cell's text read as YAML (and so as JSON)."""
    try:
        node = yaml_tree.parse(clean(value), max_nodes=10_000)
    except YamlFault as fault:
        raise BadValue(
            Text(f"cannot be read ({fault.what.en})", f"を読み取れません({fault.what.ja})")
        ) from None
    if isinstance(node, Entries):
        node.pairs = [pair for pair in node.pairs if pair[0].text]
    return None if node is None else yaml_reader.raw(node)


def number(value: RawValue) -> float | None:
    """A finite number of 0 or more."""
    found = text(value)
    if found is None:
        return None
    try:
        result = float(found.translate(_FULL_WIDTH))
    except ValueError:
        result = float("nan")
    if not 0 <= result < float("inf"):
        raise BadValue(Text("must be a number of 0 or more", "には0以上の数値を書いてください"))
    return result


_NO = frozenset({
    "false", "f", "no", "n", "off", "0", "n/a", "na", "none", "null", "nil", "nan", "#n/a",
    "いいえ", "なし", "ナシ", "無し", "無", "特になし", "特に無し", "該当なし", "該当無し", "しない", "未", "否",
    "非該当", *"×✕✖✗✘☓╳❌❎☐□◻⬜",
})  # fmt: skip
_YES = frozenset({
    "true", "t", "yes", "y", "on", "1", "x", "はい", "あり", "有り", "有", "する", "レ", *"○〇◯⭕◎●✓✔✅☑☒■◼⬛",
})  # fmt: skip
"""Marks of people and words of programs. A cross in a table of circles is a no, the letter x of a form a yes."""
_NOTHING = re.compile(r"[\s\-‐‑‒–—―−─━ー_~〜/\\|.,、。・…()\[\]{}「」<>]+")
"""What fills a cell in which nothing is to be said: dashes, strokes, dots, empty brackets."""
SKIPPED = "skip"


def skip(value: RawValue) -> str | None:
    """The reason for leaving a case out; a bare yes gives no reason of its own, a no is no skip at all."""
    if isinstance(value, bool):
        return SKIPPED if value else None
    reason = (text(value) or "").strip()
    said = _mark(reason)
    if not said or said in _NO:
        return None
    return SKIPPED if said in _YES else reason


def _mark(written: str) -> str:
    """A cell's text in the spelling of `_NO` and `_YES`; nothing where it says nothing."""
    seen = (c for c in unicodedata.normalize("NFKC", written) if unicodedata.category(c) not in {"Cf", "Mn"})
    plain = "".join(seen).casefold().strip()
    return "" if _NOTHING.fullmatch(plain) else plain.strip(" 。.()[]<>「」")
