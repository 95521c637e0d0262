"""YAML text as a tree that remembers lines, read without ever building an object of the writer's choice.

Nodes are made from the parser's events, not by a loader: no tag is ever obeyed, nesting and alias expansion are
bounded, and every scalar keeps its source text, so that `001`, `1.0`, `no` and `2026-12-31` can stay what was
written. Types follow the core schema of YAML 1.2 (https://yaml.org/spec/1.2.2/#103-core-schema): only
true/false, null and plain numbers without leading zeros are anything but text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from ragjudge.language import Text

MAX_DEPTH = 40
MAX_NODES = 2_000_000
"""Counted after expanding aliases: a `billion laughs` file is refused, a suite of 100,000 cases is not."""

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?")
_LONGEST_NUMBER = 300

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml where PyYAML was built with it: ten times faster on a large suite."""


_TROUBLES = {
    "mapping values are not allowed in this context": "ここに「: 」は書けません。「: 」を含む値は引用符で囲みます",
    "mapping values are not allowed here": "ここに「: 」は書けません。「: 」を含む値は引用符で囲みます",
    "mapping keys are not allowed in this context": "ここに項目名は書けません",
    "block sequence entries are not allowed in this context": "ここに「- 」は書けません",
    "sequence entries are not allowed here": "ここに「- 」は書けません",
    "could not find expected ':'": "「:」が必要なところです",
    "did not find expected '-' indicator": "リストの「-」が必要なところです。字下げを確認してください",
    "did not find expected key": "項目名が必要なところです。字下げと引用符を確認してください",
    "did not find expected ',' or ']'": "「,」か「]」が必要なところです",
    "did not find expected ',' or '}'": "「,」か「}」が必要なところです",
    "did not find expected node content": "値が必要なところです",
    "did not find expected comment or line break": "ここで改行が必要です",
    "did not find expected <document start>": "文書の区切り「---」が必要なところです",
    "did not find expected alphabetic or numeric character": "「&」「*」の後には英数字の名前が必要です",
    "did not find expected hexdecimal number": "「\\」の後に16進数が必要です",
    "did not find the expected '>'": "タグの「>」が必要なところです",
    "found character that cannot start any token": "値の先頭に使えない文字(「@」「`」「%」やタブ)があります",
    "found unexpected end of stream": "引用符が閉じられないまま終わっています",
    "found unexpected document indicator": "引用符が閉じられないまま、文書の区切りがあります",
    "found unknown escape character": "二重引用符の中では使えない「\\」の書き方です",
    "found a tab character that violates indentation": "字下げにタブは使えません(半角空白を使います)",
    "found a tab character where an indentation space is expected": "字下げにタブは使えません(半角空白を使います)",
    "found incompatible YAML document": "対応していないバージョンです",
    "control characters are not allowed": "使えない制御文字があります",
}
"""What libyaml says, and PyYAML's own reader where it says something else."""


class YamlFault(Exception):
    """The text is not YAML, or not YAML that we accept. `line` is from 1."""

    def __init__(self, what: Text, line: int | None = None) -> None:
        super().__init__(what.en)
        self.what = what
        self.line = line


@dataclass(slots=True)
class Node:
    """What stands at one place of the document, and the line it begins on."""

    line: int
    weight: int = field(default=1, kw_only=True)
    """How many nodes it stands for when every alias is written out."""
    height: int = field(default=1, kw_only=True)
    """How many levels it holds, itself included, when every alias is written out."""


@dataclass(slots=True)
class Scalar(Node):
    text: str
    plain: bool
    """Written without quotes, so that numbers, true/false and null mean what they look like."""
    missing: bool = False
    """A key's value of which not even the colon is there: `{a: 2,500}` is `{a: 2, 500: …}` to YAML."""

    @property
    def value(self) -> str | int | float | bool | None:
        return plain_value(self.text) if self.plain else self.text


@dataclass(slots=True)
class Items(Node):
    nodes: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class Entries(Node):
    pairs: list[tuple[Scalar, Node]] = field(default_factory=list)

    def get(self, key: str) -> Node | None:
        return next((node for title, node in self.pairs if title.text == key), None)


def plain_value(text: str) -> str | int | float | bool | None:
    """What an unquoted scalar means."""
    if text in _NULLS:
        return None
    if text in _TRUTH:
        return _TRUTH[text]
    if len(text) < _LONGEST_NUMBER and any("0" <= c <= "9" for c in text):
        if _INTEGER.fullmatch(text):
            return int(text)
        if _FLOAT.fullmatch(text):
            return float(text)
    return text


def parse(text: str, *, max_nodes: int = MAX_NODES) -> Node | None:
    """The document's root, or None where the text holds none. Raises `YamlFault` only."""
    try:
        text.encode("utf-8")
        return _Builder(text, max_nodes).build(yaml.parse(text, Loader=_LOADER))
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise YamlFault(
            Text("A broken character stands here.", "壊れた文字が含まれています。"), line
        ) from None
    except yaml.YAMLError as error:
        raise _not_yaml(error, text) from None


def _not_yaml(error: yaml.YAMLError, text: str) -> YamlFault:
    mark = getattr(error, "problem_mark", None)
    said = getattr(error, "problem", None) or getattr(error, "reason", None) or "invalid"
    position = getattr(error, "position", None)
    line = mark.line + 1 if mark is not None else None
    if line is None and isinstance(position, int):
        line = text.count("\n", 0, position) + 1
    return YamlFault(
        Text(f"This is not valid YAML ({said}).", f"YAMLとして読めません({_TROUBLES.get(said, said)})。"),
        line,
    )


@dataclass(slots=True)
class _Open:
    """A collection whose end was not seen yet; `key` waits for its value."""

    node: Items | Entries
    anchor: str | None
    key: Scalar | None = None
    key_end: int = 0
    seen: dict[str, int] = field(default_factory=dict)
    merged: list[Entries] = field(default_factory=list)


class _Builder:
    """Folds events into nodes without recursion, so that depth costs no stack."""

    def __init__(self, text: str, max_nodes: int) -> None:
        self._text = text
        self._max_nodes = max_nodes
        self._stack: list[_Open] = []
        self._anchors: dict[str, Node] = {}
        self._root: Node | None = None
        self._documents = 0
        self._total = 0

    def build(self, events: Iterator[yaml.Event]) -> Node | None:
        for event in events:
            self._take(event)
        return self._root

    def _take(self, event: yaml.Event) -> None:
        line = event.start_mark.line + 1 if event.start_mark else 1
        match event:
            case yaml.DocumentStartEvent():
                self._documents += 1
                if self._documents > 1:
                    raise YamlFault(
                        Text(
                            "Only one YAML document per file is read.",
                            "1ファイルに書けるYAML文書は1つだけです。",
                        ),
                        line,
                    )
            case yaml.ScalarEvent():
                self._check_tag(event.tag, line)
                plain = event.implicit[0] and event.tag is None
                self._place(Scalar(line, event.value, plain, self._is_missing(event)), event.anchor)
                if self._stack and self._stack[-1].key is not None:
                    self._stack[-1].key_end = _index(event.end_mark)
            case yaml.AliasEvent():
                self._place_alias(event.anchor, line)
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                self._check_tag(event.tag, line)
                sequence = isinstance(event, yaml.SequenceStartEvent)
                self._open(Items(line) if sequence else Entries(line), event.anchor)
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                self._close()

    def _is_missing(self, event: yaml.ScalarEvent) -> bool:
        if event.value or event.style or not self._stack or self._stack[-1].key is None:
            return False
        return ":" not in self._text[self._stack[-1].key_end : _index(event.start_mark)]

    @staticmethod
    def _check_tag(tag: str | None, line: int) -> None:
        if tag is not None and tag not in ("!", "tag:yaml.org,2002:str"):
            raise YamlFault(Text(f"The tag {tag} is not accepted.", f"タグ {tag} は使えません。"), line)

    def _open(self, node: Items | Entries, anchor: str | None) -> None:
        if len(self._stack) >= MAX_DEPTH:
            raise _too_deep(node.line)
        self._stack.append(_Open(node, anchor))

    def _close(self) -> None:
        done = self._stack.pop()
        if isinstance(done.node, Entries):
            _merge(done)
        self._place(done.node, done.anchor)

    def _place_alias(self, anchor: str | None, line: int) -> None:
        node = self._anchors.get(anchor or "")
        if node is None:
            raise YamlFault(Text(f"Unknown alias *{anchor}.", f"*{anchor} は定義されていません。"), line)
        self._total += node.weight
        self._place(node, None)

    def _place(self, node: Node, anchor: str | None) -> None:
        self._total += 1
        if self._total > self._max_nodes:
            raise YamlFault(
                Text("Too many values (aliases written out).", "値の数が多すぎます(エイリアス展開後)。"),
                node.line,
            )
        if anchor is not None:
            self._anchors[anchor] = node
        if not self._stack:
            self._root = node
            return
        holder = self._stack[-1]
        if len(self._stack) + node.height > MAX_DEPTH + 1:
            raise _too_deep(node.line)
        holder.node.weight += node.weight
        holder.node.height = max(holder.node.height, node.height + 1)
        if isinstance(holder.node, Items):
            holder.node.nodes.append(node)
        elif holder.key is None:
            holder.key = _key(node)
        else:
            _enter(holder, holder.key, node)
            holder.key = None


def _index(mark: object) -> int:
    index: int = getattr(mark, "index", 0)
    return index


def _too_deep(line: int) -> YamlFault:
    return YamlFault(
        Text(f"Nested deeper than {MAX_DEPTH} levels.", f"入れ子が{MAX_DEPTH}段を超えています。"), line
    )


def _key(node: Node) -> Scalar:
    if not isinstance(node, Scalar):
        raise YamlFault(Text("A key must be a plain word.", "キーは単純な文字列にしてください。"), node.line)
    return node


def _enter(holder: _Open, key: Scalar, node: Node) -> None:
    entries = holder.node
    assert isinstance(entries, Entries)
    if key.plain and key.text == "<<":
        bases = node.nodes if isinstance(node, Items) else [node]
        holder.merged.extend(base for base in bases if isinstance(base, Entries))
        return
    before = holder.seen.get(key.text)
    if before is not None:
        raise YamlFault(
            Text(
                f"{key.text!r} stands here twice (first on line {before}).",
                f"「{key.text}」が2回書かれています(1回目は{before}行目)。",
            ),
            key.line,
        )
    holder.seen[key.text] = key.line
    entries.pairs.append((key, node))


def _merge(done: _Open) -> None:
    """`<<: *defaults`: what the mapping itself says wins."""
    entries = done.node
    assert isinstance(entries, Entries)
    for base in done.merged:
        for key, node in base.pairs:
            if key.text not in done.seen:
                done.seen[key.text] = key.line
                entries.pairs.append((key, node))
