"""The apps to try: the base's DSL with one change each. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ragjudge.bisect import words
from ragjudge.dsl import told
from ragjudge.dsl.change import Change
from ragjudge.dsl.changes import changes
from ragjudge.dsl.load import Dsl
from ragjudge.dsl.parts import Difference, Part, split
from ragjudge.language import Text
from ragjudge.preview import document
from ragjudge.preview.document import Document

BASE = Text("no change", "変更なし")
MOST_CHANGES = 12
"""More would take hours, and a change of so many nodes is a new app."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """`content` as Dify would export it. `why_not`: why it is not tried."""

    name: Text
    changes: tuple[Text, ...] = ()
    content: bytes = b""
    digest: str = ""
    why_not: Text | None = None


@dataclass(frozen=True, slots=True)
class Candidates:
    """One per change, the likeliest first, and one for all beyond the first dozen; `base` is the app without any."""

    each: tuple[Candidate, ...]
    base: Candidate


def candidates(base: bytes, proposed: bytes, file: str) -> Candidates:
    """Raises DslFault where either file cannot be read."""
    before, after = (document.read(content, file) for content in (base, proposed))
    found = split(_plainly(before), _plainly(after))
    likely = sorted(found.parts, key=lambda part: not part.has_node)
    each = [_candidate(found, before, part) for part in likely[:MOST_CHANGES]]
    if rest := len(likely) - len(each):
        each.append(Candidate(words.more(rest), why_not=words.TOO_MANY))
    return Candidates(tuple(each), _of(before, found.base.root, BASE))


def _candidate(found: Difference, before: Document, part: Part) -> Candidate:
    data = found.with_parts([part])
    broken = found.broken_with([part])
    return replace(
        _of(before, data, part.name),
        changes=_words(changes(found.base, replace(found.base, root=data))),
        why_not=broken and words.broken(broken),
    )


def _words(found: Sequence[Change]) -> tuple[Text, ...]:
    semantic = [change for change in found if told.semantic([change])]
    return told.lines(semantic) if semantic else ()


def _of(before: Document, data: dict[str, Any], name: Text) -> Candidate:
    made = replace(before, data=data)
    return Candidate(name, content=made.text.encode("utf-8", "surrogatepass"), digest=made.digest)


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
