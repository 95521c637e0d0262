"""One preview app: swept, imported, verified, published, given a key; and removed, whatever happened.

THE STORY is `acquire`. Nothing is asked of a preview that does not serve what was pushed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import SecretStr

from ragjudge.dify.console.console import Console
from ragjudge.dify.console.values import ApiKey, Imported, Outcome, Version
from ragjudge.errors import ConsoleUnreachable, DslFault, PreviewDisturbed, RagjudgeError
from ragjudge.language import Text
from ragjudge.preview import comparing, document, knowledge
from ragjudge.preview.comparing import Compared
from ragjudge.preview.document import Document
from ragjudge.preview.naming import SEARCHED, Owner, named
from ragjudge.preview.proof import Proof
from ragjudge.preview.sweep import not_removed, remove, sweep
from ragjudge.preview.unbroken import unbroken
from ragjudge.settings import AppSettings

_CREATE_S = 60.0
_REMOVE_S = 30.0


@dataclass(frozen=True, slots=True)
class Preview:
    """What is to be judged. `secrets`: values of the app's secret environment variables, by name."""

    content: bytes
    file: str
    owner: Owner
    secrets: Mapping[str, SecretStr] = field(default_factory=dict)


class PreviewLease:
    """A `ports.AppLease`. `notes` is what a person should hear of; `proof` and `key` stand after `acquire`."""

    def __init__(
        self,
        console: Console,
        preview: Preview,
        app: AppSettings,
        *,
        now: Callable[[], datetime],
        nonce: Callable[[], str],
    ) -> None:
        self._console = console
        self._preview = preview
        self._app = app
        self._now = now
        self._nonce = nonce
        self._begun: str | None = None
        """The name under which an app may exist by now."""
        self._app_id: str | None = None
        self.notes: list[Text] = []
        self.proof: Proof | None = None
        self.key: ApiKey | None = None

    async def acquire(self) -> AppSettings:
        """How to ask the preview app. Raises DslFault, ConsoleMisconfigured or ConsoleUnreachable."""
        original = document.read(self._preview.content, self._preview.file)
        called = named(self._preview.owner, original.dsl.name, self._nonce())
        identity = {"name": called.name, "description": called.description}
        pushed = document.with_secrets(document.renamed(original, identity), self._preview.secrets)
        self.notes += await sweep(self._console, self._preview.owner.slot, now=self._now())
        self._begun = called.name
        app_id = await unbroken(self._create(pushed, called.name), within_s=_CREATE_S)
        await self._refuse_missing_plugins(pushed, app_id)
        version = await self._published(pushed, app_id)
        compared = await self._compared(pushed, app_id, version)
        self.proof = Proof(
            app_name=called.name,
            workflow_id=version.id if version else None,
            hash=version.hash if version else None,
            digest=original.digest,
            differing=compared.other,
        )
        self.key = await self._console.create_key(app_id)
        return self._app.model_copy(
            update={
                "api_key": self.key.token,
                "workflow_id": self.proof.workflow_id,
                "cleanup": "none",
            }
        )

    async def release(self) -> None:
        """Key and app are gone afterwards. Trouble is told in `notes`: it never changes a verdict."""
        if self._begun is None:
            return
        try:
            await unbroken(self._remove(self._begun), within_s=_REMOVE_S)
        except RagjudgeError as trouble:
            self.notes.append(not_removed(self._begun, trouble))

    async def _create(self, pushed: Document, name: str) -> str:
        """The new app's id. Where the reply got lost, the app is looked for by its name, which is ours alone."""
        try:
            imported = await self._console.import_dsl(pushed.text)
        except ConsoleUnreachable:
            self._app_id = await self._find(name)
            if self._app_id is None:
                raise
            return self._app_id
        self._app_id = imported.app_id
        self.notes += _remarks(imported)
        return imported.app_id

    async def _find(self, name: str) -> str | None:
        return next((app.id for app in await self._console.apps(SEARCHED) if app.name == name), None)

    async def _refuse_missing_plugins(self, pushed: Document, app_id: str) -> None:
        missing = await self._console.missing_plugins(app_id)
        if missing:
            raise DslFault(list(comparing.missing_plugins(pushed, missing)))

    async def _published(self, pushed: Document, app_id: str) -> Version | None:
        """The version that is served; None for a basic app, which serves its config at once."""
        if not pushed.is_graph:
            return None
        owner = self._preview.owner
        version = await self._console.publish(
            app_id, name=owner.label, comment=f"ragjudge {owner.commit[:12]}".strip()
        )
        draft = await self._console.draft(app_id)
        if draft is not None and draft.hash != version.hash:
            raise _disturbed()
        return version

    async def _compared(self, pushed: Document, app_id: str, version: Version | None) -> Compared:
        """Raises DslFault where knowledge, a variable or a plugin got lost."""
        with_secrets = any(True for _ in document.secrets_of(pushed))
        exported = await self._console.export(
            app_id, version=version.id if version else None, secrets=with_secrets
        )
        compared = comparing.compare(pushed, exported)
        lost = [*compared.lost, *await knowledge.missing(self._console, pushed, version)]
        if lost:
            raise DslFault(lost)
        return compared

    async def _remove(self, name: str) -> None:
        app_id = self._app_id or await self._find(name)
        if app_id is not None:
            await remove(self._console, app_id)
            self._app_id = None


def _remarks(imported: Imported) -> tuple[Text, ...]:
    """What the server said about versions."""
    if imported.outcome is not Outcome.WARNINGS and imported.file_dsl in ("", imported.server_dsl):
        return ()
    return (
        Text(
            f"The DSL has version {imported.file_dsl}, the server {imported.server_dsl}: imported all the same, "
            "and compared with the server's export.",
            f"DSLのバージョンは {imported.file_dsl}、サーバーは {imported.server_dsl} です。取り込んだうえで、"
            "サーバーから書き出した内容と比較しました。",
        ),
    )


def _disturbed() -> PreviewDisturbed:
    return PreviewDisturbed(
        Text(
            "Somebody changed the preview app in Dify while it was being published.",
            "公開中に、誰かがDifyでプレビューアプリを変更しました。",
        ),
        hint=Text(
            "Leave preview apps alone, and run again.", "プレビューアプリには触れず、再実行してください。"
        ),
    )
