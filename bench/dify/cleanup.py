"""1,000 two-turn cases with `cleanup: all`: kill the run in the middle, resume it, and count what stays in the app.

    python -m bench.dify.cleanup [--cases 1000] [--kill-after 300]

The app is the demo's, in this process, so that its own memory tells what it still holds. Exit 1 if it holds anything,
or if the resumed run asked a case again that was answered before the kill.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from ragjudge.demo import packaged
from ragjudge.demo.corpus import load_corpus
from ragjudge.demo.definition import load_app
from ragjudge.demo.server import DemoServer, ServerOptions
from ragjudge.engine.ask import user_of

TURNS = 2

CONFIG = """
suite: suite.json
app:
  base_url: {url}
  inputs: {{Entity: 本社}}
  cleanup: all
judge: {{provider: offline}}
metrics: {{use: [context_recall]}}
report: {{language: en, details: false}}
"""


def suite(cases: int) -> str:
    return json.dumps(
        [
            {
                "id": str(n),
                "question": f"国内出張の日当はいくらですか？({n})",
                "answer": "2,500円です。",
                "turns": [{"question": f"では海外ではいくらですか？({n})", "answer": "4,000円です。"}],
            }
            for n in range(cases)
        ],
        ensure_ascii=False,
    )


def check(folder: Path, *more: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "DIFY_API_KEY": "app-demo", "PYTHONPATH": str(Path.cwd())}
    command = [sys.executable, "-m", "ragjudge", "check", "--quiet", *more]
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def held(server: DemoServer) -> int:
    return len(server._memory._conversations)  # noqa: SLF001 - the truth is what the app still holds


def answered(folder: Path) -> int:
    journal = folder / ".ragjudge" / "journal.jsonl"
    return journal.read_text("utf-8").count('"answer"') if journal.exists() else 0


def answered_users(folder: Path) -> set[str]:
    """The app users of the answers that the journal holds."""
    header, *records = (json.loads(line) for line in journal_lines(folder))
    return {user_of("ragjudge", header["run_id"], r["case"], r["attempt"]) for r in records if "answer" in r}


def journal_lines(folder: Path) -> list[str]:
    lines = (folder / ".ragjudge" / "journal.jsonl").read_text("utf-8").split("\n")
    return [line for line in lines[:-1] if line]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--kill-after", type=int, default=300)
    given = parser.parse_args()
    app, corpus = load_app(packaged.APP), load_corpus(packaged.CORPUS)
    with tempfile.TemporaryDirectory() as name, DemoServer(app, corpus, ServerOptions()) as server:
        folder = Path(name)
        (folder / "suite.json").write_text(suite(given.cases), "utf-8")
        (folder / "ragjudge.yml").write_text(CONFIG.format(url=server.base_url), "utf-8")
        began = time.monotonic()
        first = check(folder)
        while first.poll() is None and answered(folder) < given.kill_after:
            time.sleep(0.05)
        first.kill()
        first.wait()
        before = answered_users(folder)
        print(f"killed after {len(before)} answers; the app holds {held(server)} conversations")
        second = check(folder, "--resume")
        said = second.communicate()[0].decode("utf-8", "replace").strip()
        left = held(server)
        print(f"resumed: exit {second.returncode}; {time.monotonic() - began:.0f} s in all; {said[-400:]}")
        asked = Counter(entry.user for entry in server.log.entries())
        twice = sum(asked[user] > TURNS for user in before)
        print(f"the app holds {left} conversations; answered before the kill and asked again: {twice}")
    return 0 if left == twice == second.returncode == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
