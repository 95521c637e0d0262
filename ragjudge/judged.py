"""Which app a sitting asks: the published one, or the pull request's own DSL as an app of its own for the run."""

import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ragjudge import __version__, wiring
from ragjudge.errors import ConsoleMisconfigured
from ragjudge.language import Text
from ragjudge.settings import Settings
from ragjudge.suite.case import Suite

if TYPE_CHECKING:
    from ragjudge.dify.console.credentials import Credentials
    from ragjudge.preview.lease import Preview
    from ragjudge.preview.naming import Owner
    from ragjudge.results.run import RunResult


@dataclass(frozen=True, slots=True)
class Previewing:
    """What a preview app needs beyond the settings. `environ` may hold values of the app's secret variables."""

    owner: "Owner"
    credentials: "Credentials" = field(repr=False)
    environ: Mapping[str, str] = field(repr=False)
    mask: Callable[[Iterable[str]], None] = lambda _: None
    """Hears the preview's secrets, its key among them, before anything is asked."""


@dataclass(frozen=True, slots=True)
class Judged:
    """An app that is ready to be asked. `settings` hold its key; `digest` is its DSL's, None for the published app."""

    settings: Settings = field(repr=False)
    digest: str | None = None
    said: tuple[Text, ...] = ()
    """What was judged, and what the server said about it, for the report."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """Values to be taken out of everything that is written, also after the app is gone."""


def previewing(
    settings: Settings,
    owner: "Owner",
    environ: Mapping[str, str],
    *,
    mask: Callable[[Iterable[str]], None] = lambda _: None,
) -> Previewing | None:
    """None where the published app is judged. Raises ConsoleMisconfigured without whole credentials."""
    if not settings.dsl.preview:
        return None
    return Previewing(owner, sign_in(environ), environ, mask)


def sign_in(environ: Mapping[str, str]) -> "Credentials":
    """Who signs in to the console. Raises ConsoleMisconfigured without whole credentials."""
    from ragjudge.dify.console.credentials import from_environ

    credentials = from_environ(environ)
    if credentials is None:
        raise _no_credentials()
    return credentials


@asynccontextmanager
async def judged(
    settings: Settings,
    preview: Previewing | None,
    *,
    now: Callable[[], datetime],
    note: Callable[[Text], None],
) -> AsyncIterator[Judged]:
    """The app to ask, for as long as it is needed; a preview app is gone afterwards, whatever happened.

    Raises what `previewing` raises, DslFault, UsageFault, or a console's error.
    """
    if not settings.dsl.preview:
        yield Judged(settings)
        return
    if preview is None:
        raise _no_credentials()
    from ragjudge.preview.chosen import preview_of

    wanted = preview_of(settings, preview.owner, base_dir=Path(), environ=preview.environ)
    async with previewed(wanted, settings, preview, now=now, note=note) as app:
        yield app


@asynccontextmanager
async def previewed(
    wanted: "Preview",
    settings: Settings,
    preview: Previewing,
    *,
    now: Callable[[], datetime],
    note: Callable[[Text], None],
) -> AsyncIterator[Judged]:
    """A preview app of these contents, its key masked; gone afterwards, whatever happened. Raises as `judged`."""
    from ragjudge.dify.console.credentials import secret_values
    from ragjudge.preview.leased import leased

    async with leased(
        wanted, settings, preview.credentials, clock=wiring.SystemClock(), now=now, note=note
    ) as got:
        preview.mask(got.secrets)
        yield Judged(
            settings.model_copy(update={"app": got.app}),
            got.proof.digest,
            (got.proof.text, *got.notes),
            (*got.secrets, *secret_values(preview.credentials)),
        )


def identity(
    settings: Settings, suite: Suite, digest: str | None, *, asked: "RunResult | None" = None
) -> str:
    """What must be equal for a journal to be gone on with: suite, app, judge and metrics, and results gone on from.

    A preview app is another one in each run: it is its DSL, by `digest`, that must be equal.
    """
    going_on = {"from": [asked.run_id, asked.finished_at.isoformat()]} if asked else {}
    return json.dumps(
        {
            **going_on,
            "tool": __version__,
            "suite": suite.digest,
            "app": [settings.app.base_url, settings.app.inputs, digest or settings.app.workflow_id],
            "judge": [settings.judge.provider, settings.judge.model, settings.judge.allow],
            "embedding": settings.embedding.model,
            "metrics": settings.metrics.model_dump(mode="json"),
            "language": wiring.judge_language(settings, suite),
        },
        ensure_ascii=False,
        sort_keys=True,
    )


def _no_credentials() -> ConsoleMisconfigured:
    return ConsoleMisconfigured(
        Text(
            "dsl.preview is on, but no console credentials are given.",
            "dsl.preview が有効ですが、管理画面の認証情報がありません。",
        ),
        hint=Text(
            "Set DIFY_CONSOLE_EMAIL and DIFY_CONSOLE_PASSWORD (in Actions: the inputs dify-console-email and "
            "dify-console-password with existing secrets), or DIFY_ADMIN_API_KEY and DIFY_WORKSPACE_ID.",
            "DIFY_CONSOLE_EMAIL と DIFY_CONSOLE_PASSWORD を設定してください(GitHub Actionsでは、入力 "
            "dify-console-email と dify-console-password に登録済みのシークレットを渡します)。DIFY_ADMIN_API_KEY と "
            "DIFY_WORKSPACE_ID でも指定できます。",
        ),
    )
