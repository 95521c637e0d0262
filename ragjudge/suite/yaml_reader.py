"""YAML lists of cases; what is written stays what was written (`001`, `1.0`, `no`, dates)."""

from collections.abc import Iterator
from dataclasses import dataclass

from ragjudge.errors import Place, Problem
from ragjudge.language import Text
from ragjudge.settings import yaml_tree
from ragjudge.settings.suggestions import space_after_colon, unjoined
from ragjudge.settings.unset import without_value
from ragjudge.settings.yaml_tree import Entries, Items, Node, Scalar, YamlFault
from ragjudge.suite.columns import Columns
from ragjudge.suite.decoding import decode
from ragjudge.suite.json_reader import WRAPPERS
from ragjudge.suite.raw import Bare, RawCase, RawField, RawValue, Reading, Unreadable

_SHOWN = 80


@dataclass(frozen=True, slots=True)
class _Doubt:
    """A column of the team's own that may be meant so; told once per column."""

    name: str
    fault: Problem


def read(data: bytes, file: str, columns: Columns) -> Reading:
    """One list of mappings, bare or under `cases:`. Raises `Unreadable`."""
    decoded = decode(data, file)
    notes = (decoded.note,) if decoded.note else ()
    try:
        root = yaml_tree.parse(decoded.text)
    except YamlFault as fault:
        raise Unreadable(fault.what, line=fault.line) from None
    if root is None or (isinstance(root, Scalar) and root.value is None):
        return Reading(notes=notes)
    listed = _list_of(root)
    if listed is None:
        raise Unreadable(
            Text(
                "The file must hold a list of cases (`- question: …`).",
                "「- question: …」の形のリストで書いてください。",
            ),
            line=root.line,
        )
    cases: list[RawCase] = []
    problems: list[Problem] = []
    doubts: dict[str, Problem] = {}
    for node in listed.nodes:
        place = Place(file, line=node.line)
        if isinstance(node, Entries):
            fields = (RawField(k.text, raw(v), Place(file, line=k.line)) for k, v in node.pairs)
            cases.append(RawCase(place, tuple(fields)))
            problems.extend(_cut_off(node, file, columns))
            for told in _joined_pairs(node, file, columns):
                if isinstance(told, Problem):
                    problems.append(told)
                else:
                    doubts.setdefault(told.name, told.fault)
        else:
            what = Text(
                "A case must be `name: value` pairs.", "テストケースは「名前: 値」の形で書いてください。"
            )
            problems.append(Problem(what, place))
    notes = (*notes, *(Text(one.in_language("en"), one.in_language("ja")) for one in doubts.values()))
    return Reading(tuple(cases), notes, tuple(problems))


def _cut_off(case: Entries, file: str, columns: Columns) -> Iterator[Problem]:
    """`{answer: 2,500円です。}` ends the answer at its comma; the rest is a key of its own, without even a colon.

    In turns and checks such a key is unknown anyway.
    """
    for key, value in case.pairs:
        if isinstance(value, Entries) and columns.field(key.text) == "inputs":
            yield from _cut_off(value, file, columns)
        elif isinstance(value, Scalar) and value.missing and unjoined(key.text) is None:
            what = Text(
                f"{_shown(key)!r} stands behind a comma without a name.",
                f"「{_shown(key)}」がカンマの後に項目名なしで書かれています。",
            )
            cure = Text(
                "Within { } put a text that holds a comma into quotes.",
                '{ } の中では、カンマを含む文を引用符(")で囲んでください。',
            )
            yield Problem(what, Place(file, line=key.line), cure)


def _joined_pairs(case: Entries, file: str, columns: Columns) -> Iterator[Problem | _Doubt]:
    """`answer:30日` is one word for YAML, a key without a value; what it was meant to give would silently be gone.

    A fault where the word before the colon is a field's, and for an input (no variable's name holds a colon).
    """
    for key, node in case.pairs:
        if isinstance(node, Entries) and columns.field(key.text) == "inputs":
            yield from (_fault(inner, file) for inner, value in node.pairs if _is_joined(inner, value))
        elif _is_joined(key, node):
            name, _ = unjoined(key.text) or ("", "")
            fault = _fault(key, file)
            yield fault if columns.field(name) is not None else _Doubt(name, fault)


def _is_joined(key: Scalar, node: Node) -> bool:
    return isinstance(node, Scalar) and node.value is None and unjoined(key.text) is not None


def _fault(key: Scalar, file: str) -> Problem:
    return without_value(_shown(key), Place(file, line=key.line), space_after_colon(key.text))


def _shown(key: Scalar) -> str:
    return key.text if len(key.text) <= _SHOWN else key.text[:_SHOWN] + "…"


def _list_of(root: Node) -> Items | None:
    if isinstance(root, Items):
        return root
    if isinstance(root, Entries):
        found = (node for key, node in root.pairs if key.text.casefold() in WRAPPERS)
        return next((node for node in found if isinstance(node, Items)), None)
    return None


def raw(node: Node) -> RawValue:
    """A node as a raw value. Depth is bounded by the parser."""
    match node:
        case Scalar():
            value = node.value
            return value if value is None or isinstance(value, str) else Bare(node.text, value)
        case Items():
            return [raw(child) for child in node.nodes]
        case Entries():
            return {key.text: raw(child) for key, child in node.pairs}
    return None
