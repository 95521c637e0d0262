"""The only place that names concrete adapters: settings in, the parts of a run out."""

import asyncio
import random
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from ragjudge.engine.watching import Watch, WatchedApp, WatchedEmbedder, WatchedJudge
from ragjudge.errors import UsageFault
from ragjudge.language import Language, Text
from ragjudge.ports import BaselineStore, ChatApp, Clock, Embedder, JournalSink, Judge, Progress
from ragjudge.redaction import Redactor
from ragjudge.report import escape
from ragjudge.settings import AppSettings, Settings
from ragjudge.suite.case import Suite
from ragjudge.suite.spoken_language import spoken_language

if TYPE_CHECKING:
    from threading import Thread

    from ragjudge.github.api import GitHubApi
    from ragjudge.github.base_branch import BaseBranch
    from ragjudge.pipeline.job import Parts


@dataclass(frozen=True, slots=True)
class OnGitHub:
    """Where an action runs: `suite` and `base_branch` name the folder of a baseline on a data branch."""

    api: "GitHubApi"
    repository: str
    suite: str
    base_branch: str
    out: Path
    """The run's folder."""

    def left_at(self, place: str) -> Path:
        """Where an update leaves a baseline that belongs into the file `place` of the repository."""
        return self.out / "baseline" / Path(place).name


VERDICTS = Path("cache", "verdicts.sqlite")
"""In a run's folder; fits actions/cache."""


class SystemClock:
    """The real time."""

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def judge_language(settings: Settings, suite: Suite) -> Language:
    """The language of prompts and comments: as configured, else the suite's own."""
    return spoken_language(suite) if settings.judge.language == "auto" else settings.judge.language


def redactor(settings: Settings, *more: str) -> Redactor:
    """Takes every key of the settings (and `more`, such as a GitHub token) out of a text."""
    keys = (
        settings.app.api_key,
        settings.app.dataset_key,
        settings.judge.api_key,
        settings.embedding.api_key,
    )
    return Redactor([*(key.get_secret_value() for key in keys), *more])


class Grading(NamedTuple):
    """Who scores the answers."""

    judge: Judge
    embedder: Embedder


def parts(
    settings: Settings,
    suite: Suite,
    *,
    language: Language,
    journal: JournalSink,
    progress: Progress,
    grading: Grading,
    probing: asyncio.Task[None] | None = None,
) -> "Parts":
    """The real app, judge, embedder and metrics of a run. Nothing is sent by making them.

    `probing`: the judge's probe, where it is under way already.
    """
    from ragjudge.metrics import checks_hold, registry
    from ragjudge.pipeline.job import Parts

    watch = _app_watch(settings, progress)
    return Parts(
        app=WatchedApp(chat_app(settings, clock=watch), watch),
        judge=grading.judge,
        probing=probing,
        embedder=grading.embedder,
        metrics=registry.build(
            settings.metrics, language, allow=settings.judge.allow, checks=checks_hold.wanted(suite)
        ),
        journal=journal,
        progress=progress,
    )


def grading(settings: Settings, *, progress: Progress, out: Path) -> Grading:
    """Judge and embedder of a run, remembering in its folder `out`. Nothing is sent by making them.

    Those that call a server are watched; the offline ones make nobody wait.
    """
    name = escape.log_line(settings.judge.model or settings.judge.provider or "?")
    watch = _watch(Text(f"the judge ({name})", f"評価者({name})"), settings, progress)
    grader, vectors = judge(settings, clock=watch), embedder(settings, clock=watch)
    graders = Grading(
        grader if settings.judge.provider == "offline" else WatchedJudge(grader, watch),
        WatchedEmbedder(vectors, watch) if settings.embedding.model else vectors,
    )
    return _remembering(settings, graders, out / VERDICTS)


def _app_watch(settings: Settings, progress: Progress) -> Watch:
    host = escape.log_line(urlsplit(settings.app.base_url).hostname or "?")
    return _watch(Text(f"the app ({host})", f"アプリ({host})"), settings, progress)


def _watch(who: Text, settings: Settings, progress: Progress) -> Watch:
    """Who is kept waiting hears so once, through the run's progress."""
    return Watch(who, lambda text: progress.note(text.in_language(settings.report.language)), SystemClock())


def _remembering(settings: Settings, graders: Grading, path: Path) -> Grading:
    """Judge and embedder that remember between runs; the offline ones cost nothing and need no memory.

    With `report.content: scores` no text of app or judge may stay in the run's folder.
    """
    if (
        not settings.judge.cache
        or settings.judge.provider == "offline"
        or settings.report.content == "scores"
    ):
        return graders
    from ragjudge.judge import origins
    from ragjudge.judge.cache import CachedEmbedder, CachedJudge
    from ragjudge.judge.verdict_store import VerdictStore

    redact = redactor(settings)
    store = VerdictStore(path, keep=lambda value: not redact.finds(value.decode("utf-8", "ignore")))
    cached = CachedJudge(
        graders.judge, store, origin=origins.of_judge(settings.judge, this_run=secrets.token_hex(8))
    )
    if not settings.embedding.model:
        return Grading(cached, graders.embedder)
    where = origins.of_embedder(settings.embedding, settings.judge)
    return Grading(cached, CachedEmbedder(graders.embedder, store, origin=where))


def chat_app(settings: Settings, *, clock: Clock | None = None) -> ChatApp:
    from ragjudge.dify.client import DifyApp

    return DifyApp(settings.app, clock=clock or SystemClock(), ca_file=settings.ca_file)


def warm_up(settings: Settings) -> "Thread | None":
    """Begin at once what the judge will need, in a thread; None where there is nothing or it will not be asked."""
    if settings.judge.provider == "openai" and settings.judge.api_key.get_secret_value():
        from ragjudge.judge.warming import warm_up as begin

        return begin()
    return None


def judge(settings: Settings, *, clock: Clock | None = None) -> Judge:
    """The judge that the settings name; the offline one needs nothing."""
    if settings.judge.provider == "openai":
        from ragjudge.judge.openai_judge import OpenAIJudge
        from ragjudge.proxies import require_usable

        require_usable()  # the probe leaves before the app's client is made
        return OpenAIJudge(
            settings.judge,
            ca_file=settings.ca_file,
            clock=clock or SystemClock(),
            random=random.Random(),  # noqa: S311 - jitter
        )
    if settings.judge.provider == "dify":
        from ragjudge.judge.dify_judge import DifyJudge

        return DifyJudge(_judging_app(settings, clock), settings.judge, run_id=secrets.token_hex(4))
    from ragjudge.judge.offline import OfflineJudge

    return OfflineJudge(settings.report.language if settings.judge.language == "auto" else None)


def _judging_app(settings: Settings, clock: Clock | None) -> ChatApp:
    """The Dify app that grades: reached like the one that is graded, with the judge's address and key."""
    judging = settings.judge
    app = AppSettings(
        base_url=judging.base_url or "",
        api_key=judging.api_key,
        concurrency=min(judging.concurrency, 100),
        timeout_s=judging.timeout_s,
        cleanup="all",
    )
    return chat_app(settings.model_copy(update={"app": app}), clock=clock)


def embedder(settings: Settings, *, clock: Clock | None = None) -> Embedder:
    """Vectors from the configured model, else offline n-gram vectors."""
    if settings.embedding.model:
        from ragjudge.judge.embeddings import OpenAIEmbedder

        return OpenAIEmbedder(
            settings.embedding,
            judge=settings.judge,
            ca_file=settings.ca_file,
            clock=clock or SystemClock(),
            random=random.Random(),  # noqa: S311 - jitter
        )
    from ragjudge.judge.vectors import OfflineEmbedder

    return OfflineEmbedder()


@dataclass(frozen=True, slots=True)
class OnGit:
    """A checkout that a command runs in, with a remote `origin`, and the branch whose baseline is meant."""

    checkout: Path
    base_branch: str
    suite: str
    """Names the folder on a data branch: the action's `suite_key`."""
    environ: Mapping[str, str]


def baseline_store(settings: Settings, *, base_dir: Path, git: OnGit | None = None) -> BaselineStore:
    """Where the baseline is kept: `file:PATH`, relative to `base_dir`, or `branch:NAME` of the checkout's remote."""
    kind, _, place = settings.baseline.store.partition(":")
    if kind == "branch" and place and git is not None:
        from ragjudge.baseline.branch_store import BranchStore
        from ragjudge.baseline.checkout_config import REMOTE
        from ragjudge.baseline.git_branch import GitBranch
        from ragjudge.baseline.patience import Patience

        patience = Patience(time.sleep, random.random)
        branch = GitBranch(REMOTE, place, environ=git.environ, patience=patience, checkout=git.checkout)
        return BranchStore(branch, suite=git.suite, base_branch=git.base_branch)
    if kind == "file" and place:
        from ragjudge.baseline.file_store import FileStore

        return FileStore(base_dir / place)
    raise UsageFault(
        Text(
            f"baseline.store {settings.baseline.store!r} is not possible here.",
            f"baseline.store の {settings.baseline.store!r} はここでは使えません。",
        ),
        hint=Text(
            "Write file:PATH, or branch:NAME inside a Git checkout that has a remote.",
            "file:パス、またはリモートのあるGitリポジトリの中で branch:名前 の形で指定してください。",
        ),
    )


def github_baseline_store(
    settings: Settings, here: OnGitHub, *, base_dir: Path, base: "BaseBranch | None" = None
) -> BaselineStore:
    """As `baseline_store`, in an action: `branch:NAME` by GitHub's API, a file as it is on the base branch.

    `base` is given where the workspace holds a proposal, whose own copy of the file decides nothing. A new baseline
    for a file is left in the run's folder: in the workspace it would be gone with the job.
    """
    kind, _, place = settings.baseline.store.partition(":")
    if kind == "branch" and place:
        from ragjudge.baseline.branch_store import BranchStore
        from ragjudge.baseline.github_branch import GitHubBranch
        from ragjudge.baseline.patience import Patience

        patience = Patience(time.sleep, random.random)
        branch = GitHubBranch(here.api, here.repository, place, patience=patience)
        return BranchStore(branch, suite=here.suite, base_branch=here.base_branch)
    if kind == "file" and place and base is not None:
        from ragjudge.baseline.branch_store import CommitStore

        return CommitStore(base, place)
    if kind == "file" and place:
        from ragjudge.baseline.file_store import FileStore

        if Path(place).is_absolute() or ".." in Path(place).parts:
            raise _outside(place)
        return FileStore(base_dir / place, left_at=here.left_at(place))
    return baseline_store(settings, base_dir=base_dir)


def _outside(place: str) -> UsageFault:
    return UsageFault(
        Text(
            f"baseline.store: {place!r} is not a path inside the repository.",
            f"baseline.store: {place!r} はリポジトリ内のパスではありません。",
        ),
        hint=Text(
            "Write file:PATH relative to the repository's root, or branch:NAME.",
            "リポジトリのルートから見た file:パス か、branch:名前 を指定してください。",
        ),
    )
