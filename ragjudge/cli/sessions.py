"""Flags and files become a Session: what check, run, compare, report and baseline have in common."""

import os
import re
import socket
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from ragjudge import wiring
from ragjudge.cli import loading
from ragjudge.cli.options import DEFAULT_CONFIG, Chosen
from ragjudge.cli.progress import progress
from ragjudge.judged import Previewing, previewing
from ragjudge.language import Text
from ragjudge.publish import ConsolePublisher, FolderPublisher
from ragjudge.results.going_on import refuse_another_suite
from ragjudge.results.run import RunResult
from ragjudge.session import Session
from ragjudge.settings import Settings, require
from ragjudge.suite.case import Suite

if TYPE_CHECKING:
    from ragjudge.preview.naming import Owner

_PART = Text(
    "This is one part of a run. Baseline and floors are for the whole: `ragjudge merge`, then `ragjudge check --from`.",
    "分割した実行の一部です。ベースラインとの比較と下限の判定は、`ragjudge merge` で結合したあとの "
    "`ragjudge check --from` で行います。",
)


def asking_session(chosen: Chosen, *, shard: bool = False, asked: RunResult | None = None) -> Session:
    """A session that will ask the app: everything it needs is there, or every problem is named.

    `shard`: a part of a run, which may be empty. `asked`: results to go on from.
    """
    loaded = loading.load_settings(chosen, os.environ)
    settings = loaded.settings
    require(settings, "suite", "app", "judge")
    suite = loading.load_suite(settings)
    if not chosen.quiet:
        for note in (*loaded.notes, *suite.notes):
            tell(note, settings)
    if asked is not None:
        refuse_another_suite(asked, suite)
        chosen = replace(chosen, cases=tuple(result.case.id for result in asked.cases))
    selected = loading.select_cases(suite, chosen, part=shard)
    preview = previewing(settings, _owner(chosen, suite), os.environ) if settings.dsl.preview else None
    if preview is not None:
        _refuse_broken_exports(settings, suite, preview)
    ready = session(chosen, settings, selected, left_out=left_out(suite, selected))
    notices = (*ready.notices, _PART) if shard else ready.notices
    return replace(ready, preview=preview, shard=shard, asked=asked, notices=notices)


def _refuse_broken_exports(settings: Settings, suite: Suite, preview: Previewing) -> None:
    """What is broken is found before an app is made of it. Raises DslFault; what is only doubtful is told."""
    from ragjudge.assist import dsl_check
    from ragjudge.cli import findings
    from ragjudge.dsl.findings import Severity

    exports = dsl_check.load_exports(settings, Path())
    found = dsl_check.findings(exports, suite, settings)
    dsl_check.refuse_errors(found)
    found += dsl_check.against_server(exports, settings, preview.credentials)
    for finding in found:
        if finding.severity is not Severity.ERROR:
            click.echo(findings.line(finding, settings.report.language), err=True)
    dsl_check.refuse_errors(found)


def reading_session(chosen: Chosen) -> Session:
    """A session over stored results: no app, no judge, no suite needed."""
    settings = loading.load_settings(chosen, os.environ).settings
    return session(chosen, settings, Suite(name="", cases=()))


def left_out(suite: Suite, selected: Suite) -> frozenset[str]:
    return frozenset(case.id for case in suite.cases) - frozenset(case.id for case in selected.cases)


def session(
    chosen: Chosen, settings: Settings, suite: Suite, *, left_out: frozenset[str] = frozenset()
) -> Session:
    language = settings.report.language
    return Session(
        settings=settings,
        suite=suite,
        out=chosen.out,
        store=wiring.baseline_store(settings, base_dir=Path(), git=_checkout(chosen, settings)),
        progress=progress(language, quiet=chosen.quiet),
        publishers=(FolderPublisher(chosen.out), ConsolePublisher(click.echo)),
        redact=wiring.redactor(settings),
        resume=chosen.resume is True,
        left_out=left_out,
        commit=_commit(),
        warn=lambda text: tell(text, settings),
    )


def tell(text: Text, settings: Settings) -> None:
    """A remark on stderr, in the user's language."""
    click.echo(f"ragjudge: {text.in_language(settings.report.language)}", err=True)


def _commit() -> str | None:
    """The commit that is checked out, where there is one; for the record only."""
    return _git("rev-parse", "HEAD")


def _owner(chosen: Chosen, suite: Suite) -> "Owner":
    """Whose a preview app is: this checkout's on this machine, so that no colleague's run takes it away."""
    from ragjudge.preview.naming import Owner

    remote = re.sub(r"//[^/]*@", "//", _git("remote", "get-url", "origin") or "")  # it may hold a password
    name = "/".join(re.split(r"[/:]", remote.rstrip("/").removesuffix(".git"))[-2:]) or Path.cwd().name
    config = (chosen.config or Path(DEFAULT_CONFIG)).as_posix()
    part = "\0".join((socket.gethostname(), str(Path.cwd()), config, suite.name))
    return Owner(name, part=part, commit=_commit() or "")


def _checkout(chosen: Chosen, settings: Settings) -> wiring.OnGit | None:
    """This checkout and its remote's default branch; None outside of one, or where no branch is wanted."""
    if not settings.baseline.store.startswith("branch:") or _git("remote", "get-url", "origin") is None:
        return None
    top = _git("rev-parse", "--show-toplevel") or "."
    default = _git("rev-parse", "--abbrev-ref", "origin/HEAD") or _remote_head() or "main"
    config = (chosen.config or Path(DEFAULT_CONFIG)).as_posix()
    given = [str(pattern) for pattern in cast("tuple[object, ...]", chosen.flags.get("suite") or ())]
    return wiring.OnGit(Path(top), default.removeprefix("origin/"), " ".join([config, *given]), os.environ)


def _remote_head() -> str | None:
    """The default branch as the remote tells it: only `git clone` writes it down, actions/checkout does not."""
    said = _git("ls-remote", "--symref", "origin", "HEAD") or ""
    found = re.match(r"ref: refs/heads/(\S+)\s+HEAD", said)
    return found[1] if found else None


def _git(*arguments: str) -> str | None:
    """What the user's own git says; None where it is missing or refuses."""
    try:
        found = subprocess.run(  # noqa: S603 - fixed arguments
            ["git", *arguments],  # noqa: S607 - the user's own git
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return found.stdout.strip() or None if found.returncode == 0 else None
