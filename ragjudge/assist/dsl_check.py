"""The exports that the config names, checked with everything that is known beside them: config and suite."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ragjudge.assist import dsl_files
from ragjudge.dsl.findings import Finding, Severity, levels
from ragjudge.dsl.lint import lint
from ragjudge.dsl.lint_server import SERVER_RULES
from ragjudge.dsl.load import Dsl
from ragjudge.errors import ConsoleMisconfigured, ConsoleUnreachable, DslFault
from ragjudge.settings import Settings
from ragjudge.suite.case import Suite
from ragjudge.suite.templates import render_inputs

if TYPE_CHECKING:
    from ragjudge.dify.console.credentials import Credentials
    from ragjudge.preview.target import Target


def load_exports(settings: Settings, base_dir: Path) -> tuple[Dsl, ...]:
    """Every file of `dsl.files`. Raises DslFault with all of their faults."""
    return dsl_files.load_all(settings.dsl.files, base_dir)


def digest(exports: Sequence[Dsl]) -> str | None:
    """Of what the exports say, not of how they are laid out; None without any."""
    if not exports:
        return None
    said = {dsl.file: dsl.root for dsl in exports}
    text = json.dumps(said, ensure_ascii=True, sort_keys=True, default=str)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()[:32]


def findings(exports: Sequence[Dsl], suite: Suite | None, settings: Settings) -> tuple[Finding, ...]:
    """What is broken or dangerous, file by file. Raises ConfigFault for a rule that does not exist.

    The suite's inputs are held against the form where one file is named only: of several nobody knows which is asked.
    """
    severity = levels(settings.dsl.severity)
    given = None
    if suite is not None and len(exports) == 1:
        given = [frozenset(render_inputs(settings.app.inputs, c)) for c in suite.cases if c.skip is None]
    return tuple(finding for dsl in exports for finding in lint(dsl, severity=severity, suite_inputs=given))


def against_server(
    exports: Sequence[Dsl], settings: Settings, credentials: "Credentials"
) -> tuple[Finding, ...]:
    """What does not fit the server that the exports are about to be imported into, and nothing else.

    Nothing where it can't be asked: whoever imports next says so, with the same cure.
    """
    from ragjudge.preview.target import target_of
    from ragjudge.wiring import SystemClock

    try:
        target = target_of(settings, credentials, clock=SystemClock())
    except (ConsoleMisconfigured, ConsoleUnreachable):
        return ()
    return not_fitting(exports, settings, target)


def not_fitting(exports: Sequence[Dsl], settings: Settings, target: "Target") -> tuple[Finding, ...]:
    """What does not fit the server, alone."""
    severity = levels(settings.dsl.severity)
    return tuple(
        finding
        for dsl in exports
        for finding in lint(dsl, severity=severity, server_dsl=target.dsl, server_plugins=target.plugins)
        if finding.rule in SERVER_RULES
    )


def refuse_errors(found: Sequence[Finding]) -> None:
    """Raises DslFault with every finding that is an error: nothing is asked of an app that is broken."""
    errors = [finding.problem for finding in found if finding.severity is Severity.ERROR]
    if errors:
        raise DslFault(errors)
