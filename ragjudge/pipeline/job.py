"""What a run works with, what it is to do, and what comes of it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from ragjudge.engine.cleanup import Cleaned
from ragjudge.errors import RagjudgeError
from ragjudge.language import Language, Text
from ragjudge.metrics.base import Metric
from ragjudge.ports import ChatApp, Embedder, JournalSink, Judge, Progress
from ragjudge.results.run import RunResult
from ragjudge.settings import Settings
from ragjudge.suite.case import Suite


@dataclass(frozen=True, slots=True)
class Parts:
    """The real things a run works with; wiring chooses them."""

    app: ChatApp
    judge: Judge
    embedder: Embedder
    metrics: tuple[Metric, ...]
    journal: JournalSink
    progress: Progress
    probing: asyncio.Task[None] | None = None
    """The judge's probe, where it is under way already."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done. `language` is the judge's; `commit` is recorded with the results."""

    settings: Settings
    suite: Suite
    run_id: str
    language: Language
    repeats: int
    now: Callable[[], datetime]
    commit: str | None = None
    left_out: tuple[str, ...] = ()
    """Cases of the suite that are not to be asked, for the record."""
    change: str = ""
    """What changed in the app, in words, for whoever proposes improvements."""
    asked: RunResult | None = None
    """Results to go on from (the joined shards of a run): its suite is not asked, only confirmed."""
    answers_before: bool = True
    """The baseline holds its answers, so that today's can be judged beside them."""
    extras: bool = True
    """Also what decides nothing and costs calls: answers judged beside each other, proposals."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A run's record, and the error that ended it early where one did."""

    run: RunResult
    error: RagjudgeError | None = None
    cleaned: Cleaned | None = None


class JudgedAgain(NamedTuple):
    """What to compare with, and the error that ended the judging early where one did."""

    before: RunResult
    error: RagjudgeError | None = None
    said: tuple[Text, ...] = ()
    """How much was judged again, where anything was."""


class Advised(NamedTuple):
    """A run with what the proposals cost, and the proposals."""

    ran: Ran
    suggestions: tuple[str, ...] = ()
