"""Local publishers: the files of a run and the console. Secrets are out of the text before it comes here."""

from collections.abc import Callable
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
    """Writes the report in all its forms into one folder: `report.md`, `report.html`, `junit.xml`."""

    name = "files"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def publish(self, report: Rendered) -> None:
        write_file(self._folder / "report.md", report.markdown)
        for name, content in report.files.items():
            write_file(self._folder / name, content)


class ConsolePublisher:
    """Says the result to a person at a terminal."""

    name = "console"

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    def publish(self, report: Rendered) -> None:
        self._say(report.console)
