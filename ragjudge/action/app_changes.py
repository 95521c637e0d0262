"""What a pull request changes in the app, and whether that leaves anything to judge."""

from collections.abc import Iterable
from pathlib import Path

from ragjudge.assist import app_changes
from ragjudge.assist.app_changes import Before, Proposal
from ragjudge.dsl import told
from ragjudge.dsl.findings import Finding, Severity
from ragjudge.github.base_branch import BaseBranch
from ragjudge.github.commands import Annotation
from ragjudge.language import Language
from ragjudge.session import Session
from ragjudge.settings import Settings


def proposed(settings: Settings, base: BaseBranch | None) -> Proposal:
    """Nothing where the workspace is no proposal. Raises DslFault, MustChange and GitHub's errors."""
    return Proposal() if base is None else app_changes.proposed(settings, Before(base.read, base.names))


def nothing_to_judge(proposal: Proposal, session: Session, base: BaseBranch | None, config: str) -> bool:
    """`dsl.skip_unchanged` and no semantic change, the base branch's config, the suite of the baseline."""
    if not session.settings.dsl.skip_unchanged or base is None or not proposal.files:
        return False
    if told.semantic(proposal.changes) or session.left_out:
        return False
    path = Path(config)
    if (path.read_bytes() if path.is_file() else None) != base.read(config):
        return False
    baseline = session.store.load()
    return baseline is not None and baseline.run.suite.digest == session.suite.digest


def warnings(found: Iterable[Finding], language: Language) -> list[Annotation]:
    """Findings that stop nothing, on their own lines; errors are told by the fault that they become."""
    return [
        Annotation(
            "warning",
            finding.problem.in_language(language),
            title="ragjudge",
            file=finding.place.file,
            line=finding.place.line,
        )
        for finding in found
        if finding.severity is Severity.WARNING
    ]
