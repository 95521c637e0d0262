"""Ask 500 questions of a server full of faults, over real sockets; exit 1 if anything is lost or paid for twice.

    python -m bench.dify.faults [--cases 500] [--concurrency 20]

10 % of the questions meet a 429 (Retry-After as seconds, as a fraction, as a date, or none), 5 % a 5xx, 5 % a reset
before the first event, 2 % a cut in mid-stream (half of them with the finished answer on the server), 2 % get pings
only, until their deadline. What counts is the server's own record of what it was asked and what it began.
"""

import argparse
import asyncio
import itertools
import random
import sys
import time
from collections import Counter
from email.utils import formatdate

from pydantic import SecretStr

from ragjudge.dify.client import DifyApp
from ragjudge.errors import AppCouldNotAnswer
from ragjudge.ports import AppQuestion
from ragjudge.results.answer import Answer
from ragjudge.results.outcome import Cause
from ragjudge.settings import AppSettings
from tests import dify_events as ev
from tests.dify_server import (
    PING,
    Drop,
    Pause,
    RealClock,
    Reply,
    Request,
    ScriptedDify,
    error_reply,
    json_reply,
    page_reply,
    stream_reply,
)

SHARES = {"429": 0.10, "5xx": 0.05, "reset": 0.05, "cut": 0.02, "pings": 0.02}
TIMEOUT_S = 6.0


class Faulty:
    """The server's side: one fault per case, met by its first request; `begun` counts first events by case."""

    def __init__(self, cases: int) -> None:
        chance = random.Random(7)
        faults = [name for name, share in SHARES.items() for _ in range(round(share * cases))]
        faults += ["none"] * (cases - len(faults))
        chance.shuffle(faults)
        self.fault = dict(enumerate(faults))
        self.asked: Counter[int] = Counter()
        self.begun: Counter[int] = Counter()
        self.kept = {n for i, n in enumerate(n for n, f in self.fault.items() if f == "cut") if i % 2 == 0}
        self.in_flight_most = 0
        self._hints = itertools.cycle(["1", "0.3", "date", ""])
        self._broken = itertools.cycle(
            [
                error_reply(500, "internal_server_error", "x"),
                page_reply(502, "502 Bad Gateway"),
                error_reply(503, "", "x", Retry_After="0.5"),
            ]
        )

    def script(self, server: ScriptedDify) -> None:
        server.app().on("POST", "/chat-messages", self.chat)
        for number in self.kept:
            outputs = {"answer": f"answer {number}"}
            detail = {
                "id": run_of(number),
                "workflow_id": ev.WORKFLOW,
                "status": "succeeded",
                "outputs": outputs,
            }
            server.on("GET", f"/workflows/run/{run_of(number)}", json_reply(detail))

    def chat(self, request: Request) -> Reply:
        number = int(request.json["query"])
        self.asked[number] += 1
        fault = self.fault[number] if self.asked[number] == 1 else "none"
        if fault == "429":
            return self._too_many()
        if fault == "5xx":
            return next(self._broken)
        if fault == "reset":
            return Reply((Drop(),)) if number % 2 else stream_reply(PING, Pause(0.02), Drop())
        if fault == "pings":
            return stream_reply(*(piece for _ in range(int(4 * TIMEOUT_S)) for piece in (PING, Pause(0.5))))
        self.begun[number] += 1
        return stream_reply(*self._answered(number, cut=fault == "cut"))

    def _too_many(self) -> Reply:
        hint = next(self._hints)
        headers = (
            {"Retry_After": formatdate(time.time() + 2, usegmt=True) if hint == "date" else hint}
            if hint
            else {}
        )
        return error_reply(429, "too_many_requests", "Too many requests. Please try again later.", **headers)

    def _answered(self, number: int, *, cut: bool):
        for piece in self._pieces(number, cut=cut):
            yield (
                piece.replace(ev.RUN.encode(), run_of(number).encode()) if isinstance(piece, bytes) else piece
            )

    def _pieces(self, number: int, *, cut: bool):
        passage, segment = f"passage {number}", f"s-{number}"
        yield ev.started()
        yield ev.retrieved(ev.chunk(passage, segment))
        yield Pause(0.05)
        yield ev.says("answer ")
        if cut:
            yield Pause(0.02)
            yield Drop()
        yield ev.says(str(number))
        yield ev.message_end(ev.resource(passage, segment))
        yield ev.finished({"answer": f"answer {number}"})


def run_of(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


async def run(cases: int, concurrency: int) -> int:
    faulty = Faulty(cases)
    async with ScriptedDify() as server:
        faulty.script(server)
        settings = AppSettings(
            base_url=server.url,
            api_key=SecretStr("app-0123456789"),
            concurrency=concurrency,
            timeout_s=TIMEOUT_S,
        )
        app = DifyApp(settings, clock=RealClock())
        await app.probe()
        began = time.monotonic()

        async def one(number: int) -> Answer | AppCouldNotAnswer:
            try:
                return await app.ask(AppQuestion(str(number), "1", str(number), {}, f"u-{number}"))
            except AppCouldNotAnswer as error:
                return error

        outcomes = await asyncio.gather(*map(one, range(cases)))
        seconds = time.monotonic() - began
        await app.close()
    return report(faulty, outcomes, seconds)


def report(faulty: Faulty, outcomes: list[Answer | AppCouldNotAnswer], seconds: float) -> int:
    wrong = [n for n, o in enumerate(outcomes) if isinstance(o, Answer) and o.text != f"answer {n}"]
    causes = Counter((faulty.fault[n], o.cause) for n, o in enumerate(outcomes) if not isinstance(o, Answer))
    pings = sum(f == "pings" for f in faulty.fault.values())
    cuts = sum(f == "cut" for f in faulty.fault.values())
    twice = {n for n, count in faulty.begun.items() if count > 1}
    asks = {n for n, o in enumerate(outcomes) if isinstance(o, Answer) and o.asks > 1}
    recovered = sum("recovered_after_cut" in o.notes for o in outcomes if isinstance(o, Answer))
    print(f"cases {len(outcomes)}; faults {dict(Counter(faulty.fault.values()))}; {seconds:.1f} s")
    print(f"answered {len(outcomes) - sum(causes.values())}; without an answer {dict(causes)}")
    print(f"requests {sum(faulty.asked.values())}; begun {sum(faulty.begun.values())}")
    print(f"cuts {cuts}; answers fetched after a cut {recovered}; asked once more after a cut {len(asks)}")
    checks = {
        "every answer is the right one": not wrong,
        "only the pings-only cases have no answer, as timeouts": causes
        == {("pings", Cause.APP_TIMEOUT): pings},
        "nothing was begun twice but counted re-asks of cut streams": twice == asks and len(twice) <= cuts,
        "every re-ask was of a cut stream that the server had lost": all(
            faulty.fault[n] == "cut" and n not in faulty.kept for n in asks
        ),
    }
    for name, held in checks.items():
        print(f"{'ok  ' if held else 'FAIL'} {name}")
    return 0 if all(checks.values()) else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--concurrency", type=int, default=20)
    given = parser.parse_args()
    return asyncio.run(run(given.cases, given.concurrency))


if __name__ == "__main__":
    sys.exit(main())
