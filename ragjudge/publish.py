"""Local publishers: the files of a run and the console. Secrets are out of the text before it comes here."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ragjudge.errors import RagjudgeError, UsageFault
from ragjudge.language import Text, why_not
from ragjudge.ports import Publisher, Rendered

if TYPE_CHECKING:
    from ragjudge.report.view.model import ReportView

RESULTS = "results.json"
REPORT = "report.md"
REPORTS = (REPORT, "report.html", "junit.xml")
PREVIOUS = "previous"
"""Where the files of the run before are kept."""


def write_file(path: Path, content: str | bytes) -> None:
    """Write whole or not at all: a reader never finds half a file. Devices and pipes are written to as they are.

    Raises UsageFault where the place cannot be written to.
    """
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        part = path.with_name(f".{path.name}.part")
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        raise _not_writable(path, error) from error


def prepare_folder(folder: Path) -> None:
    """Make the run's folder. Raises UsageFault where it cannot be written to: found before anything is sent."""
    probe = folder / ".writable"
    try:
        (folder / PREVIOUS).mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise _not_writable(folder, error) from error


def set_aside(folder: Path) -> None:
    """Put the last run's results aside, so that a failed run never shows them as its own."""
    for name in (*REPORTS, RESULTS):
        if (folder / name).is_file():
            (folder / name).replace(folder / PREVIOUS / name)


def _not_writable(path: Path, error: OSError) -> UsageFault:
    why = why_not(error)
    return UsageFault(
        Text(f"{path} cannot be written ({why.en}).", f"{path} に書き込めません({why.ja})。"),
        hint=Text("Choose another place with --out or --to.", "--out や --to で別の場所を指定してください。"),
    )


def rendered(
    view: "ReportView", redact: Callable[[str], str], outputs: Mapping[str, str], exit_code: int
) -> Rendered:
    """The report in every form, with secrets taken out of each."""
    # Imported at the end of a run, so that the first question leaves earlier.
    from ragjudge.report import console, html, junit, markdown

    return Rendered(
        markdown=redact(markdown.file(view)),
        comment=cache(lambda: redact(markdown.comment(view))),
        summary=cache(lambda: redact(markdown.summary(view))),
        console=redact(console.render(view)),
        files={"report.html": redact(html.render(view)), "junit.xml": redact(junit.render(view))},
        verdict=view.verdict,
        exit_code=exit_code,
        outputs={name: redact(value) for name, value in outputs.items()},
    )


def tell(publishers: Iterable[Publisher], report: Rendered, warn: Callable[[Text], None]) -> None:
    """Through every publisher; who can't be told is warned about."""
    for publisher in publishers:
        try:
            publisher.publish(report)
        except (RagjudgeError, OSError) as trouble:
            warn(_not_told(publisher.name, trouble))


def _not_told(name: str, trouble: Exception) -> Text:
    ja = trouble.in_language("ja") if isinstance(trouble, RagjudgeError) else str(trouble)
    return Text(
        f"The {name} could not be written: {trouble} (the verdict is not affected)",
        f"{name} に書き込めませんでした: {ja}(判定には影響しません)",
    )


class FolderPublisher:
    """Writes the report in all its forms into one folder: `report.md`, `report.html`, `junit.xml`."""

    name = "files"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def publish(self, report: Rendered) -> None:
        write_file(self._folder / REPORT, report.markdown)
        for name, content in report.files.items():
            write_file(self._folder / name, content)


class ConsolePublisher:
    """Says the result to a person at a terminal."""

    name = "console"

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    def publish(self, report: Rendered) -> None:
        self._say(report.console)
