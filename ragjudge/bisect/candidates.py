"""The apps to try: the base's DSL with one change each. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ragjudge.dsl import told
from ragjudge.dsl.change import Change
from ragjudge.dsl.changes import changes
from ragjudge.dsl.load import Dsl, load
from ragjudge.dsl.parts import Difference, Part, split
from ragjudge.errors import DslFault
from ragjudge.language import Text
from ragjudge.preview import document
from ragjudge.preview.document import Document

BASE = Text("no change", "変更なし")


@dataclass(frozen=True, slots=True)
class Candidate:
    """`content` as Dify would export it; `why_not` where this change cannot stand alone."""

    name: Text
    changes: tuple[Text, ...]
    content: bytes
    digest: str
    why_not: Text | None = None


@dataclass(frozen=True, slots=True)
class Candidates:
    """One per change, the likeliest first; `base` is the app without any of them."""

    each: tuple[Candidate, ...]
    base: Candidate


def candidates(base: bytes, proposed: bytes, file: str) -> Candidates:
    """Raises DslFault where either file cannot be read."""
    before, after = (document.read(content, file) for content in (base, proposed))
    found = split(_plainly(before), _plainly(after))
    likely = sorted(found.parts, key=lambda part: not part.has_node)
    return Candidates(
        tuple(_candidate(found, before, part) for part in likely), _of(before, found.with_parts([]), BASE, ())
    )


def _candidate(found: Difference, before: Document, part: Part) -> Candidate:
    data = found.with_parts([part])
    made = _of(before, data, part.name, ())
    try:
        alone = load(made.content, before.dsl.file)
    except DslFault as fault:
        return replace(made, why_not=fault.problems[0].what)
    lines = _words(changes(replace(found.base, lines={}), alone))
    return replace(made, changes=lines, why_not=found.broken_with([part]))


def _words(found: Sequence[Change]) -> tuple[Text, ...]:
    semantic = [change for change in found if told.semantic([change])]
    return told.lines(semantic) if semantic else ()


def _of(before: Document, data: dict[str, Any], name: Text, lines: tuple[Text, ...]) -> Candidate:
    made = replace(before, data=data)
    return Candidate(name, lines, made.text.encode("utf-8", "surrogatepass"), made.digest)


def _plainly(read: Document) -> Dsl:
    """With the values that Dify's own reader sees, and nothing that JSON has not: that is how Dify keeps them."""
    root = _plain(read.data)
    assert isinstance(root, dict)
    return Dsl(read.dsl.file, root)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
