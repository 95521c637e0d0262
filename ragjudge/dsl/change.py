"""One change in words: what it is called, what it was and what it is now, without anything secret."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from pydantic import JsonValue

from ragjudge.dsl.labels import has_words, label, short_id
from ragjudge.dsl.leaves import ABSENT, NAMES, Leaf, Steps, differences, nothing
from ragjudge.dsl.masking import masked, names_a_key
from ragjudge.dsl.word_diff import Piece, word_diff
from ragjudge.errors import Place
from ragjudge.language import Text

_LONG = 60
_SHOWN = 80
_MOST_LISTED = 6
_MOST_SINGLE = 12
_FORMS = frozenset({"variables", "user_input_form"})
_VALUES = frozenset({"default", "value"})
_GIST = ("text", "jinja2_text", "value", "name")


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `pieces` hold the words of a longer text; `place` is where to look (the new file if it is there).

    `plugin` marks what a plugin upgrade or an export by another server does by itself.
    """

    text: Text
    place: Place
    pieces: tuple[Piece, ...] = ()
    node: str | None = None
    """Title of the node that changed, where one did."""
    plugin: bool = False


def of_leaf(leaf: Leaf, subject: Text, place: Place, *, node: str | None = None) -> Iterator[Change]:
    """`subject` stands before the setting's name: `Node “A”: `, or nothing. What came or went as a whole and has no
    name in words is told setting by setting.
    """
    for one in _single(leaf):
        what = label(one.steps)
        named = Text(f"{subject.en}{what.en}", f"{subject.ja}{what.ja}")
        if not subject.en:
            named = Text(capital(what.en), what.ja)
        yield _hidden(named, place, node) if _is_secret(one.steps) else _told(one, named, place, node)


def _is_secret(steps: Steps) -> bool:
    """Whether a name on the way to it says so. What an input is called says so of its value alone."""
    for number, step in enumerate(steps):
        an_input = number > 0 and steps[number - 1] in _FORMS
        if names_a_key(step) and not (an_input and steps[-1] not in _VALUES):
            return True
    return False


def _single(leaf: Leaf) -> list[Leaf]:
    """The leaves below a mapping that came or went; itself, if they are many or none."""
    if not any(isinstance(value, dict) for value in (leaf.old, leaf.new)):
        return [leaf]
    if not nothing(leaf.old) and not nothing(leaf.new):
        return [*_single(Leaf(leaf.steps, leaf.old, ABSENT)), *_single(Leaf(leaf.steps, ABSENT, leaf.new))]
    found = list(islice(_below(leaf), _MOST_SINGLE + 1))
    return found if 0 < len(found) <= _MOST_SINGLE else [leaf]


def _below(leaf: Leaf) -> Iterator[Leaf]:
    old, new = ({} if nothing(value) else value for value in (leaf.old, leaf.new))
    mappings = isinstance(old, dict) and isinstance(new, dict)
    if not mappings or has_words(leaf.steps) or any(_says_secret(side) for side in (old, new)):
        yield leaf
        return
    for inner in differences(old, new, leaf.steps):
        its_name = inner.steps[-1] in NAMES and leaf.steps[-1] in (inner.old, inner.new)
        if not its_name:
            yield from _below(inner)


def _told(leaf: Leaf, named: Text, place: Place, node: str | None) -> Change:
    old, new = leaf.old, leaf.new
    if isinstance(old, dict):
        return Change(Text(f"{named.en} removed", f"{named.ja}を削除"), place, _gist(old, leaf, "gone"), node)
    if isinstance(new, dict):
        return Change(Text(f"{named.en} added", f"{named.ja}を追加"), place, _gist(new, leaf, "new"), node)
    if _is_text(old) or _is_text(new):
        before, after = (masked("" if v is ABSENT or v is None else str(v)) for v in (old, new))
        if before == after:
            return _hidden(named, place, node)
        if before.split() == after.split():
            en, ja = (
                f"{named.en} changed (only spaces or line breaks)",
                f"{named.ja}を変更(空白・改行のみ)",
            )
            return Change(Text(en, ja), place, node=node)
        pieces = word_diff(before, after)
        return Change(Text(f"{named.en} changed", f"{named.ja}を変更"), place, pieces, node)
    if isinstance(old, list) and isinstance(new, list) and max(len(old), len(new)) > _MOST_LISTED:
        return _of_list(old, new, named, place, node)
    told = from_to(named, old, new)
    return Change(told, place, node=node) if told else _hidden(named, place, node)


def _of_list(
    old: list[JsonValue], new: list[JsonValue], named: Text, place: Place, node: str | None
) -> Change:
    """Of a long list only what went and what came."""
    before, after = (Counter(_short(entry) for entry in entries) for entries in (old, new))
    both: tuple[tuple[Literal["gone", "new"], list[str]], ...] = (
        ("gone", [*(before - after).elements()]),
        ("new", [*(after - before).elements()]),
    )
    pieces = tuple(Piece(kind, _listed(entries, ", ")) for kind, entries in both if entries)
    en, ja = (f"{named.en} changed", f"{named.ja}を変更")
    if not pieces:
        en, ja = f"{en} (order alone)", f"{ja}(順序のみ)"
    return Change(Text(en, ja), place, pieces, node)


def _gist(entry: Mapping[str, JsonValue], leaf: Leaf, kind: Literal["gone", "new"]) -> tuple[Piece, ...]:
    """The words of a prompt, the value of a condition, the name of a class."""
    if _says_secret(entry) or names_a_key(leaf.steps[-1]):
        return ()
    found = (value for key in _GIST if isinstance(value := entry.get(key), str) and value.strip())
    words = next((value for value in found if value != leaf.steps[-1]), None)
    return (Piece(kind, masked(words)),) if words else ()


def _says_secret(entry: JsonValue | object) -> bool:
    """Whether a value stands in it under a type that Dify keeps secret."""
    return isinstance(entry, dict) and any("secret" in str(entry.get(key)) for key in ("type", "value_type"))


def from_to(named: Text, old: object, new: object) -> Text | None:
    """`name: old → new`, each short; None where they differ in nothing that may be shown."""
    before, after = shown(old), shown(new)
    if before.en == after.en:
        before, after = (Text(masked(str(v)), masked(str(v))) for v in (old, new))
        kinds = _kind(old), _kind(new)
        if before.en == after.en and kinds[0] == kinds[1]:
            return None
        if before.en == after.en:
            before, after = (
                Text(f"{v.en} ({kind.en})", f"{v.ja}({kind.ja})")
                for v, kind in zip((before, after), kinds, strict=True)
            )
    return Text(f"{named.en}: {before.en} → {after.en}", f"{named.ja}: {before.ja} → {after.ja}")


def shown(value: object) -> Text:
    """A plain value or a list of them, short."""
    if value is ABSENT or value is None or (isinstance(value, str | list | dict) and not value):
        return Text("none", "なし")
    if isinstance(value, bool):
        return Text("on", "オン") if value else Text("off", "オフ")
    if isinstance(value, list):
        listed = [_short(entry) for entry in value]
        return Text(_listed(listed, ", "), _listed(listed, "、"))
    return Text(_short(value), _short(value))


def _listed(entries: list[str], between: str) -> str:
    return between.join([*entries[:_MOST_LISTED], *(["…"] if len(entries) > _MOST_LISTED else [])])


def _kind(value: object) -> Text:
    if isinstance(value, str):
        return Text("text", "文字列")
    if isinstance(value, int | float):
        return Text("number", "数値")
    return Text("list", "リスト") if isinstance(value, list) else Text("setting", "設定")


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _hidden(named: Text, place: Place, node: str | None) -> Change:
    text = Text(f"{named.en} changed (not shown)", f"{named.ja}を変更(値は表示しません)")
    return Change(text, place, node=node)


def _is_text(value: object) -> bool:
    return (
        isinstance(value, str)
        and (len(value) > _LONG or "\n" in value or "。" in value or ". " in value)
        and short_id(value) == value
    )


def _short(value: object) -> str:
    text = short_id(masked(str(value)))
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
