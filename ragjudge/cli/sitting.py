"""Flags and files become a Session: what check, run, compare, report and baseline have in common."""

import subprocess
from pathlib import Path

import click

from ragjudge import wiring
from ragjudge.cli.loading import settings_of, tell
from ragjudge.cli.options import Chosen
from ragjudge.cli.progress import progress
from ragjudge.publish import ConsolePublisher, FolderPublisher
from ragjudge.session import Session
from ragjudge.settings import Settings, require
from ragjudge.suite.case import Suite
from ragjudge.suite.fitting import misfits
from ragjudge.suite.loading import load as load_suite
from ragjudge.suite.selecting import select


def asking_session(chosen: Chosen) -> Session:
    """A session that will ask the app: everything it needs is there, or every problem is named."""
    settings = settings_of(chosen).settings
    require(settings, "suite", "app", "judge")
    suite = load_suite(settings.suite, settings.columns, Path())
    problems = misfits(suite.cases, settings, Path())
    if problems:
        from ragjudge.errors import SuiteFault

        raise SuiteFault(problems)
    for note in suite.notes:
        tell(note, settings)
    chosen_cases = select(suite, ids=chosen.cases, tags=chosen.tags, shard=chosen.shard, limit=chosen.limit)
    return session(chosen, settings, chosen_cases)


def reading_session(chosen: Chosen) -> Session:
    """A session over stored results: no app, no judge, no suite needed."""
    return session(chosen, settings_of(chosen).settings, Suite(name="", cases=()))


def session(chosen: Chosen, settings: Settings, suite: Suite) -> Session:
    language = settings.report.language
    return Session(
        settings=settings,
        suite=suite,
        out=chosen.out,
        store=wiring.baseline_store(settings, base_dir=Path()),
        progress=progress(language, quiet=chosen.quiet),
        publishers=(FolderPublisher(chosen.out), ConsolePublisher(click.echo)),
        redact=wiring.redactor(settings),
        resume=chosen.resume is True,
        commit=_commit(),
        warn=lambda text: tell(text, settings),
    )


def _commit() -> str | None:
    """The commit that is checked out, where there is one; for the record only."""
    try:
        found = subprocess.run(
            ["git", "rev-parse", "HEAD"],  # noqa: S607 - the user's own git
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return found.stdout.strip() or None if found.returncode == 0 else None
