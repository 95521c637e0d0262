"""The verdict cache: what is found again, what is not, and what no trouble may break."""

import asyncio
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Barrier

import pytest

from ragjudge.errors import JudgeCouldNotScore
from ragjudge.judge.cache import CachedEmbedder, CachedJudge, task_key
from ragjudge.judge.vectors import OfflineEmbedder
from ragjudge.judge.verdict_store import VerdictStore
from ragjudge.language import Text
from ragjudge.ports import JudgeReply
from ragjudge.results.fingerprint import JudgeIdentity
from ragjudge.results.outcome import Cause
from ragjudge.results.usage import Usage

from .conftest import usefulness


class Counting:
    """A judge that counts its calls."""

    def __init__(self, model="m", fail=None):
        self.identity = JudgeIdentity(provider="fake", model=model)
        self.calls = 0
        self.fail = fail

    async def probe(self):
        pass

    async def ask(self, task):
        self.calls += 1
        await asyncio.sleep(0)
        if self.fail:
            raise self.fail
        return JudgeReply(task.reply(reason=f"call {self.calls}", useful=True), Usage(calls=1), ("coerced",))

    async def close(self):
        pass


def ask(path: Path, judge: Counting, *tasks, **store):
    async def story():
        cached = CachedJudge(judge, VerdictStore(path, **store))
        try:
            return [await cached.ask(task) for task in tasks]
        finally:
            await cached.close()

    return asyncio.run(story())


def test_a_second_run_costs_no_call_and_says_the_same(tmp_path):
    """The reply and its notes come back, without usage."""
    judge, path = Counting(), tmp_path / "cache" / "verdicts.sqlite"

    (first,) = ask(path, judge, usefulness())
    (second,) = ask(path, judge, usefulness())

    assert 1 == judge.calls
    assert first.value == second.value
    assert ("coerced",) == second.notes
    assert Usage() == second.usage


@pytest.mark.parametrize(
    "change",
    [
        {"sample": "2"},
        {"prompt_digest": "other"},
        {"fields": {"question": "q", "reference": "r", "context": "other"}},
        {"name": "other"},
        {"language": "ja"},
    ],
)
def test_whatever_can_change_a_reply_is_in_the_key(tmp_path, change):
    """B10: three repeats are three calls."""
    judge = Counting()

    ask(tmp_path / "c", judge, usefulness(), replace(usefulness(), **change))

    assert 2 == judge.calls


def test_another_judge_finds_nothing(tmp_path):
    """Model and parameters are in the key."""
    other = JudgeIdentity(provider="fake", model="m", parameters={"temperature": "default"})

    assert task_key(usefulness(), Counting().identity) != task_key(usefulness(), other)
    assert task_key(usefulness(), Counting().identity) != task_key(usefulness(), Counting("n").identity)


def test_fences_and_order_are_not_in_the_key(tmp_path):
    """The prompt's random fences differ from process to process; the material does not."""
    judge = Counting()

    ask(tmp_path / "c", judge, usefulness(), replace(usefulness(), user="other fences", order=7))

    assert 1 == judge.calls


def test_a_failure_is_not_remembered(tmp_path):
    """P5: a filtered or failed judgement is asked about again."""
    filtered = JudgeCouldNotScore(Text("no", "no"), cause=Cause.JUDGE_CONTENT_FILTER)
    with pytest.raises(JudgeCouldNotScore):
        ask(tmp_path / "c", Counting(fail=filtered), usefulness())
    judge = Counting()

    ask(tmp_path / "c", judge, usefulness())

    assert 1 == judge.calls


def test_the_same_task_twice_at_once_is_judged_once(tmp_path):
    """The second waits for the first."""
    judge = Counting()

    async def story():
        cached = CachedJudge(judge, VerdictStore(tmp_path / "c"))
        await asyncio.gather(*(cached.ask(usefulness()) for _ in range(5)))
        await cached.close()

    asyncio.run(story())

    assert 1 == judge.calls


def test_a_stored_reply_that_fails_the_tasks_check_is_judged_anew(tmp_path):
    """A check that became stricter is not fooled by the past."""
    judge = Counting()

    ask(
        tmp_path / "c",
        judge,
        usefulness(),
        usefulness(check=lambda _: Text("no longer good enough", "不十分です")),
    )

    assert 2 == judge.calls


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_set_aside_and_the_run_goes_on(tmp_path, content):
    """A cache never stops a run."""
    path = tmp_path / "c"
    path.write_bytes(content)
    judge = Counting()

    ask(path, judge, usefulness(), usefulness())

    assert 1 == judge.calls
    assert content == (tmp_path / "c.damaged").read_bytes()


def test_the_file_stays_within_its_bounds_and_old_entries_go_first(tmp_path):
    """What the last run used is kept."""
    path, judge = tmp_path / "c", Counting()
    old = [usefulness(context=f"old {n}") for n in range(50)]
    ask(path, judge, *old)

    ask(path, judge, old[7], usefulness(context="new"), most_bytes=400)
    ask(path, judge, old[7], usefulness(context="new"), old[8])

    assert 52 == judge.calls
    assert path.stat().st_size < 40_000


def _a_folder(path):
    path.mkdir()


def _a_file_in_the_way(path):
    path.parent.rmdir()
    path.parent.write_text("not a folder")


def _of_another_program(path):
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE VIEW verdicts AS SELECT 1")


@pytest.mark.parametrize("obstacle", [_a_folder, _a_file_in_the_way, _of_another_program])
def test_where_no_file_can_be_had_the_run_goes_on_without_one(tmp_path, obstacle):
    """A cache never stops a run, and takes nothing away that is not its own; within the run it still remembers."""
    path, judge = tmp_path / "cache" / "verdicts.sqlite", Counting()
    path.parent.mkdir()
    obstacle(path)

    ask(path, judge, usefulness())
    ask(path, judge, usefulness(), usefulness())

    assert 2 == judge.calls
    assert [] == list(tmp_path.rglob("*.damaged"))


def test_a_file_that_another_holds_is_left_alone(tmp_path):
    """A locked database is no damaged one: nothing of it is moved away, and the run goes on without it."""
    path, judge = tmp_path / "c", Counting()
    ask(path, judge, usefulness())
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        ask(path, judge, usefulness(), wait_s=0.1)
        other.execute("ROLLBACK")

    ask(path, judge, usefulness())

    assert 2 == judge.calls
    assert [] == list(tmp_path.glob("*.damaged"))


WRITER = """
import sys
from pathlib import Path
from ragjudge.judge.verdict_store import VerdictStore
store = VerdictStore(Path(sys.argv[1]))
for n in range(80):
    store.put(f"{sys.argv[2]}-{n}", b"verdict")
store.close()
"""


def test_parallel_writers_lose_nothing(tmp_path):
    """Three processes write at once; all their verdicts are there after."""
    path = tmp_path / "c"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(who)]) for who in range(3)]

    assert [0, 0, 0] == [writer.wait() for writer in writers]
    store = VerdictStore(path)
    found = [store.get(f"{who}-{n}") for who in range(3) for n in range(80)]
    store.close()
    assert [b"verdict"] * 240 == found


@pytest.mark.parametrize("content", [None, b"not a database at all" * 100])
def test_writers_that_open_the_file_in_the_same_moment_lose_nothing(tmp_path, content):
    """A file is made once and a damaged one is set aside once, whoever comes at the same time."""
    together = Barrier(4)

    def write(path, who):
        together.wait()
        store = VerdictStore(path)
        for n in range(5):
            store.put(f"{who}-{n}", b"verdict")
        store.close()

    for number in range(10):
        path = tmp_path / f"c{number}"
        if content is not None:
            path.write_bytes(content)
        with ThreadPoolExecutor(4) as writers:
            list(writers.map(partial(write, path), range(4)))

        store = VerdictStore(path)
        found = [store.get(f"{who}-{n}") for who in range(4) for n in range(5)]
        store.close()
        assert [b"verdict"] * 20 == found
        assert [content] * (content is not None) == [
            file.read_bytes() for file in tmp_path.glob(f"c{number}.damaged")
        ]


def test_a_killed_writer_damages_nothing(tmp_path):
    """What was written before the kill is found after it."""
    path = tmp_path / "c"
    program = WRITER.replace("store.close()", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    killed = subprocess.run([sys.executable, "-c", program, str(path), "0"], check=False)

    store = VerdictStore(path)
    found = [store.get(f"0-{n}") for n in range(80)]
    store.close()
    assert -9 == killed.returncode
    assert [b"verdict"] * 80 == found


def test_vectors_come_back_to_the_last_bit(tmp_path):
    """Similarities are the same in the second run, and only new texts are embedded."""

    async def story():
        asked = []

        class Spy(OfflineEmbedder):
            async def embed(self, texts):
                asked.append(list(texts))
                return await super().embed(texts)

        store = VerdictStore(tmp_path / "c")
        embedder = CachedEmbedder(Spy(), store)
        first = await embedder.embed(["a", "b", "a"])
        second = await embedder.embed(["b", "c", "a"])
        store.close()
        return asked, first.vectors, second.vectors

    asked, first, second = asyncio.run(story())

    assert [["a", "b"], ["c"]] == asked
    assert (first[1], first[0]) == (second[0], second[2])
