"""YAML lists of cases; what is written stays what was written (`001`, `1.0`, `no`, dates)."""

from ragjudge.errors import Place, Problem
from ragjudge.language import Text
from ragjudge.settings import yaml_tree
from ragjudge.settings.yaml_tree import Entries, Items, Node, Scalar, YamlFault
from ragjudge.suite.decoding import decode
from ragjudge.suite.json_reader import WRAPPERS
from ragjudge.suite.raw import Bare, RawCase, RawField, RawValue, Reading, Unreadable


def read(data: bytes, file: str) -> Reading:
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
    cases, problems = [], []
    for node in listed.nodes:
        place = Place(file, line=node.line)
        if isinstance(node, Entries):
            fields = (RawField(k.text, raw(v), Place(file, line=k.line)) for k, v in node.pairs)
            cases.append(RawCase(place, tuple(fields)))
        else:
            what = Text(
                "A case must be `name: value` pairs.", "テストケースは「名前: 値」の形で書いてください。"
            )
            problems.append(Problem(what, place))
    return Reading(tuple(cases), notes, tuple(problems))


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
