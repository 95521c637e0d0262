"""An app that allows three requests at once, and a config that allows ten: exit 1 if one case fails.

    python -m bench.dify.busy [--cases 200] [--allowed 3] [--named]

Dify refuses what is too much as `400 invalid_param "Too many requests…"`; `--named` lets the message tell the limit,
as the recorded servers do. Each answer takes 0.2 s, so that the floor is cases × 0.2 s ÷ allowed.
"""

import argparse
import asyncio
import sys
import time

from pydantic import SecretStr

from ragjudge.dify.client import DifyApp
from ragjudge.errors import RagjudgeError
from ragjudge.ports import AppQuestion
from ragjudge.settings import AppSettings
from tests import dify_events as ev
from tests.dify_server import Pause, RealClock, Reply, Request, ScriptedDify, error_reply, stream_reply

ANSWER_S = 0.2


class Busy:
    def __init__(self, allowed: int, *, named: bool) -> None:
        self._allowed = allowed
        self._named = named
        self._active = 0
        self.refused = 0
        self.most = 0

    def chat(self, _request: Request) -> Reply:
        if self._active >= self._allowed:
            self.refused += 1
            limit = (
                f" The current maximum concurrent requests allowed for a-b is {self._allowed}."
                if self._named
                else ""
            )
            return error_reply(400, "invalid_param", f"Too many requests. Please try again later.{limit}")
        self._active += 1
        self.most = max(self.most, self._active)
        asyncio.get_running_loop().call_later(ANSWER_S, self._leave)
        return stream_reply(ev.started(), Pause(ANSWER_S), *ev.rag_flow()[1:])

    def _leave(self) -> None:
        self._active -= 1


async def run(cases: int, allowed: int, *, named: bool) -> int:
    busy = Busy(allowed, named=named)
    async with ScriptedDify() as server:
        server.app().on("POST", "/chat-messages", busy.chat)
        settings = AppSettings(base_url=server.url, api_key=SecretStr("app-0123456789"), concurrency=10)
        app = DifyApp(settings, clock=RealClock())
        await app.probe()
        began = time.monotonic()

        async def one(number: int) -> bool:
            try:
                await app.ask(AppQuestion(str(number), "1", str(number), {}, f"u-{number}"))
            except RagjudgeError as error:
                print(f"case {number}: {error}")
                return False
            return True

        answered = sum(await asyncio.gather(*map(one, range(cases))))
        seconds = time.monotonic() - began
        await app.close()
    floor = cases * ANSWER_S / allowed
    print(f"answered {answered} of {cases}; refusals {busy.refused}; at most {busy.most} at once")
    print(f"wall {seconds:.1f} s; floor {floor:.1f} s; ratio {seconds / floor:.2f}")
    return 0 if answered == cases else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--allowed", type=int, default=3)
    parser.add_argument("--named", action="store_true")
    given = parser.parse_args()
    return asyncio.run(run(given.cases, given.allowed, named=given.named))


if __name__ == "__main__":
    sys.exit(main())
