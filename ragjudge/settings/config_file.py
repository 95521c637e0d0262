"""ragjudge.yml as raw values with their lines; what only its text can show (keys, duplicates) is found here."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ragjudge.errors import Place, Problem
from ragjudge.language import Language, Text
from ragjudge.settings import yaml_tree
from ragjudge.settings.suggestions import unjoined
from ragjudge.settings.yaml_tree import Entries, Items, Node, Scalar, YamlFault

MAX_CONFIG_CHARACTERS = 1_000_000
_MAX_NODES = 20_000

Path = tuple[str | int, ...]

SHORTHAND = {
    "app": "base_url",
    "judge": "provider",
    "embedding": "model",
    "metrics": "use",
    "baseline": "store",
    "report": "language",
    "dsl": "files",
}
"""A bare string or list for a section means its main field."""
LISTS: tuple[Path, ...] = (("suite",), ("metrics", "use"), ("dsl", "files"), ("judge", "allow"))
"""Where one bare string means a list of one."""
_KEY_LIKE = re.compile(r"(?:app|dataset|sk|pk|gh[pousr]|github_pat|xox[a-z])[-_][A-Za-z0-9_\-]{16,}")
_KEY_NAME = re.compile(r"(?i)(?:^|[_-])(?:api_?key|key|secret|token|password)$")
_WITH_PASSWORD = re.compile(r"(?i)^[a-z][a-z0-9+.-]*://[^/?#]*@")


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """`values` is the nested mapping as written (numbers still text, see `_raw`); `lines` maps a path to its line."""

    path: str
    values: dict[str, Any] = field(default_factory=dict)
    lines: dict[Path, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    unset: tuple[Path, ...] = ()
    """Keys without a value. They are not in `values`, for a known one means "not set"; an unknown one is a fault."""

    def line(self, path: Path) -> int | None:
        """The line of a path, or of the nearest thing around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path)


def read(text: str, path: str) -> ConfigFile:
    """Never raises for what the text holds: everything wrong is in `problems`."""
    if len(text) > MAX_CONFIG_CHARACTERS:
        what = Text("The file is too large.", "ファイルが大きすぎます。")
        return ConfigFile(path, problems=(Problem(what, Place(path)),))
    try:
        root = yaml_tree.parse(text.removeprefix("\ufeff"), max_nodes=_MAX_NODES)
    except YamlFault as fault:
        return ConfigFile(path, problems=(Problem(fault.what, Place(path, line=fault.line)),))
    if root is None or (isinstance(root, Scalar) and root.value is None):
        return ConfigFile(path)
    if not isinstance(root, Entries):
        what = Text("The file must hold `name: value` lines.", "「名前: 値」の形で書いてください。")
        return ConfigFile(path, problems=(Problem(what, Place(path, line=root.line)),))
    reading = _Reading(path)
    values = reading.entries(root, ())
    return ConfigFile(path, values, reading.lines, tuple(reading.problems), tuple(reading.unset))


def language_of(text: str | None) -> Language | None:
    """`report.language` of a config that may be broken elsewhere, so that its faults are told in that language."""
    if text is None:
        return None
    report = read(text, "").values.get("report")
    found = report.get("language") if isinstance(report, dict) else None
    return found if found in ("ja", "en") else None


class _Reading:
    """Turns nodes into values, notes lines, and refuses keys without ever repeating them."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.lines: dict[Path, int] = {}
        self.problems: list[Problem] = []
        self.unset: list[Path] = []

    def entries(self, node: Entries, at: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, child in node.pairs:
            path = (*at, key.text)
            if self._secret(path, child, key.line):
                continue
            self.lines[path] = key.line
            value = self._value(self._expanded(child, path), path)
            if value is not None:
                found[key.text] = value
            else:
                self.unset.append(path)
        return found

    def _expanded(self, node: Node, path: Path) -> Node:
        """Shorthands written out: `app: URL` → `app: {base_url: URL}`, `suite: x` → `suite: [x]`."""
        if isinstance(node, Scalar) and node.value is None:
            return node
        if len(path) == 1 and path[0] in SHORTHAND and not isinstance(node, Entries):
            title = Scalar(node.line, SHORTHAND[str(path[0])], plain=False)
            return Entries(node.line, pairs=[(title, node)])
        if path in LISTS and isinstance(node, Scalar):
            return Items(node.line, nodes=[node])
        return node

    def _value(self, node: Node, path: Path) -> Any:
        """Scalars stay text (pydantic reads numbers from it, and `1.10` stays `1.10`), but for free-form values."""
        self.lines.setdefault(path, node.line)
        match node:
            case Entries():
                return self.entries(node, path)
            case Items():
                return [self._value(child, (*path, i)) for i, child in enumerate(node.nodes)]
            case Scalar():
                free = path[:2] == ("app", "inputs") or "examples" in path[3:4]
                value = node.value
                return value if free or value is None else node.text
        return None

    def _secret(self, path: Path, node: Node, line: int) -> bool:
        """`api_key:app-…` without a space after the colon holds its key in its name."""
        title, value = unjoined(str(path[-1])) or (str(path[-1]), "")
        unset = isinstance(node, Scalar) and node.value is None
        named = bool(_KEY_NAME.search(title if unset else str(path[-1]))) and path[:2] != ("app", "inputs")
        named = named and (bool(value) if unset else isinstance(node, Scalar))
        texts = [value, *(_texts(node) if not isinstance(node, Entries) else ())]
        looks = any(_KEY_LIKE.search(text) or _WITH_PASSWORD.match(text) for text in texts)
        if not named and not looks:
            return False
        name = ".".join(str(step) for step in (*path[:-1], title))
        self.problems.append(
            Problem(
                Text(f"{name} holds a key or a password.", f"{name} にキーやパスワードが書かれています。"),
                Place(self._path, line=line),
                Text(
                    "Remove it (and renew it if it was committed); give it as a secret in the environment, "
                    "for example DIFY_API_KEY or OPENAI_API_KEY.",
                    "ファイルから削除し(コミット済みなら再発行し)、環境変数のシークレット"
                    "(DIFY_API_KEY、OPENAI_API_KEYなど)で渡してください。",
                ),
            )
        )
        return True


def _texts(node: Node) -> Iterator[str]:
    match node:
        case Scalar():
            yield node.text
        case Items():
            for child in node.nodes:
                yield from _texts(child)
        case Entries():
            for _, child in node.pairs:
                yield from _texts(child)
