"""One change in words: what it is called, what it was and what it is now, without anything secret."""

from dataclasses import dataclass

from ragjudge.dsl.labels import label, short_id
from ragjudge.dsl.leaves import ABSENT, Leaf
from ragjudge.dsl.masking import masked, names_a_key
from ragjudge.dsl.word_diff import Piece, word_diff
from ragjudge.errors import Place
from ragjudge.language import Text

_LONG = 60
_SHOWN = 80
_MOST_LISTED = 6


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


def of_leaf(leaf: Leaf, subject: Text, place: Place, *, node: str | None = None) -> Change:
    """`subject` stands before the setting's name: `Node “A”: `, or nothing."""
    what = label(leaf.steps)
    named = Text(f"{subject.en}{what.en}", f"{subject.ja}{what.ja}")
    if not subject.en:
        named = Text(capital(what.en), what.ja)
    if any(names_a_key(step) for step in leaf.steps):
        return _hidden(named, place, node)
    old, new = leaf.old, leaf.new
    if isinstance(old, dict) and new is ABSENT:
        return Change(Text(f"{named.en} removed", f"{named.ja}を削除"), place, node=node)
    if isinstance(new, dict) and old is ABSENT:
        return Change(Text(f"{named.en} added", f"{named.ja}を追加"), place, node=node)
    if _is_text(old) or _is_text(new):
        before, after = (masked("" if v is ABSENT or v is None else str(v)) for v in (old, new))
        if before == after:
            return _hidden(named, place, node)
        pieces = word_diff(before, after)
        return Change(Text(f"{named.en} changed", f"{named.ja}を変更"), place, pieces, node)
    told = from_to(named, old, new)
    return Change(told, place, node=node) if told else _hidden(named, place, node)


def from_to(named: Text, old: object, new: object) -> Text | None:
    """`name: old → new`, each short; None where they differ in nothing that may be shown."""
    before, after = shown(old), shown(new)
    if before.en == after.en:
        before, after = (Text(masked(str(v)), masked(str(v))) for v in (old, new))
        if before.en == after.en:
            return None
    return Text(f"{named.en}: {before.en} → {after.en}", f"{named.ja}: {before.ja} → {after.ja}")


def shown(value: object) -> Text:
    """A plain value or a list of them, short."""
    if value is ABSENT or value is None or (isinstance(value, str | list | dict) and not value):
        return Text("none", "なし")
    if isinstance(value, bool):
        return Text("on", "オン") if value else Text("off", "オフ")
    if isinstance(value, list):
        listed = [_short(entry) for entry in value[:_MOST_LISTED]]
        more = ", …" if len(value) > _MOST_LISTED else ""
        return Text(", ".join(listed) + more, "、".join(listed) + more)
    return Text(_short(value), _short(value))


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
