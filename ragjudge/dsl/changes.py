"""What changed between two exports, in words: one line per change, whatever moved on the canvas."""

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from ragjudge.dsl.change import Change, capital, from_to, of_leaf
from ragjudge.dsl.changes_graph import graph_changes
from ragjudge.dsl.leaves import differences
from ragjudge.dsl.load import Data, Dsl, items, part
from ragjudge.dsl.masking import names_a_key
from ragjudge.language import Text

__all__ = ["Change", "changes"]

_ICONS = frozenset({"icon", "icon_background", "icon_type", "use_icon_as_answer_icon", "mode", "name"})
KNOWN_PARTS = frozenset({"graph", "features", "environment_variables", "conversation_variables"})
KNOWN_ROOTS = frozenset({"app", "kind", "version", "dependencies", "workflow", "model_config"})
STAMPS = frozenset({"created_at", "updated_at", "created_by", "updated_by", "hash", "id"})
"""Who touched it when; no part of what the app does."""
LAYOUT = frozenset({"nodes", "edges", "viewport"})
ENTRY_IDENTITY = frozenset({"id", "selector", "name", "description"})
"""Of a variable of the app: what it is called, and what is made anew at each import."""
_PREFIX = Text("", "")


def changes(old: Dsl, new: Dsl) -> tuple[Change, ...]:
    """Every semantic change, nodes first. Empty where both do the same."""
    return (
        *_app(old, new),
        *graph_changes(old, new),
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
        told = from_to(what, before, after) if before != after else None
        if told is not None:
            yield Change(Text(capital(told.en), told.ja), new.place("app", key))
    before_rest, after_rest = (
        {k: v for k, v in part(dsl.root, "app").items() if k not in _ICONS} for dsl in (old, new)
    )
    for leaf in differences(before_rest, after_rest):
        yield from of_leaf(leaf, Text("App: ", "アプリ: "), new.place("app", *leaf.steps))


def _section(old: Dsl, new: Dsl, path: tuple[str, ...]) -> Iterator[Change]:
    for leaf in differences(part(old.root, *path), part(new.root, *path)):
        yield from of_leaf(leaf, _PREFIX, new.place(*path, *leaf.steps))


def _variables(old: Dsl, new: Dsl, name: str, what: Text) -> Iterator[Change]:
    """Variables by name. A secret's value is never shown."""
    before, after = (_by_name(items(dsl.root, "workflow", name)) for dsl in (old, new))
    for key in [*before, *(k for k in after if k not in before)]:
        then, now = before.get(key), after.get(key)
        named = Text(f"{what.en} {key}", f"{what.ja}「{key}」")
        place = new.place("workflow", name)
        if then is None or now is None:
            verb = Text("added", "を追加") if then is None else Text("removed", "を削除")
            yield Change(Text(f"{capital(named.en)} {verb.en}", f"{named.ja}{verb.ja}"), place)
            continue
        secret = "secret" in (then.get("value_type"), now.get("value_type")) or names_a_key(key)
        for leaf in differences(then, now):
            if secret and leaf.steps == ("value",):
                yield Change(
                    Text(
                        f"{capital(named.en)}: value changed (not shown)",
                        f"{named.ja}: 値を変更(表示しません)",
                    ),
                    place,
                )
            else:
                subject = Text(f"{capital(named.en)}: ", f"{named.ja}: ")
                yield from of_leaf(leaf, subject, place)


def _by_name(entries: Sequence[JsonValue]) -> dict[str, Data]:
    return {
        str(entry.get("name")): {k: v for k, v in entry.items() if k not in ENTRY_IDENTITY}
        for entry in entries
        if isinstance(entry, dict)
    }


def _rest(old: Dsl, new: Dsl) -> Iterator[Change]:
    """Whatever no other part speaks of: shown under its own name, never lost."""
    parts: tuple[tuple[tuple[str, ...], frozenset[str]], ...] = (
        (("workflow", "graph"), LAYOUT),
        (("workflow",), KNOWN_PARTS | STAMPS),
        ((), KNOWN_ROOTS),
    )
    for path, known in parts:
        before, after = (
            {key: value for key, value in part(dsl.root, *path).items() if key not in known}
            for dsl in (old, new)
        )
        for leaf in differences(before, after):
            yield from of_leaf(leaf, _PREFIX, new.place(*path, *leaf.steps))


def _dependencies(old: Dsl, new: Dsl) -> Iterator[Change]:
    if old.version != new.version:
        text = Text(
            f"DSL version: {old.version} → {new.version}", f"DSLのバージョン: {old.version} → {new.version}"
        )
        yield Change(text, new.place("version"), plugin=True)
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
