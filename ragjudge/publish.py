"""Local publishers: the files of a run and the console. Secrets are out of the text before it comes here."""

from collections.abc import Callable, Mapping
from pathlib import Path

from ragjudge.ports import Rendered


def write_file(path: Path, content: str | bytes) -> None:
    """Write whole or not at all: a reader never finds half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(data)
    part.replace(path)


class FolderPublisher:
    """Writes the report's files (`report.md` and, where rendered, others by name) into one folder."""

    name = "files"

    def __init__(self, folder: Path, more: Mapping[str, Callable[[], str]] | None = None) -> None:
        self._folder = folder
        self._more = dict(more or {})

    def publish(self, report: Rendered) -> None:
        write_file(self._folder / "report.md", report.markdown)
        for name, render in self._more.items():
            write_file(self._folder / name, render())


class ConsolePublisher:
    """Says the result to a person at a terminal."""

    name = "console"

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    def publish(self, report: Rendered) -> None:
        self._say(report.console)
