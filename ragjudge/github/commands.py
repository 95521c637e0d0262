"""The runner's own language: commands in the log, outputs, the job summary. The only module that prints for it.

The runner reads commands from stdout and stderr alike, in two spellings (`::name::` at the start of a line and
`##[name]` anywhere in it), so other people's text is fenced by `::stop-commands::` and its markers are broken.
"""

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TextIO

from ragjudge.redaction import Redactor, forms

SUMMARY_BYTES = 900 * 1024
"""GitHub drops the whole summary above 1 MiB per step."""
ANNOTATIONS_PER_LEVEL = 10
"""GitHub shows ten of each level per step and drops the rest."""

Level = Literal["error", "warning", "notice"]
_MARKERS = re.compile(r"(?m)(?<=#)(?=#\[)|(?<=:)(?=:)")
LONE = "backslashreplace"
"""Half a surrogate pair, as broken JSON can hold, has no UTF-8: it is shown as what it is."""
_BREAK = "\N{ZERO WIDTH SPACE}"


@dataclass(frozen=True, slots=True)
class Annotation:
    """A remark on a line of the user's files, shown in the pull request. Lines count from 1."""

    level: Level
    message: str
    title: str = ""
    file: str = ""
    line: int | None = None


def inert(text: str) -> str:
    """The text with both command markers broken by an invisible character."""
    return _MARKERS.sub(_BREAK, text)


def escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")


class Runner:
    """Speaks to the runner: `log` is its stdout; outputs and summary go to the files it named.

    Every text is redacted of `secrets` first, since an app or a judge may echo a key.
    """

    def __init__(self, log: TextIO, environ: Mapping[str, str]) -> None:
        self._log = log
        self._output = environ.get("GITHUB_OUTPUT") or None
        self._summary = environ.get("GITHUB_STEP_SUMMARY") or None
        self._secrets: tuple[str, ...] = ()
        self.annotations: list[Annotation] = []
        """Every one so far, secrets taken out: also those beyond what the runner shows."""
        self.redact = Redactor(())

    def mask(self, values: Iterable[str]) -> None:
        """Hides each value, and its encoded forms, in everything logged from here on."""
        self._secrets += tuple(v for v in values if v)
        self.redact = Redactor(self._secrets)
        for form in dict.fromkeys(f for value in self._secrets for f in forms(value)):
            self._write(f"::add-mask::{escape_data(form)}")

    def say(self, text: str) -> None:
        """Plain lines for people: whatever they hold, the runner sees no command in them."""
        self._write(inert(self.redact(text)))

    @contextmanager
    def fence(self) -> Iterator[None]:
        """Within it the runner obeys nobody: for parts of the program that print on their own."""
        token = secrets.token_hex(16)
        self._write(f"::stop-commands::{token}")
        try:
            yield
        finally:
            self._write(f"::{token}::")

    def annotate(self, annotations: Iterable[Annotation]) -> None:
        """The first ten of each level, in the order given (worst first is the caller's)."""
        shown: dict[Level, int] = {}
        for annotation in map(self._redacted, annotations):
            self.annotations.append(annotation)
            shown[annotation.level] = shown.get(annotation.level, 0) + 1
            if shown[annotation.level] <= ANNOTATIONS_PER_LEVEL:
                self._write(self._command(annotation))

    def set_outputs(self, outputs: Mapping[str, str]) -> None:
        """Each under a delimiter of its own that nobody can guess, so that a value can't start another output."""
        if self._output is None:
            return
        with Path(self._output).open("a", encoding="utf-8", errors=LONE, newline="\n") as file:
            for name, value in outputs.items():
                delimiter = f"ragjudge_{secrets.token_hex(16)}"
                file.write(f"{name}<<{delimiter}\n{self.redact(value)}\n{delimiter}\n")

    def add_summary(self, markdown: str) -> None:
        if self._summary is not None:
            with Path(self._summary).open("a", encoding="utf-8", errors=LONE, newline="\n") as file:
                file.write(within_bytes(self.redact(markdown), SUMMARY_BYTES) + "\n")

    def _redacted(self, annotation: Annotation) -> Annotation:
        message, title = self.redact(annotation.message), self.redact(annotation.title)
        return replace(annotation, message=message, title=title, file=self.redact(annotation.file))

    @staticmethod
    def _command(annotation: Annotation) -> str:
        properties = {
            "file": annotation.file,
            "line": "" if annotation.line is None else str(annotation.line),
            "title": annotation.title,
        }
        given = ",".join(f"{k}={escape_property(v)}" for k, v in properties.items() if v)
        return f"::{annotation.level}{' ' + given if given else ''}::{escape_data(annotation.message)}"

    def _write(self, line: str) -> None:
        self._log.write(line.encode("utf-8", LONE).decode() + "\n")
        self._log.flush()


def within_bytes(markdown: str, limit: int) -> str:
    """The whole text, or its first lines with open fences and folds closed, at most `limit` bytes of UTF-8."""
    markdown = markdown.encode("utf-8", LONE).decode()
    if len(markdown.encode()) <= limit:
        return markdown
    closing_room = 200
    kept: list[str] = []
    size = fences = folds = 0
    for line in markdown.splitlines():
        size += len(line.encode()) + 1
        if size > limit - closing_room:
            break
        kept.append(line)
        fences += line.lstrip().startswith("```")
        folds += line.count("<details") - line.count("</details>")
    closing = ["```"] * (fences % 2) + ["", "</details>"] * max(folds, 0)
    return "\n".join([*kept, *closing, "", "…"])
