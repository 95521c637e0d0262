"""A Dify DSL export as plain data that remembers its lines. Hostile until read: no tag is obeyed, size is bounded."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from ragjudge.errors import DslFault, Place, Problem
from ragjudge.language import Text
from ragjudge.settings import yaml_tree
from ragjudge.settings.yaml_tree import Entries, Items, Node, Scalar, YamlFault

MAX_BYTES = 5_000_000
"""Real exports are some hundred kilobytes; Dify itself refuses files over 10 MB."""
MAX_NODES = 300_000

Path = tuple[str | int, ...]
Data = dict[str, JsonValue]

WORKFLOW_MODES = frozenset({"advanced-chat", "workflow"})
MODES = WORKFLOW_MODES | {"chat", "agent-chat", "completion"}


@dataclass(frozen=True, slots=True)
class Dsl:
    """One export. `root` is the document, `lines` the line (from 1) at which each path begins."""

    file: str
    root: Data
    lines: Mapping[Path, int] = field(default_factory=dict)

    @property
    def mode(self) -> str:
        return str(part(self.root, "app").get("mode") or "")

    @property
    def name(self) -> str:
        return str(part(self.root, "app").get("name") or "")

    @property
    def version(self) -> str:
        return str(self.root.get("version") or "")

    @property
    def is_graph(self) -> bool:
        """Chatflow or workflow: nodes and edges instead of one model config."""
        return self.mode in WORKFLOW_MODES

    def place(self, *path: str | int) -> Place:
        """Where a path stands; for one that is not there, the nearest part of it that is."""
        for length in range(len(path), -1, -1):
            line = self.lines.get(path[:length])
            if line is not None:
                return Place(self.file, line=line)
        return Place(self.file)


_EXPORT_AGAIN = Text(
    "Export it in Dify with “Export DSL” and keep the file as it is.",
    "Difyの「DSLをエクスポート」で出力したファイルをそのまま使ってください。",
)


def load(data: bytes, file: str) -> Dsl:
    """Read an export. Raises DslFault with the place and the cure."""
    text = _decoded(data, file)
    _refuse_conflicts(text, file)
    try:
        tree = yaml_tree.parse(text, max_nodes=MAX_NODES)
    except YamlFault as fault:
        raise _fault(fault.what, Place(file, line=fault.line), _EXPORT_AGAIN) from None
    lines: dict[Path, int] = {}
    root = _plain(tree, (), lines) if tree is not None else None
    if not isinstance(root, dict) or root.get("kind") != "app" or not isinstance(root.get("app"), dict):
        raise _fault(
            Text("This is no export of a Dify app.", "Difyアプリのエクスポートではありません。"),
            Place(file, line=1),
            _EXPORT_AGAIN,
        )
    dsl = Dsl(file, root, lines)
    if dsl.mode not in MODES:
        raise _fault(
            Text(
                f"Apps of the mode {dsl.mode!r} are not known.",
                f"モード {dsl.mode!r} のアプリには対応していません。",
            ),
            dsl.place("app", "mode"),
            Text(
                f"Known are {', '.join(sorted(MODES))}.",
                f"対応しているのは {', '.join(sorted(MODES))} です。",
            ),
        )
    return dsl


def part(data: Mapping[str, JsonValue], *path: str) -> Data:
    """The mapping at a path; empty where there is none."""
    here: JsonValue = dict(data)
    for step in path:
        here = here.get(step) if isinstance(here, dict) else None
    return here if isinstance(here, dict) else {}


def items(data: Mapping[str, JsonValue], *path: str) -> list[JsonValue]:
    """The list at a path; empty where there is none."""
    *above, last = path
    found = part(data, *above).get(last)
    return found if isinstance(found, list) else []


_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def _decoded(data: bytes, file: str) -> str:
    if len(data) > MAX_BYTES:
        raise _fault(
            Text(
                f"The file has {len(data) // 1_000_000} MB; an export has less than {MAX_BYTES // 1_000_000}.",
                f"ファイルが大きすぎます({len(data) // 1_000_000} MB、上限 {MAX_BYTES // 1_000_000} MB)。",
            ),
            Place(file),
            _EXPORT_AGAIN,
        )
    if data[:2] in _UTF16_MARKS or data[:200].count(0) * 3 > len(data[:200]):
        raise _fault(
            Text("The file is UTF-16, not UTF-8.", "UTF-8ではなくUTF-16で保存されています。"),
            Place(file, line=1),
            Text("Save it as UTF-8.", "UTF-8で保存し直してください。"),
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _fault(
            Text("The file is not UTF-8 text.", "UTF-8のテキストではありません。"),
            Place(file, line=line),
            Text(
                "Export it again from Dify, or save it as UTF-8.",
                "Difyから再度エクスポートするか、UTF-8で保存してください。",
            ),
        ) from None


def _refuse_conflicts(text: str, file: str) -> None:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith(("<<<<<<<", ">>>>>>>")):
            raise _fault(
                Text("A merge conflict was left in the file.", "マージの競合が残っています。"),
                Place(file, line=number),
                Text("Resolve it, then export or commit again.", "競合を解消してからコミットしてください。"),
            )


def _fault(what: Text, place: Place, cure: Text | None = None) -> DslFault:
    return DslFault([Problem(what, place, cure)])


def _plain(node: Node, path: Path, lines: dict[Path, int]) -> JsonValue:
    lines[path] = node.line
    match node:
        case Scalar():
            return node.value
        case Items():
            return [_plain(child, (*path, n), lines) for n, child in enumerate(node.nodes)]
        case Entries():
            found: Data = {}
            for key, child in node.pairs:
                found[key.text] = _plain(child, (*path, key.text), lines)
                lines[(*path, key.text)] = key.line
            return found
    return None
