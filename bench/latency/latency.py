"""Wall time of a whole run against its latency floor, over real sockets, the judge answering after a fixed delay.

    python bench/latency/latency.py                 # the three settings of the README
    python bench/latency/latency.py --only 10:0.2   # one of them: in flight : seconds

Floor = max(judge calls × delay ÷ in flight, longest chain of one case × delay), from the judge server's own log.
Wall = the whole process, from its start to its end: interpreter, imports, probes, questions, scores, report.
Exit 1 where a setting with a limit goes beyond it.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from ragjudge.demo.corpus import load_corpus
from ragjudge.demo.definition import AppDefinition, read_app
from ragjudge.demo.server import DemoServer
from tests.judge_server import JudgeServer

LONGEST_CHAIN = 2
"""Faithfulness takes the answer apart, then judges the statements."""


@dataclass(frozen=True)
class Setting:
    in_flight: int
    delay: float
    limit: float | None


SETTINGS = (Setting(10, 0.2, 1.05), Setting(50, 1.0, 1.05), Setting(50, 0.2, None))
AIM = 1.25


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--cases", type=int, default=200)
    options.add_argument("--only", help="IN_FLIGHT:SECONDS")
    options.add_argument(
        "--slack", type=float, default=1.0, help="fail only beyond limit × SLACK (a noisy machine)"
    )
    chosen = options.parse_args()
    settings = SETTINGS
    if chosen.only:
        in_flight, delay = chosen.only.split(":")
        settings = (Setting(int(in_flight), float(delay), None),)
    print(
        f"{chosen.cases} cases × 5 metrics, one process for ragjudge, one for app and judge, {os.cpu_count()} cores"
    )
    print("| in flight | delay | judge calls | floor s | wall s | wall ÷ floor | CPU s | peak MB | limit |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|:--|")
    worst = 0
    for setting in settings:
        worst = max(worst, measured(setting, chosen.cases, chosen.slack))
    return worst


def measured(setting: Setting, cases: int, slack: float) -> int:
    data = resources.files("ragjudge.demo") / "data"
    with (
        tempfile.TemporaryDirectory() as folder,
        resources.as_file(data) as place,
        DemoServer(five_passages(place / "app.yml"), load_corpus(place / "corpus")) as app,
        JudgeServer(delay=setting.delay) as judge,
    ):
        write_suite(Path(folder), json.loads((place / "suite.json").read_text(encoding="utf-8")), cases)
        write_config(Path(folder), app.base_url, judge.url, setting)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "ragjudge", "run", "--quiet"],
            cwd=folder,
            env={
                **os.environ,
                "DIFY_API_KEY": app.api_key,
                # As random as real ones are: a word of the texts in it makes the redactor look twice at each of them.
                "OPENAI_API_KEY": "sk-7Qm2fT9xLw4Rz8Kc",
                "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        wall = time.monotonic() - started
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            print(done.stdout[-2000:], done.stderr[-2000:])
            return 1
        results = json.loads((Path(folder) / ".ragjudge" / "results.json").read_text(encoding="utf-8"))
        unscored = sum(
            outcome["kind"] == "unscored"
            for case in results["cases"]
            for sample in case["samples"]
            for outcome in sample["scores"].values()
        )
        calls = len(judge.asked())
        floor = max(calls * setting.delay / setting.in_flight, LONGEST_CHAIN * setting.delay)
        ratio = wall / floor
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        verdict = f"≤ {setting.limit}" if setting.limit else f"aim {AIM}"
        print(
            f"| {setting.in_flight} | {setting.delay:g} s | {calls} | {floor:.1f} | {wall:.1f} | {ratio:.3f} "
            f"| {cpu:.1f} | {after.ru_maxrss / 1024:.0f} | {verdict} |",
            flush=True,
        )
        if judge.most_in_flight > setting.in_flight or unscored:
            print(f"most in flight {judge.most_in_flight}, unscored {unscored}")
            return 1
        first, last = judge.log[1].started, max(e.ended for e in judge.log)
        print(
            f"  from the start to the first verdict asked {first - started:.1f} s, first to last {last - first:.1f} s, "
            f"then {wall - (last - started):.1f} s to the end"
        )
        if setting.limit is None and ratio > AIM:
            print(
                f"what limits it: ragjudge used {cpu:.1f} s of CPU for {calls} calls ({1000 * cpu / calls:.1f} ms each; "
                f"{1000 * setting.delay / setting.in_flight:.1f} ms each would keep {setting.in_flight} in flight)"
            )
        return int(setting.limit is not None and ratio > setting.limit * slack)


def five_passages(dsl: Path) -> AppDefinition:
    """The demo's app with as many passages per answer as the product's own estimates assume."""
    return read_app(dsl.read_text(encoding="utf-8").replace("top_k: 4", "top_k: 5"))


def write_suite(folder: Path, questions: list[dict[str, object]], cases: int) -> None:
    """The demo's questions again and again, under new ids, until there are enough."""
    many = [{**questions[n % len(questions)], "id": f"{n + 1}"} for n in range(cases)]
    (folder / "suite.json").write_text(json.dumps(many, ensure_ascii=False), encoding="utf-8")


def write_config(folder: Path, app_url: str, judge_url: str, setting: Setting) -> None:
    config = {
        "suite": ["suite.json"],
        "app": {
            "base_url": app_url,
            "inputs": {"Entity": "${entity}", "Category": "${category}"},
            "cleanup": "none",
        },
        "judge": {
            "provider": "openai",
            "model": "bench-judge",
            "base_url": judge_url,
            "concurrency": setting.in_flight,
            "cache": False,
        },
        "baseline": {"store": "file:baseline.json"},
    }
    (folder / "ragjudge.yml").write_text(json.dumps(config, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
