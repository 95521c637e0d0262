"""How near does the judge come to the latency floor? Wall time and CPU of many calls through the real adapter.

    python -m bench.speed.judge_speed [--calls 2000] [--profile 0.2:10 1:50 0.2:50]

The server is a process of its own; the floor is calls × its delay ÷ calls in flight. One line per profile.
"""

import argparse
import asyncio
import random
import subprocess
import sys
import time
from dataclasses import dataclass

from pydantic import SecretStr

from ragjudge.judge.openai_judge import OpenAIJudge
from ragjudge.metrics import tasks
from ragjudge.metrics.prompting import Prompts
from ragjudge.settings import JudgeSettings


class RealClock:
    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@dataclass(frozen=True)
class Measured:
    wall: float
    cpu: float
    warm: float


async def measure(url: str, *, calls: int, in_flight: int) -> Measured:
    settings = JudgeSettings(
        base_url=url, model="scripted", api_key=SecretStr("k"), concurrency=in_flight, timeout_s=120
    )
    judge = OpenAIJudge(settings, clock=RealClock(), random=random.Random(1))
    started = time.perf_counter()
    await judge.probe()
    warm = time.perf_counter() - started
    prompts = Prompts("en")
    work = [
        prompts.task(
            tasks.USEFULNESS,
            tasks.Usefulness,
            {
                "question": f"Question {n}?",
                "reference": "The reference. " * 10,
                "context": f"Passage {n}. " * 80,
            },
            sample="1",
        )
        for n in range(calls)
    ]
    started, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(judge.ask(task) for task in work))
    measured = Measured(time.perf_counter() - started, time.process_time() - cpu, warm)
    await judge.close()
    return measured


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--calls", type=int, default=2000)
    options.add_argument(
        "--profile", nargs="+", default=["0.2:10", "1:50", "0.2:50"], help="delay_s:in_flight"
    )
    chosen = options.parse_args()
    print("delay  in flight  calls   wall   floor  wall/floor  client CPU per call  first call")
    for profile in chosen.profile:
        delay, in_flight = profile.split(":")
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.judge_server", "--quick", "--delay", delay],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            url = server.stdout.readline().strip()
            measured = asyncio.run(measure(url, calls=chosen.calls, in_flight=int(in_flight)))
        finally:
            server.terminate()
            server.wait()
        floor = chosen.calls * float(delay) / int(in_flight)
        print(
            f"{float(delay):4.1f} s {int(in_flight):9d} {chosen.calls:7d} {measured.wall:6.1f} s {floor:5.1f} s"
            f" {measured.wall / floor:10.3f} {1000 * measured.cpu / chosen.calls:16.2f} ms {measured.warm:13.2f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
