"""What changed between two exports, in words: one line per change, whatever moved on the canvas."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from ragjudge.dsl.graph import Graph, GraphNode, graph_of
from ragjudge.dsl.labels import label
from ragjudge.dsl.leaves import ABSENT, Leaf, differences
from ragjudge.dsl.load import Data, Dsl, items, part
from ragjudge.dsl.matching import pair_ids, rewritten
from ragjudge.dsl.wiring import rewired
from ragjudge.dsl.word_diff import Piece, word_diff
from ragjudge.errors import Place
from ragjudge.language import Text

_ICONS = frozenset({"icon", "icon_background", "icon_type", "use_icon_as_answer_icon", "mode", "name"})
_KNOWN_PARTS = frozenset({"graph", "features", "environment_variables", "conversation_variables"})
_SECRET = re.compile(r"(?i)(api_?key|token|password|secret|authorization|credential)")
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[A-Za-z0-9+/=]{40,}")
_LONG = 60
_SHOWN = 80


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


def changes(old: Dsl, new: Dsl) -> tuple[Change, ...]:
    """Every semantic change, nodes first. Empty where both do the same."""
    return (
        *_app(old, new),
        *_graph(old, new),
        *_section(old, new, ("workflow", "features")),
        *_section(old, new, ("model_config",)),
        *_variables(old, new, "environment_variables", Text("environment variable", "環境変数")),
        *_variables(old, new, "conversation_variables", Text("conversation variable", "会話変数")),
        *_rest(old, new),
        *_dependencies(old, new),
    )


def _app(old: Dsl, new: Dsl) -> Iterator[Change]:
    for key, what in (("mode", Text("kind of app", "アプリの種類")), ("name", Text("app name", "アプリ名"))):
        before, after = part(old.root, "app").get(key), part(new.root, "app").get(key)
        if before != after:
            yield Change(_from_to(what, before, after), new.place("app", key))
    before_rest, after_rest = (
        {k: v for k, v in part(dsl.root, "app").items() if k not in _ICONS} for dsl in (old, new)
    )
    for leaf in differences(before_rest, after_rest):
        yield _changed(leaf, Text("App: ", "アプリ: "), new.place("app", *leaf.steps))


def _graph(old: Dsl, new: Dsl) -> Iterator[Change]:
    before, after = graph_of(old), graph_of(new)
    ids = pair_ids(before, after)
    kept = set(ids.values())
    for node in before.nodes.values():
        if node.id not in kept:
            text = Text(
                f"Node “{node.title}” ({node.type}) removed", f"ノード「{node.title}」({node.type})を削除"
            )
            yield Change(text, old.place(*node.path), node=node.title)
    for node in after.nodes.values():
        if node.id not in ids:
            text = Text(
                f"Node “{node.title}” ({node.type}) added", f"ノード「{node.title}」({node.type})を追加"
            )
            yield Change(text, new.place(*node.path), node=node.title)
        else:
            yield from _node(before.nodes[ids[node.id]], node, ids, new)
    yield from _wires(before, after, ids, old, new)


def _node(old: GraphNode, new: GraphNode, ids: dict[str, str], dsl: Dsl) -> Iterator[Change]:
    before: JsonValue = old.data
    after = rewritten(new.data, ids)
    subject = Text(f"Node “{new.title}”: ", f"ノード「{new.title}」: ")
    for leaf in differences(before, after):
        if leaf.steps[:1] in (("type",), ("iteration_id",), ("loop_id",)):
            continue
        yield _changed(leaf, subject, dsl.place(*new.path, "data", *leaf.steps), node=new.title)


def _wires(before: Graph, after: Graph, ids: dict[str, str], old: Dsl, new: Dsl) -> Iterator[Change]:
    gone, come = rewired(before, after, ids)
    for edge in gone:
        names = f"“{before.title(edge.source)}” → “{before.title(edge.target)}”"
        ja = f"「{before.title(edge.source)}」→「{before.title(edge.target)}」"
        yield Change(Text(f"Wire removed: {names}", f"接続を削除: {ja}"), old.place(*edge.path))
    for edge in come:
        names = f"“{after.title(edge.source)}” → “{after.title(edge.target)}”"
        ja = f"「{after.title(edge.source)}」→「{after.title(edge.target)}」"
        yield Change(Text(f"Wire added: {names}", f"接続を追加: {ja}"), new.place(*edge.path))


def _section(old: Dsl, new: Dsl, path: tuple[str, ...]) -> Iterator[Change]:
    for leaf in differences(part(old.root, *path), part(new.root, *path)):
        yield _changed(leaf, Text("", ""), new.place(*path, *leaf.steps))


def _variables(old: Dsl, new: Dsl, name: str, what: Text) -> Iterator[Change]:
    """Variables by name. A secret's value is never shown."""
    before, after = (_by_name(items(dsl.root, "workflow", name)) for dsl in (old, new))
    for key in [*before, *(k for k in after if k not in before)]:
        then, now = before.get(key), after.get(key)
        named = Text(f"{what.en} {key}", f"{what.ja}「{key}」")
        place = new.place("workflow", name)
        if then is None or now is None:
            verb = Text("added", "を追加") if then is None else Text("removed", "を削除")
            yield Change(Text(f"{_upper(named.en)} {verb.en}", f"{named.ja}{verb.ja}"), place)
            continue
        secret = "secret" in (then.get("value_type"), now.get("value_type"))
        for leaf in differences(then, now):
            if secret and leaf.steps == ("value",):
                yield Change(
                    Text(f"{_upper(named.en)}: another secret value", f"{named.ja}: 秘密の値が変更"), place
                )
            else:
                subject = Text(f"{_upper(named.en)}: ", f"{named.ja}: ")
                yield _changed(leaf, subject, place)


def _by_name(entries: Sequence[JsonValue]) -> dict[str, Data]:
    return {
        str(entry.get("name")): {
            k: v for k, v in entry.items() if k not in ("id", "selector", "name", "description")
        }
        for entry in entries
        if isinstance(entry, dict)
    }


def _rest(old: Dsl, new: Dsl) -> Iterator[Change]:
    """Whatever no other part speaks of: shown under its own name, never lost."""
    known_roots = {"app", "kind", "version", "dependencies", "workflow", "model_config"}
    for path, known in ((("workflow",), _KNOWN_PARTS), ((), known_roots)):
        before, after = (
            {k: v for k, v in (part(dsl.root, *path) if path else dsl.root).items() if k not in known}
            for dsl in (old, new)
        )
        for leaf in differences(before, after):
            yield _changed(leaf, Text("", ""), new.place(*path, *leaf.steps))


def _dependencies(old: Dsl, new: Dsl) -> Iterator[Change]:
    before, after = _plugins(old), _plugins(new)
    place = new.place("dependencies")
    for name in [*before, *(n for n in after if n not in before)]:
        then, now = before.get(name), after.get(name)
        if then == now:
            continue
        if then is None:
            yield Change(
                Text(f"Plugin {name} {now} is now needed", f"プラグイン {name} {now} が必要になりました"),
                place,
            )
        elif now is None:
            yield Change(
                Text(f"Plugin {name} is no longer needed", f"プラグイン {name} は不要になりました"), place
            )
        else:
            text = Text(f"Plugin {name}: {then} → {now}", f"プラグイン {name}: {then} → {now}")
            yield Change(text, place, plugin=True)


def _plugins(dsl: Dsl) -> dict[str, str]:
    found = {}
    for entry in items(dsl.root, "dependencies"):
        value = part(entry, "value") if isinstance(entry, dict) else {}
        identifier = next((str(v) for k, v in value.items() if k.endswith("identifier") and v), "")
        name, _, version = identifier.partition("@")[0].partition(":")
        if name:
            found[name] = version
    return found


def _changed(leaf: Leaf, subject: Text, place: Place, *, node: str | None = None) -> Change:
    what = label(leaf.steps)
    named = Text(f"{subject.en}{what.en}", f"{subject.ja}{what.ja}")
    if not subject.en:
        named = Text(_upper(what.en), what.ja)
    hidden = any(_SECRET.search(step) for step in leaf.steps)
    old, new = leaf.old, leaf.new
    if hidden:
        return Change(
            Text(f"{named.en} changed (not shown)", f"{named.ja}が変更(値は表示しません)"), place, node=node
        )
    if isinstance(old, dict | list) and new is ABSENT:
        return Change(Text(f"{named.en} removed", f"{named.ja}を削除"), place, node=node)
    if isinstance(new, dict | list) and old is ABSENT:
        return Change(Text(f"{named.en} added", f"{named.ja}を追加"), place, node=node)
    if _is_text(old) or _is_text(new):
        before, after = ("" if v is ABSENT or v is None else str(v) for v in (old, new))
        pieces = word_diff(before, after)
        return Change(Text(f"{named.en} changed", f"{named.ja}を変更"), place, pieces, node)
    return Change(_from_to(named, old, new), place, node=node)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and (len(value) > _LONG or "\n" in value or "。" in value or ". " in value)


def _from_to(named: Text, old: object, new: object) -> Text:
    before, after = _shown(old), _shown(new)
    return Text(f"{named.en}: {before.en} → {after.en}", f"{named.ja}: {before.ja} → {after.ja}")


def _shown(value: object) -> Text:
    if value is ABSENT or value is None or value in ("", [], {}):
        return Text("none", "なし")
    if isinstance(value, bool):
        return Text("on", "オン") if value else Text("off", "オフ")
    shown = ", ".join(map(_short_id, value)) if isinstance(value, list) else _short_id(value)
    cut = shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"
    return Text(cut, cut)


def _short_id(value: object) -> str:
    """Ids of datasets and the like are long and tell a reader nothing: their beginning is enough to see a change."""
    text = str(value)
    return f"{text[:8]}…" if _ID.fullmatch(text) else text


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
