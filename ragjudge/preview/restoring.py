"""What was pushed to a staging app: is it still served, and the way back to what was before."""

from collections.abc import Iterable
from contextlib import suppress

from pydantic import BaseModel, ConfigDict

from ragjudge.dify.console.console import Console
from ragjudge.dify.console.values import Version
from ragjudge.errors import DslFault, PreviewDisturbed, RagjudgeError, UsageFault
from ragjudge.language import Text
from ragjudge.preview import comparing, document
from ragjudge.preview.unbroken import unbroken

PUT_BACK_S = 60.0


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
        ours = await digest_of(console, pushed.app_id) == pushed.digest
    if not ours:
        raise disturbed()


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
        change = console.replace_model_config(pushed.app_id, former.model_config)
        await unbroken(change, within_s=PUT_BACK_S)
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
        await refuse_unpublished_edits(console, pushed.app_id, draft, stored=stored)
    return await unbroken(
        _restored(console, pushed.app_id, pushed.former_workflow_id, draft=draft), within_s=PUT_BACK_S
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
        return await publish_again(console, app_id, version_id)
    except RagjudgeError:
        with suppress(RagjudgeError):
            if await console.published(app_id) == served:
                await console.import_dsl(draft, over=app_id)
        raise


async def publish_again(console: Console, app_id: str, version_id: str) -> Version:
    """Raises DslFault where the server lost something of it."""
    text = await console.export(app_id, version=version_id, secrets=True)
    before = document.read(text.encode(), version_id)
    await console.import_dsl(text, over=app_id)
    version = await console.publish(app_id, name="ragjudge restored", comment=f"again: {version_id}")
    served = await console.export(app_id, version=version.id, secrets=True)
    if lost := comparing.compare(before, served).lost:
        raise DslFault(list(lost))
    return version


async def digest_of(console: Console, app_id: str, version: str | None = None) -> str:
    exported = await console.export(app_id, version=version)
    return document.read(exported.encode(), app_id).digest


async def refuse_unpublished_edits(
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


def disturbed() -> PreviewDisturbed:
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
