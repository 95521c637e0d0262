"""Removing preview apps: ours when we are done, and those that a killed run left behind."""

from datetime import UTC, datetime, timedelta

from ragjudge.dify.console.console import Console
from ragjudge.dify.console.values import App
from ragjudge.errors import RagjudgeError
from ragjudge.language import Text
from ragjudge.preview.naming import SEARCHED, slot_of

STALE_AFTER = timedelta(hours=6)
"""A job on GitHub's own runners ends after six hours at most: what is older belongs to no live run."""


async def sweep(
    console: Console, slot: str, *, now: datetime, stale_after: timedelta = STALE_AFTER
) -> tuple[Text, ...]:
    """Remove what earlier runs of this slot left, whatever its age, and everybody's that is stale.

    Only apps with our tag and our description are touched. What could not be removed is told, never raised: it
    does not concern this run.
    """
    told = []
    apps = await console.apps(SEARCHED)
    today = console.server_time or now
    for app in apps:
        owner = slot_of(app)
        if owner is None or (owner != slot and not _stale(app, today, stale_after)):
            continue
        try:
            await remove(console, app.id)
        except RagjudgeError as trouble:
            told.append(not_removed(app.name, trouble))
        else:
            told.append(_removed(app.name))
    return tuple(told)


async def remove(console: Console, app_id: str) -> None:
    """Keys first: an app's deletion takes them along only later, in the server's own time.

    A key that the account may not delete opens nothing once its app is gone (401 or 403, as recorded).
    """
    for key in await console.keys(app_id):
        await console.delete_key(app_id, key.id)
    await console.delete_app(app_id)


def _stale(app: App, now: datetime, after: timedelta) -> bool:
    return app.created_at > 0 and now - datetime.fromtimestamp(app.created_at, UTC) > after


def _removed(name: str) -> Text:
    return Text(
        f"A preview app that an earlier run left behind was removed: {name}",
        f"以前の実行が残したプレビューアプリを削除しました: {name}",
    )


def not_removed(name: str, trouble: RagjudgeError) -> Text:
    return Text(
        f"The preview app {name} could not be removed ({trouble}). A later run tries again; or delete it in Dify.",
        f"プレビューアプリ「{name}」を削除できませんでした({trouble.what.in_language('ja')})。"
        "次回以降の実行で再度削除します。Difyの画面から削除することもできます。",
    )
