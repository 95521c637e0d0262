"""A finding in a DSL file as one line of a terminal."""

from ragjudge.dsl.findings import Finding, Severity
from ragjudge.language import Language
from ragjudge.report import escape


def line(finding: Finding, language: Language) -> str:
    """With its mark, place and cure; whatever the file says in it is inert."""
    mark = "✗" if finding.severity is Severity.ERROR else "⚠"
    return f"{mark} {escape.log_line(finding.problem.in_language(language))}"
