"""The console's verbs that a preview or a staging push needs, each one call (an import may need two)."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import quote

from ragjudge.dify.console import troubles, values, words
from ragjudge.dify.console.session import ConsoleSession
from ragjudge.dify.console.values import ApiKey, App, Imported, Outcome, Version
from ragjudge.dify.redaction import said
from ragjudge.dify.transport import Reply
from ragjudge.dify.verdicts import failure
from ragjudge.dify.wire import text_of
from ragjudge.errors import ConsoleMisconfigured
from ragjudge.redaction import Redactor

LONGEST_NAME = 20
LONGEST_COMMENT = 100
"""Of a version's mark; Dify refuses longer ones."""
_PAGE = 100
_MOST_PAGES = 50
_GONE = frozenset({404})
_UNSAID = frozenset({400, 403, 404, 500})
_TRIED_EXPORTS = 5
_PLUGINS = "/workspaces/current/plugin/list"
_PLUGINS_PAGE = 256
"""The most that Dify gives at once."""


class Console:
    """One workspace's apps. Raises ConsoleMisconfigured or ConsoleUnreachable.

    `secrets` travel in imports: a server that quotes a DSL in its complaint must not bring them into a log.
    """

    def __init__(self, session: ConsoleSession, *, secrets: Iterable[str] = ()) -> None:
        self._session = session
        self._hide = Redactor(secrets)
        self.server_time: datetime | None = None
        """When the server sent its last reply, by its own clock."""

    async def apps(self, name: str = "") -> tuple[App, ...]:
        """All apps, or those with `name` in theirs."""
        found: list[App] = []
        for page in range(1, _MOST_PAGES + 1):
            params = {"page": str(page), "limit": str(_PAGE), **({"name": name} if name else {})}
            reply = self._noted(await self._session.call("GET", "/apps", params=params))
            found += values.apps_of(reply.body)
            if reply.body.get("has_more") is not True:
                break
        return tuple(found)

    async def app(self, app_id: str) -> App:
        reply = await self._session.call("GET", _app(app_id))
        found = values.app_of(reply.body)
        if found is None:
            raise troubles.unreadable(reply)
        return found

    async def import_dsl(self, text: str, *, over: str | None = None) -> Imported:
        """Import as a new app, or over the draft of `over`; a pending import is confirmed.

        The result is COMPLETED or WARNINGS. Over an app its name, icon and description change as well, at once.
        """
        body: dict[str, object] = {"mode": "yaml-content", "yaml_content": text}
        if over is not None:
            body["app_id"] = over
        reply = await self._session.call("POST", "/apps/imports", body=body, accept=frozenset({400}))
        found = values.imported_of(reply.body)
        file_dsl = found.file_dsl
        if found.outcome is Outcome.PENDING:
            path = f"/apps/imports/{quote(found.id, safe='')}/confirm"
            reply = await self._session.call("POST", path, body={}, accept=frozenset({400}))
            found = values.imported_of(reply.body)
        if found.outcome is Outcome.FAILED or not reply.ok:
            why = found.error or troubles.quote(reply, secret="")
            raise failure(words.IMPORT_FAILED, ConsoleMisconfigured, said=said(self._hide(why)))
        if found.outcome is None or found.outcome is Outcome.PENDING or not found.app_id:
            raise troubles.unreadable(reply)
        return found if found.file_dsl else _with_version(found, file_dsl)

    async def missing_plugins(self, app_id: str) -> tuple[str, ...]:
        """Of the app's last import (Dify remembers for ten minutes): plugins that the server lacks."""
        path = f"/apps/imports/{quote(app_id, safe='')}/check-dependencies"
        return values.missing_plugins_of((await self._session.call("GET", path)).body)

    async def export(self, app_id: str, *, version: str | None = None, secrets: bool = False) -> str:
        """The draft's DSL, or that of a published version."""
        params = {"include_secret": "true" if secrets else "false"}
        if version is not None:
            params["workflow_id"] = version
        reply = await self._session.call("GET", f"{_app(app_id)}/export", params=params)
        text = text_of(reply.body.get("data"))
        if not text:
            raise troubles.unreadable(reply)
        return text

    async def draft(self, app_id: str) -> Version | None:
        reply = await self._session.call("GET", f"{_app(app_id)}/workflows/draft", accept=_GONE)
        return values.version_of(reply.body) if reply.ok else None

    async def published(self, app_id: str) -> Version | None:
        """The version that is served; None for an app that was never published."""
        reply = await self._session.call("GET", f"{_app(app_id)}/workflows/publish", accept=_GONE)
        return values.version_of(reply.body) if reply.ok else None

    async def publish(self, app_id: str, *, name: str = "", comment: str = "") -> Version:
        """Publish the draft under a mark (cut to what Dify takes); the new version."""
        body = {"marked_name": name[:LONGEST_NAME], "marked_comment": comment[:LONGEST_COMMENT]}
        reply = await self._session.call("POST", f"{_app(app_id)}/workflows/publish", body=body)
        found = await self.published(app_id)
        if found is None:
            raise troubles.unreadable(reply)
        return found

    async def replace_model_config(self, app_id: str, config: Mapping[str, object]) -> None:
        """Basic chat, agent and completion apps: the new config is live at once."""
        await self._session.call("POST", f"{_app(app_id)}/model-config", body=config)

    async def create_key(self, app_id: str) -> ApiKey:
        reply = await self._session.call("POST", f"{_app(app_id)}/api-keys")
        key = values.key_of(reply.body)
        if key is None or not key.token.get_secret_value():
            raise failure(words.UNREADABLE, ConsoleMisconfigured, said=f"HTTP {reply.status}")
        return key

    async def keys(self, app_id: str) -> tuple[ApiKey, ...]:
        reply = await self._session.call("GET", f"{_app(app_id)}/api-keys", accept=_GONE)
        entries = reply.body.get("data") if reply.ok else None
        found = (values.key_of(entry) for entry in entries) if isinstance(entries, list) else ()
        return tuple(key for key in found if key is not None)

    async def delete_key(self, app_id: str, key_id: str) -> bool:
        """Gone afterwards. False where the account may not: editors may make keys, only admins may delete them."""
        path = f"{_app(app_id)}/api-keys/{quote(key_id, safe='')}"
        reply = await self._session.call("DELETE", path, accept=frozenset({403, 404}))
        return reply.status != 403

    async def delete_app(self, app_id: str) -> None:
        """Gone afterwards; fine where it was gone before."""
        await self._session.call("DELETE", _app(app_id), accept=_GONE)

    async def has_dataset(self, dataset_id: str) -> bool:
        """False only where the console says that there is no such knowledge base."""
        path = f"/datasets/{quote(dataset_id, safe='')}"
        reply = await self._session.call("GET", path, accept=frozenset({400, 403, 404}))
        return reply.status != 404

    async def workspace(self) -> str:
        """The name of the workspace that the account works in; "" where the console does not say."""
        return values.workspace_of((await self._session.call("GET", "/workspaces")).body)

    async def dsl_version(self) -> str | None:
        """The DSL version that the server writes. None where it does not say and no app can be exported.

        Said outright by 1.14.2 and later; older servers (1.9.2) show it at the top of any export.
        """
        reply = await self._session.call("GET", "/system-features", accept=_UNSAID)
        if reply.ok and (said_outright := text_of(reply.body.get("app_dsl_version"))):
            return said_outright
        params = {"page": "1", "limit": str(_TRIED_EXPORTS)}
        for app in values.apps_of((await self._session.call("GET", "/apps", params=params)).body):
            try:
                exported = await self.export(app.id)
            except ConsoleMisconfigured:
                continue  # This account may not export that app; another one tells as well.
            if found := values.dsl_of(exported):
                return found
        return None

    async def plugins(self) -> frozenset[str] | None:
        """What is installed in the workspace, as `author/name`; None where the console's list can't be read whole.

        From Dify's source (early 1.x, 1.11), not recorded: so anything unexpected is "unknown", never "not installed".
        """
        found: dict[str, None] = {}
        for page in range(1, _MOST_PAGES + 1):
            params = {"page": str(page), "page_size": str(_PLUGINS_PAGE)}
            reply = await self._session.call("GET", _PLUGINS, params=params, accept=_UNSAID)
            listed = values.plugins_of(reply.body) if reply.ok and not reply.is_page else None
            if listed is None:
                return None
            new = [name for name in listed.names if name not in found]
            found |= dict.fromkeys(new)
            if listed.total is None or len(found) >= listed.total:
                return frozenset(found)
            if not new:
                return None
        return None

    async def close(self) -> None:
        await self._session.close()

    def _noted(self, reply: Reply) -> Reply:
        try:
            sent = parsedate_to_datetime(reply.headers.get("date", ""))
        except ValueError:
            return reply
        self.server_time = sent if sent.tzinfo else sent.replace(tzinfo=UTC)
        return reply


def _app(app_id: str) -> str:
    return f"/apps/{quote(app_id, safe='')}"


def _with_version(found: Imported, file_dsl: str) -> Imported:
    return Imported(found.id, found.outcome, found.app_id, found.server_dsl, file_dsl, found.error)
