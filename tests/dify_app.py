"""The real connector in front of a scripted Dify, in one call."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from pydantic import SecretStr

from ragjudge.dify.client import DifyApp
from ragjudge.dify.limits import Limits
from ragjudge.errors import RagjudgeError
from ragjudge.ports import AppQuestion
from ragjudge.settings import AppSettings
from tests.dify_server import RealClock, ScriptedDify, SkippingClock

CHAT = "/chat-messages"
QUICK = Limits(first_event_s=0.6, idle_s=0.6, grace_s=0.1, connect_s=2.0)
KEY = "app-0123456789abcdef"


def question(query: str = "有休は何日ですか。", **more: object) -> AppQuestion:
    fields = {"case_id": "1", "attempt": "1", "inputs": {}, "user": "ragjudge-run-1", **more}
    return AppQuestion(query=query, **fields)


def with_app(
    script: Callable[[ScriptedDify], object],
    use: Callable[[DifyApp, ScriptedDify], Awaitable[object]],
    *,
    limits: Limits = QUICK,
    real_time: bool = False,
    base_dir: Path | None = None,
    **settings: object,
):
    """Serve the script, give the connector to `use`, return what it returns (or the error it raises)."""

    async def run():
        async with ScriptedDify() as server:
            script(server)
            clock = RealClock() if real_time else SkippingClock()
            own = AppSettings(base_url=server.url, api_key=SecretStr(KEY), **{"timeout_s": 5.0, **settings})
            app = DifyApp(
                own, clock=clock, limits=limits, base_dir=base_dir, chance=lambda: 0.0 if real_time else 1.0
            )
            try:
                return await use(app, server)
            except RagjudgeError as error:
                return error
            finally:
                await app.close()

    return asyncio.run(run())
