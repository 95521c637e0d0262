"""The forms in which a report can be written, by the name a user gives."""

from collections.abc import Callable, Mapping
from typing import Literal, get_args

from ragjudge.report import html, junit, markdown, sheets
from ragjudge.report.view.model import ReportView

Format = Literal["markdown", "html", "junit", "csv", "xlsx"]
FORMATS: tuple[Format, ...] = get_args(Format)
FILES: Mapping[Format, str] = {
    "markdown": "report.md",
    "html": "report.html",
    "junit": "junit.xml",
    "csv": "cases.csv",
    "xlsx": "cases.xlsx",
}
"""Under which name each form stands in a run's folder."""

_RENDER: Mapping[Format, Callable[[ReportView], str | bytes]] = {
    "markdown": markdown.file,
    "html": html.render,
    "junit": junit.render,
    "csv": sheets.as_csv,
    "xlsx": sheets.as_xlsx,
}


def render(view: ReportView, form: Format) -> str | bytes:
    """Text for all forms but `xlsx`, which is bytes."""
    return _RENDER[form](view)
