"""Can a baseline get lost? Twenty writers at once, and kill -9 in the middle of updates.

python -m bench.gate.stores
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import SecretStr

from bench.gate.model import World
from ragjudge.baseline.branch_store import BranchStore
from ragjudge.baseline.file_store import FileStore
from ragjudge.baseline.git_branch import GitBranch
from ragjudge.baseline.github_branch import GitHubBranch
from ragjudge.baseline.patience import Patience
from ragjudge.baseline.update import renewed
from ragjudge.github.api import GitHubApi
from tests.github_server import FakeGitHub

WRITERS = 20
KILLS = 20
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
PATIENCE = Patience(sleep=lambda seconds: time.sleep(seconds / 20), random=random.random)


def baseline(number, cases=5, old=None):
    import numpy as np

    run = World(np.random.default_rng(number), cases).baseline(3)
    run = run.model_copy(update={"commit": f"commit-{number}"})
    return renewed(old, run, stored_at=NOON + timedelta(minutes=number), store_answers=True)


def writers(name, new_store):
    """Each stores its own baseline of the same suite at the same time."""
    start = time.monotonic()
    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(lambda n: new_store().change(lambda old: baseline(n, old=old)), range(WRITERS)))
    found = new_store().load()
    kept = {entry.commit for entry in found.history} | {found.run.commit}
    lost = WRITERS - len(kept)
    print(f"{name}: {WRITERS} writers at once, updates lost: {lost} ({time.monotonic() - start:.1f} s)")
    return lost


def kills(name, store, target):
    """A child process updates for ever; it is killed at a random moment; what is stored must be whole."""
    old, broken, seen = baseline(0, 200), 0, set()
    store.change(lambda _: old)
    for _ in range(KILLS):
        child = subprocess.Popen(
            [sys.executable, "-m", "bench.gate.stores", "--update", name, target], stdout=subprocess.PIPE
        )
        child.stdout.readline()
        time.sleep(random.uniform(0.0, 0.4 if name == "file" else 3.0))
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        try:
            seen.add(store.load().run.commit)
        except Exception as error:  # noqa: BLE001 (any trouble is what is counted)
            print(error)
            broken += 1
    print(f"{name}: kill -9 {KILLS} times, baselines not whole: {broken}; commits seen: {len(seen)}")
    return broken


def open_store(name, target):
    if name == "file":
        return FileStore(Path(target))
    branch = GitBranch(target, "ragjudge-baseline", environ=os.environ, patience=PATIENCE)
    return BranchStore(branch, suite="suite.json", base_branch="main")


def update_for_ever(name, target):
    store = open_store(name, target)
    many = [baseline(n, 200) for n in range(1, 4)]
    print("ready", flush=True)
    while True:
        for one in many:
            store.change(lambda _, one=one: one)


def main():
    if "--update" in sys.argv:
        update_for_ever(*sys.argv[-2:])
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for repository in ("writers.git", "kills.git"):
            subprocess.run(["git", "init", "-q", "--bare", str(folder / repository)], check=True)
        bad += writers("git", lambda: open_store("git", str(folder / "writers.git")))
        with FakeGitHub() as github, GitHubApi(github.url, SecretStr("t")) as api:
            branch = GitHubBranch(api, github.repository, "ragjudge-baseline", patience=PATIENCE)
            bad += writers("github api", lambda: BranchStore(branch, suite="suite.json", base_branch="main"))
        bad += kills("file", FileStore(folder / "b.json"), str(folder / "b.json"))
        left = [p.name for p in folder.iterdir() if p.name.endswith(".part")]
        print(
            f"file: half-written files left beside it: {len(left)} (read by nobody; the next writer clears them away after an hour)"
        )
        bad += kills("git", open_store("git", str(folder / "kills.git")), str(folder / "kills.git"))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
