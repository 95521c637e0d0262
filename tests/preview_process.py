"""Processes that each judge one question on a preview app, to be killed at some point.

Arguments: the server's URL, then the numbers of the pull requests. Prints one process id per number, starts them all
at a line on standard input, and prints each one's end as a return code. Forked from one small process: it has no
threads, and loading everything ten times would cost the suite half a minute.
"""

import asyncio
import os
import sys
from datetime import UTC, datetime

from ragjudge.dify.client import DifyApp
from ragjudge.preview.leased import leased
from ragjudge.preview.naming import Owner
from ragjudge.settings import AppSettings, Settings
from tests.console_server import PASSWORD
from tests.dify_app import question
from tests.dify_server import RealClock
from tests.preview_app import DATASET, dsl, person, preview


async def judge(url: str, number: int) -> None:
    clock = RealClock()
    settings = Settings(app=AppSettings(base_url=f"{url}/v1", timeout_s=30.0))
    async with leased(
        preview(dsl(dataset=DATASET), Owner("octo/bot", number)),
        settings,
        person(f"{number}@example.com", PASSWORD),
        clock=clock,
        now=lambda: datetime.now(UTC),
    ) as lease:
        app = DifyApp(lease.app, clock=clock)
        await app.probe()
        await app.ask(question(inputs={"Entity": "本社", "Category": "旅費"}))
        await app.close()


def main(url: str, numbers: list[int]) -> None:
    starting, start = os.pipe()
    children = []
    for number in numbers:
        child = os.fork()
        if child == 0:
            os.close(start)
            os.read(starting, 1)
            try:
                asyncio.run(judge(url, number))
            except KeyboardInterrupt:
                os._exit(130)
            os._exit(0)
        children.append(child)
    sys.stdout.write(" ".join(map(str, children)) + "\n")
    sys.stdout.flush()
    sys.stdin.readline()
    os.close(start)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    sys.stdout.write(" ".join(map(str, codes)) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], [int(number) for number in sys.argv[2:]])
