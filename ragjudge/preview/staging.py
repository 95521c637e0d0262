"""One staging app that a team already has: overwrite it, publish, verify.

The app keeps its own name and icon. Whatever goes wrong on the way, the app is left as it was found, but for what
others did to it meanwhile.
"""

from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import SecretStr

from ragjudge.dify.console.console import LONGEST_NAME, Console
from ragjudge.dify.console.values import App, Version
from ragjudge.dsl.lint_server import needed_plugins
from ragjudge.errors import (
    ConsoleMisconfigured,
    ConsoleUnreachable,
    DslFault,
    MustChange,
    PreviewDisturbed,
    Problem,
    RagjudgeError,
)
from ragjudge.language import Text
from ragjudge.preview import comparing, document, knowledge
from ragjudge.preview.document import Document
from ragjudge.preview.restoring import (
    PUT_BACK_S,
    Pushed,
    digest_of,
    disturbed,
    publish_again,
    refuse_unpublished_edits,
)
from ragjudge.preview.unbroken import unbroken

T = TypeVar("T")


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

    @property
    def unfinished(self) -> Pushed:
        """Enough to restore by force what could not be put back."""
        app_id = self.wanted.app_id
        if not self.kept.is_graph:
            return Pushed(app_id=app_id, former_dsl=self.kept.text)
        return Pushed(
            app_id=app_id, workflow_id="?", former_workflow_id=self.former.id if self.former else None
        )

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
        await refuse_unpublished_edits(console, app.id, before, stored=[former.id] if former else [])
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
        try:
            await unbroken(_put_back(console, attempt), within_s=PUT_BACK_S)
        except RagjudgeError as trouble:
            keep(attempt.unfinished)
            raise _not_put_back(app.name, trouble) from trouble
        raise
    return done


async def _push_graph(console: Console, attempt: _Attempt) -> Pushed:
    app_id, pushed, wanted = attempt.wanted.app_id, attempt.pushed, attempt.wanted
    await _to_its_end(console.import_dsl(pushed.text, over=app_id))
    attempt.seen = await console.export(app_id, secrets=True)
    _refuse(comparing.missing_plugins(pushed, await console.missing_plugins(app_id)))
    draft = comparing.compare(pushed, attempt.seen)
    _refuse([*draft.lost, *await knowledge.missing(console, pushed, await console.draft(app_id))])
    version = await _to_its_end(console.publish(app_id, name=wanted.mark, comment=wanted.comment))
    compared = comparing.compare(pushed, await console.export(app_id, version=version.id, secrets=True))
    if compared.other != draft.other or compared.lost:
        raise disturbed()
    return Pushed(
        app_id=app_id,
        workflow_id=version.id,
        former_workflow_id=attempt.former.id if attempt.former else None,
        digest=await digest_of(console, app_id, version.id),
        differing=compared.other,
    )


async def _push_config(console: Console, attempt: _Attempt) -> Pushed:
    app_id = attempt.wanted.app_id
    await _to_its_end(console.replace_model_config(app_id, attempt.pushed.model_config))
    attempt.seen = await console.export(app_id)
    compared = comparing.compare(attempt.pushed, attempt.seen)
    _refuse(compared.lost)
    return Pushed(
        app_id=app_id,
        former_dsl=attempt.kept.text,
        digest=document.read(attempt.seen.encode(), app_id).digest,
        differing=compared.other,
    )


async def _to_its_end(change: Coroutine[Any, Any, T]) -> T:
    """A server goes on with what it was sent: put back before it is done, the change would come out on top."""
    return await unbroken(change, within_s=PUT_BACK_S)


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
        await publish_again(console, app_id, former.id)
    elif theirs:
        return
    await console.import_dsl(draft if theirs else attempt.kept.text, over=app_id)


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


def _not_put_back(name: str, trouble: RagjudgeError) -> RagjudgeError:
    why = trouble.what
    kind = ConsoleMisconfigured if isinstance(trouble, MustChange) else ConsoleUnreachable
    return kind(
        Text(
            f"The push failed, and the app {name!r} could not be put back ({why.en}).",
            f"push に失敗し、アプリ「{name}」を元に戻すこともできませんでした({why.ja})。",
        ),
        hint=Text(
            "As soon as the console answers: ragjudge dsl push --restore --force --overwrite-draft",
            "管理画面につながるようになったら、ragjudge dsl push --restore --force --overwrite-draft を"
            "実行してください。",
        ),
    )
