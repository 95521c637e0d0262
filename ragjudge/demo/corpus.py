"""The passages that the demo app knows: Markdown or JSON Lines files of one folder."""

import hashlib
import json
import re
import uuid
from dataclasses import dataclass
from pathlib import Path

from ragjudge.demo.loose import mapping, text

_SECTION = re.compile(r"^## +(.+?) *$", re.MULTILINE)
_NAMESPACE = uuid.UUID("6f1d4f0e-6f0b-5c0f-9d55-0d3a1b7c2e11")
_AUDIENCE = re.compile(r"^(?:対象|Applies to)\s*[：:]\s*(.+)$", re.MULTILINE)


class UnusableCorpus(ValueError):
    """The folder holds nothing that could be served. The message says what and where."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One retrievable piece of a document.

    `key` is the name its author knows it by (`file.md#Heading`, or the `id` of a JSON line); `position` counts
    from 1 within its document.
    """

    key: str
    title: str
    content: str
    document_name: str
    position: int

    @property
    def segment_id(self) -> str:
        return stable_id("segment", self.key)

    @property
    def document_id(self) -> str:
        return stable_id("document", self.document_name)

    @property
    def index_node_hash(self) -> str:
        return hashlib.sha256(self.content.encode()).hexdigest()

    @property
    def audience(self) -> str | None:
        """Whom the rule is for, as its own text says; None: everybody."""
        found = _AUDIENCE.search(self.content)
        return found.group(1).strip() if found else None

    @property
    def prose(self) -> str:
        """What could be quoted: the content without its heading and its audience line."""
        body = _AUDIENCE.sub("", self.content)
        return body.removeprefix(self.title).strip()


@dataclass(frozen=True, slots=True)
class Corpus:
    """All passages of one knowledge base, in the order of the files."""

    name: str
    passages: tuple[Passage, ...]

    @property
    def dataset_id(self) -> str:
        return stable_id("dataset", self.name)


def stable_id(*parts: str) -> str:
    """A UUID that is the same in every process for the same names."""
    return str(uuid.uuid5(_NAMESPACE, "\x1f".join(parts)))


def load_corpus(folder: Path) -> Corpus:
    """Read every `*.md` (one passage per `##` section) and `*.jsonl` (`id`, `title`, `content`) of a folder.

    Raises UnusableCorpus where the folder is missing, a line is no passage, a key occurs twice or nothing is left.
    """
    if not folder.is_dir():
        raise UnusableCorpus(f"{folder}: no such folder")
    passages: list[Passage] = []
    for path in sorted(folder.iterdir()):
        if path.suffix == ".md":
            passages += _from_markdown(path)
        elif path.suffix == ".jsonl":
            passages += _from_json_lines(path)
    if not passages:
        raise UnusableCorpus(f"{folder}: no passages in *.md or *.jsonl files")
    seen: set[str] = set()
    for passage in passages:
        if passage.key in seen:
            raise UnusableCorpus(f"{folder}: two passages are called {passage.key!r}")
        seen.add(passage.key)
    return Corpus(folder.name, tuple(passages))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as fault:
        raise UnusableCorpus(f"{path}: not UTF-8 ({fault.reason} at byte {fault.start})") from fault


def _from_markdown(path: Path) -> list[Passage]:
    pieces = _SECTION.split(_read(path))
    titled = zip(pieces[1::2], pieces[2::2], strict=True)
    return [
        Passage(f"{path.name}#{title}", title, f"{title}\n{body.strip()}", path.name, position)
        for position, (title, body) in enumerate(titled, start=1)
        if body.strip()
    ]


def _from_json_lines(path: Path) -> list[Passage]:
    passages = []
    for line_number, line in enumerate(_read(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = mapping(json.loads(line))
            json.dumps(record, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as fault:
            raise UnusableCorpus(f"{path}:{line_number}: not JSON ({fault})") from fault
        content = text(record.get("content"))
        if not content.strip():
            raise UnusableCorpus(f"{path}:{line_number}: no `content`")
        key = text(record.get("id"), f"{path.name}:{line_number}")
        document = text(record.get("document"), path.name)
        passages.append(Passage(key, text(record.get("title"), document), content, document, line_number))
    return passages
