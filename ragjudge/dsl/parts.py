"""The difference between two exports, cut into changes that can be applied alone. Pure.

Looks, ids, names of the app and versions of plugins are no change, as in the diff. What only makes sense together (an
added node with its wires and with whoever reads it, a variable with its readers) is one change.
"""

from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from pydantic import JsonValue

from ragjudge.dsl.change import capital
from ragjudge.dsl.changes import ENTRY_IDENTITY, KNOWN_PARTS, KNOWN_ROOTS, LAYOUT, STAMPS
from ragjudge.dsl.edits import EntryEdit, NodeEdit, ValueEdit, edited, plugins_of
from ragjudge.dsl.findings import Rule
from ragjudge.dsl.joining import Piece, joined
from ragjudge.dsl.labels import label
from ragjudge.dsl.leaves import ABSENT, Leaf, differences
from ragjudge.dsl.lint import lint
from ragjudge.dsl.load import Data, Dsl, items, part
from ragjudge.dsl.one_graph import in_terms_of
from ragjudge.dsl.parts_graph import VARIABLES, aliases, pieces, variable_key
from ragjudge.language import Text

_PROMPT = ("pre_prompt", "prompt_type", "chat_prompt_config", "completion_prompt_config", "user_input_form")
"""A basic app's prompt reads its form; the kinds of prompts exclude each other."""
_DATASETS = ("dataset_configs", "dataset_query_variable")
_BROKEN = frozenset(
    {
        Rule.DANGLING_EDGE,
        Rule.DANGLING_REFERENCE,
        Rule.DUPLICATE_NODE,
        Rule.UNREACHABLE_NODE,
        Rule.NO_START,
        Rule.NO_ANSWER,
        Rule.NO_QUERY,
        Rule.NO_MODEL,
    }
)
_MOST_NAMED = 3
_MOST_LINTED = 20
"""Joining what is broken alone looks at each pair of changes."""


@dataclass(frozen=True, slots=True)
class Part:
    """One change. `name` begins in lower case, as in the middle of a sentence."""

    name: Text
    pieces: tuple[Piece, ...] = field(repr=False)

    @property
    def has_node(self) -> bool:
        return any(isinstance(piece.edit, NodeEdit) for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Difference:
    """`base` becomes what `proposed` does by all `parts` together."""

    base: Dsl
    proposed: Dsl
    parts: tuple[Part, ...]
    usual: frozenset[tuple[Rule, str]] = frozenset()
    """Faults that one of the two has anyway."""

    def with_parts(self, chosen: Collection[Part]) -> Data:
        """The base's document with these changes alone; the base itself with none.

        Plugins are those that either needs, the proposal's where both name one.
        """
        if not chosen:
            return self.base.root
        done = edited(self.base.root, (piece.edit for one in chosen for piece in one.pieces))
        new, old = plugins_of(self.proposed.root), plugins_of(self.base.root)
        only_old = [] if len(chosen) == len(self.parts) else [old[name] for name in old if name not in new]
        needed: list[JsonValue] = [*new.values(), *only_old]
        kept = {key: self.proposed.root[key] for key in ("version",) if key in self.proposed.root}
        return {**done, **kept, "dependencies": needed}

    def broken_with(self, chosen: Collection[Part]) -> Text | None:
        """What dangles with these changes alone, and dangles in neither of the two exports."""
        found = _faults(replace(self.base, root=self.with_parts(chosen), lines={}))
        return next((text for key, text in found.items() if key not in self.usual), None)


def split(base: Dsl, proposed: Dsl) -> Difference:
    """Every change, nodes first. One of another kind of app is a single change: nothing of it can stand alone."""
    if base.mode != proposed.mode:
        usual = frozenset(_faults(base)) | frozenset(_faults(proposed))
        return Difference(base, proposed, (_everything(base, proposed),), usual)
    here = replace(proposed, root=in_terms_of(base, proposed)) if proposed.is_graph else proposed
    found = [*pieces(base, here), *_variables(base, here), *_values(base, here)] if here.is_graph else []
    if not here.is_graph:
        found = [*_model_config(base, here), *_values(base, here)]
    known = aliases(base, here)
    groups = joined(replace(piece, needs=_resolved(piece, known)) for piece in found)
    parts = tuple(Part(_name(group), tuple(group)) for group in groups)
    return _standing(Difference(base, here, parts, frozenset(_faults(base)) | frozenset(_faults(here))))


def _resolved(piece: Piece, known: Mapping[Hashable, Hashable]) -> tuple[Hashable, ...]:
    return tuple(known.get(need, need) for need in piece.needs)


def _name(group: list[Piece]) -> Text:
    """The nodes of a group say enough; where it has none, whatever it has."""
    nodes = [piece for piece in group if isinstance(piece.edit, NodeEdit)]
    names = [piece.name for piece in nodes or group if piece.name is not None]
    more = len(names) - _MOST_NAMED
    shown = names[:_MOST_NAMED]
    en, ja = ", ".join(n.en for n in shown), "、".join(n.ja for n in shown)
    return Text(f"{en} and {more} more", f"{ja} ほか{more}件") if more > 0 else Text(en, ja)


def _standing(found: Difference) -> Difference:
    """What is broken alone is joined with the first change with which it is not."""
    parts = list(found.parts)
    if not 1 < len(parts) <= _MOST_LINTED:
        return found
    for one in found.parts:
        if one not in parts or found.broken_with([one]) is None:
            continue
        other = next((o for o in parts if o is not one and found.broken_with([one, o]) is None), None)
        if other is not None:
            together = (*one.pieces, *other.pieces)
            parts[parts.index(one)] = Part(_name(list(together)), together)
            parts.remove(other)
    return replace(found, parts=tuple(parts))


def _faults(dsl: Dsl) -> dict[tuple[Rule, str], Text]:
    return {(f.rule, f.what.en): f.what for f in lint(dsl) if f.rule in _BROKEN}


def _variables(base: Dsl, proposed: Dsl) -> Iterator[Piece]:
    kinds = {
        "environment_variables": Text("environment variable", "環境変数"),
        "conversation_variables": Text("conversation variable", "会話変数"),
    }
    for list_name in VARIABLES.values():
        before, after = (_by_name(dsl, list_name) for dsl in (base, proposed))
        for name in [*before, *(n for n in after if n not in before)]:
            then, now = before.get(name), after.get(name)
            if then is not None and now is not None and not any(differences(_bare(then), _bare(now))):
                continue
            kind = kinds[list_name]
            yield Piece(
                variable_key(list_name, name),
                EntryEdit(list_name, name, now),
                Text(f"{kind.en} {name}", f"{kind.ja}「{name}」"),
            )


def _by_name(dsl: Dsl, list_name: str) -> dict[str, Data]:
    found = items(dsl.root, "workflow", list_name)
    return {str(entry.get("name")): entry for entry in found if isinstance(entry, dict)}


def _bare(entry: Data) -> Data:
    return {key: value for key, value in entry.items() if key not in ENTRY_IDENTITY}


def _model_config(base: Dsl, proposed: Dsl) -> Iterator[Piece]:
    found = {piece.key: piece for piece in _section(base, proposed, ("model_config",), frozenset())}
    for together in (_PROMPT, _DATASETS):
        keys = [key for name in together if (key := ("model_config", name)) in found]
        for key in keys[1:]:
            found[key] = replace(found[key], needs=(keys[0],))
    yield from found.values()


def _values(base: Dsl, proposed: Dsl) -> Iterator[Piece]:
    """Features, and whatever no other part speaks of: nothing that differs is lost."""
    yield from _section(base, proposed, ("workflow", "features"), frozenset())
    yield from _section(base, proposed, ("workflow", "graph"), LAYOUT)
    yield from _section(base, proposed, ("workflow",), KNOWN_PARTS | STAMPS)
    yield from _section(base, proposed, (), KNOWN_ROOTS)


def _section(base: Dsl, proposed: Dsl, path: tuple[str, ...], known: Collection[str]) -> Iterator[Piece]:
    before, after = (part(dsl.root, *path) for dsl in (base, proposed))
    for key in [*before, *(k for k in after if k not in before)]:
        if key in known:
            continue
        value = after.get(key, ABSENT)
        leaf = next(differences(before.get(key, ABSENT), value, (key,)), None)
        if leaf is not None:
            yield Piece((*path, key), ValueEdit((*path, key), value), _of_setting(leaf))


def _of_setting(leaf: Leaf) -> Text:
    named = label(leaf.steps)
    return Text(f"setting “{capital(named.en)}”", f"設定「{named.ja}」")


def _everything(base: Dsl, proposed: Dsl) -> Part:
    keys = [*proposed.root, *(key for key in base.root if key not in proposed.root)]
    found = [Piece(key, ValueEdit((key,), proposed.root.get(key, ABSENT))) for key in keys]
    return Part(Text("kind of app", "アプリの種類"), tuple(found))
