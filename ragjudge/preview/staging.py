"""One staging app that a team already has: overwrite it, publish, verify, and put the former version back.

The app keeps its own name and icon. Whatever goes wrong on the way, the app is left as it was found, but for what
others did to it meanwhile.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, SecretStr

from ragjudge.dify.console.console import LONGEST_NAME, Console
from ragjudge.dify.console.values import App, Version
from ragjudge.dsl.lint_server import needed_plugins
from ragjudge.errors import DslFault, PreviewDisturbed, Problem, RagjudgeError, UsageFault
from ragjudge.language import Text
from ragjudge.preview import comparing, document, knowledge
from ragjudge.preview.document import Document
from ragjudge.preview.unbroken import unbroken

_PUT_BACK_S = 60.0


class Pushed(BaseModel):
    """What a push did, kept in a file between the steps of a job. It holds no secret of a workflow."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    app_id: str
    workflow_id: str | None = None
    """Our published version; None for an app without versions."""
    former_workflow_id: str | None = None
    former_dsl: str | None = None
    """Apps without versions only: what the config was."""
    digest: str = ""
    """Of the app as it is served after the push."""
    differing: tuple[str, ...] = ()
    """Paths that the server serves otherwise than they were pushed."""
    restored: bool = False
    """By us, since: nothing of the push is served any more."""


@dataclass(frozen=True, slots=True)
class Push:
    """`mark` and `comment` label the published version. `secrets`: by variable name."""

    content: bytes
    file: str
    app_id: str
    mark: str = "ragjudge"
    comment: str = ""
    secrets: Mapping[str, SecretStr] = field(default_factory=dict)
    overwrite_draft: bool = False


@dataclass(slots=True)
class _Attempt:
    """One push under way."""

    wanted: Push
    pushed: Document
    kept: Document
    """The app's draft or config as it was found, secrets included."""
    former: Version | None
    seen: str = ""
    """Ours as the server showed it after it had arrived."""

    async def published(self, console: Console, served: Version) -> bool:
        """Is this version ours? Our own call to publish may have failed after it took effect."""
        if not self.seen or served.marked_name != self.wanted.mark[:LONGEST_NAME]:
            return False
        text = await console.export(self.wanted.app_id, version=served.id, secrets=True)
        return comparing.compare(self.pushed, text) == comparing.compare(self.pushed, self.seen)


async def push(console: Console, wanted: Push, *, keep: Callable[[Pushed], None] = lambda _: None) -> Pushed:
    """Raises DslFault, UsageFault or a console's error, the app as before; or PreviewDisturbed, left as it is.

    What somebody else published or edited meanwhile is never taken away. `keep` stores what was done: a push that
    cannot be restored later does not stay.
    """
    original = document.read(wanted.content, wanted.file)
    app = await console.app(wanted.app_id)
    _refuse_other_mode(original, app)
    former = await console.published(app.id) if original.is_graph else None
    before = await console.export(app.id, secrets=True)
    if original.is_graph and not wanted.overwrite_draft:
        await _refuse_unpublished_edits(console, app.id, before, stored=[former.id] if former else [])
    kept = document.read(before.encode(), app.name)
    pushed = document.with_secrets(
        document.renamed(original, app.identity), wanted.secrets, kept=document.filled_secrets(kept)
    )
    if not pushed.is_graph:
        await _refuse_what_the_server_lacks(console, pushed)
    attempt = _Attempt(wanted, pushed, kept, former)
    try:
        done = await (_push_graph if pushed.is_graph else _push_config)(console, attempt)
        keep(done)
    except PreviewDisturbed:
        raise  # what is served now is somebody else's: not ours to take away
    except BaseException:
        await unbroken(_put_back(console, attempt), within_s=_PUT_BACK_S)
        raise
    return done


async def check(console: Console, pushed: Pushed) -> None:
    """Raises PreviewDisturbed where the app does not serve our push any more."""
    if pushed.restored:
        raise PreviewDisturbed(
            Text(
                "The push was restored: the app serves its former version again.",
                "この push はすでに元に戻されています。以前のバージョンが公開されています。",
            ),
            hint=Text(
                "Push again to judge the file.", "ファイルを評価するには、もう一度 push してください。"
            ),
        )
    if pushed.workflow_id is not None:
        version = await console.published(pushed.app_id)
        ours = version is not None and version.id == pushed.workflow_id
    else:
        ours = await _digest(console, pushed.app_id) == pushed.digest
    if not ours:
        raise _disturbed()


async def restore(
    console: Console, pushed: Pushed, *, force: bool = False, overwrite_draft: bool = False
) -> Version | None:
    """Publish the former version again, secrets included; the new version, None for an app without versions.

    Raises PreviewDisturbed where somebody published since (unless `force`), UsageFault where the draft holds
    unpublished edits (unless `overwrite_draft`) or where nothing was before.
    """
    if not force:
        try:
            await check(console, pushed)
        except PreviewDisturbed:
            if await _serves_former(console, pushed):  # an earlier restore that ended before it could say so
                return await console.published(pushed.app_id) if pushed.workflow_id else None
            raise
    if pushed.workflow_id is None:
        former = document.read((pushed.former_dsl or "").encode(), "former")
        await console.replace_model_config(pushed.app_id, former.model_config)
        return None
    if pushed.former_workflow_id is None:
        raise UsageFault(
            Text(
                "The app was never published before the push: there is nothing to restore.",
                "push の前に公開されたバージョンがないため、元に戻せません。",
            )
        )
    draft = await console.export(pushed.app_id, secrets=True)
    if not overwrite_draft:
        served = await console.published(pushed.app_id)
        # The former version's too: a restore that broke off between import and publish left it there.
        stored = [*([served.id] if served else []), pushed.former_workflow_id]
        await _refuse_unpublished_edits(console, pushed.app_id, draft, stored=stored)
    return await unbroken(
        _restored(console, pushed.app_id, pushed.former_workflow_id, draft=draft), within_s=_PUT_BACK_S
    )


async def _serves_former(console: Console, pushed: Pushed) -> bool:
    app_id, former = pushed.app_id, pushed.former_workflow_id
    if pushed.workflow_id is None:
        before = document.read((pushed.former_dsl or "").encode(), "former")
        return document.read((await console.export(app_id)).encode(), app_id).digest == before.digest
    served = await console.published(app_id)
    if served is None or former is None:
        return False
    texts = [await console.export(app_id, version=version, secrets=True) for version in (served.id, former)]
    return comparing.same_work(*texts)


async def _restored(console: Console, app_id: str, version_id: str, *, draft: str) -> Version:
    """Where the version cannot be published, the draft is put back."""
    served = await console.published(app_id)
    try:
        return await _publish_again(console, app_id, version_id)
    except RagjudgeError:
        with suppress(RagjudgeError):
            if await console.published(app_id) == served:
                await console.import_dsl(draft, over=app_id)
        raise


async def _push_graph(console: Console, attempt: _Attempt) -> Pushed:
    app_id, pushed, wanted = attempt.wanted.app_id, attempt.pushed, attempt.wanted
    await console.import_dsl(pushed.text, over=app_id)
    attempt.seen = await console.export(app_id, secrets=True)
    _refuse(comparing.missing_plugins(pushed, await console.missing_plugins(app_id)))
    draft = comparing.compare(pushed, attempt.seen)
    _refuse([*draft.lost, *await knowledge.missing(console, pushed, await console.draft(app_id))])
    version = await console.publish(app_id, name=wanted.mark, comment=wanted.comment)
    compared = comparing.compare(pushed, await console.export(app_id, version=version.id, secrets=True))
    if compared.other != draft.other or compared.lost:
        raise _disturbed()
    return Pushed(
        app_id=app_id,
        workflow_id=version.id,
        former_workflow_id=attempt.former.id if attempt.former else None,
        digest=await _digest(console, app_id, version.id),
        differing=compared.other,
    )


async def _push_config(console: Console, attempt: _Attempt) -> Pushed:
    app_id = attempt.wanted.app_id
    await console.replace_model_config(app_id, attempt.pushed.model_config)
    attempt.seen = await console.export(app_id)
    compared = comparing.compare(attempt.pushed, attempt.seen)
    _refuse(compared.lost)
    return Pushed(
        app_id=app_id,
        former_dsl=attempt.kept.text,
        digest=document.read(attempt.seen.encode(), app_id).digest,
        differing=compared.other,
    )


async def _put_back(console: Console, attempt: _Attempt) -> None:
    """The published version first, then the draft with its name. What others made of the app meanwhile stays."""
    app_id, former = attempt.wanted.app_id, attempt.former
    if not attempt.kept.is_graph:
        if attempt.seen in ("", await console.export(app_id)):
            await console.replace_model_config(app_id, attempt.kept.model_config)
        return
    served = await console.published(app_id)
    newer = served if served is not None and (former is None or served.id != former.id) else None
    if newer is not None and not await attempt.published(console, newer):
        return
    draft = await console.export(app_id, secrets=True)
    theirs = bool(attempt.seen) and not comparing.same_work(draft, attempt.seen)
    if newer is not None and former is not None:
        await _publish_again(console, app_id, former.id)
    elif theirs:
        return
    await console.import_dsl(draft if theirs else attempt.kept.text, over=app_id)


async def _publish_again(console: Console, app_id: str, version_id: str) -> Version:
    text = await console.export(app_id, version=version_id, secrets=True)
    before = document.read(text.encode(), version_id)
    await console.import_dsl(text, over=app_id)
    version = await console.publish(app_id, name="ragjudge restored", comment=f"again: {version_id}")
    _refuse(comparing.compare(before, await console.export(app_id, version=version.id, secrets=True)).lost)
    return version


async def _digest(console: Console, app_id: str, version: str | None = None) -> str:
    exported = await console.export(app_id, version=version)
    return document.read(exported.encode(), app_id).digest


async def _refuse_what_the_server_lacks(console: Console, pushed: Document) -> None:
    """A basic app serves its config at once: nobody may be answered without plugin or knowledge meanwhile."""
    installed = await console.plugins()
    needed = dict.fromkeys(name for _, name in needed_plugins(pushed.dsl))
    lacking = tuple(name for name in needed if installed is not None and name not in installed)
    _refuse([*comparing.missing_plugins(pushed, lacking), *await knowledge.missing(console, pushed)])


def _refuse(problems: Iterable[Problem]) -> None:
    if found := list(problems):
        raise DslFault(found)


def _refuse_other_mode(pushed: Document, app: App) -> None:
    """Dify would import a workflow over a chatflow, say completed, and break the app."""
    if pushed.dsl.mode == app.mode:
        return
    what = Text(
        f"The file is of mode {pushed.dsl.mode}, the app {app.name!r} of mode {app.mode}.",
        f"ファイルのモードは {pushed.dsl.mode} ですが、アプリ「{app.name}」は {app.mode} です。",
    )
    cure = Text(
        "Dify would take it and break the app: push to an app of the same mode.",
        "Difyは取り込めたように見せてアプリを壊します。同じモードのアプリを指定してください。",
    )
    raise DslFault([Problem(what, pushed.dsl.place("app", "mode"), cure)])


async def _refuse_unpublished_edits(
    console: Console, app_id: str, draft: str, *, stored: Iterable[str]
) -> None:
    """A draft that is one of the `stored` versions can be had back; any other is somebody's work."""
    for version in stored:
        if comparing.same_work(draft, await console.export(app_id, version=version, secrets=True)):
            return
    raise UsageFault(
        Text(
            "The app's draft holds edits that were never published; they would be overwritten.",
            "アプリの下書きに未公開の編集があります。続けると上書きされます。",
        ),
        hint=Text(
            "Publish or discard them in Dify, or pass --overwrite-draft.",
            "Difyで公開または破棄するか、--overwrite-draft を付けてください。",
        ),
    )


def _disturbed() -> PreviewDisturbed:
    return PreviewDisturbed(
        Text(
            "Somebody published another version of the staging app in the meantime.",
            "その間に、ステージング用アプリの別のバージョンが公開されました。",
        ),
        hint=Text(
            "Let only one job at a time use the app (see docs/preview.md, “Lock”), and run again.",
            "同時に1つのジョブだけがアプリを使うようにして(docs/preview.ja.md の「ロック」)、"
            "再実行してください。",
        ),
    )
