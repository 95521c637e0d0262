"""Nothing is judged twice: replies and vectors remembered under everything that can change them."""

import asyncio
import hashlib
import json
from array import array
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache

from pydantic import BaseModel, ValidationError

from ragjudge.judge.origins import Origin
from ragjudge.judge.verdict_store import VerdictStore
from ragjudge.ports import Embedded, Embedder, Judge, JudgeReply, JudgeTask, R
from ragjudge.results.fingerprint import EmbedderIdentity, JudgeIdentity

FORM = "2"
"""Bumped when what is stored changes its meaning: replies of an older form are not found."""


class _Stored(BaseModel):
    value: dict[str, object]
    notes: tuple[str, ...]


class CachedJudge:
    """Wraps any judge. Only replies are kept: a refusal, a filter or an outage is asked about anew each time."""

    def __init__(self, judge: Judge, store: VerdictStore, *, origin: Origin = lambda _: "") -> None:
        self._judge = judge
        self._store = store
        self._origin = origin
        self._one_at_a_time = _Gates()

    @property
    def identity(self) -> JudgeIdentity:
        return self._judge.identity

    async def probe(self) -> None:
        await self._judge.probe()

    async def ask(self, task: JudgeTask[R]) -> JudgeReply[R]:
        """A remembered reply costs no call and no token. The same task asked twice at once is judged once."""
        async with self._one_at_a_time.gate(self._key(task)):
            # The judge may have learned a parameter while we waited: that is another judge, and another key.
            found = self._remembered(task)
            if found is not None:
                return found
            reply = await self._judge.ask(task)
            stored = _Stored(value=reply.value.model_dump(mode="json"), notes=reply.notes)
            self._store.put(self._key(task), stored.model_dump_json().encode())
            return reply

    def _key(self, task: JudgeTask[R]) -> str:
        judge = self._judge.identity
        return task_key(task, judge, origin=self._origin(judge))

    def _remembered(self, task: JudgeTask[R]) -> JudgeReply[R] | None:
        """None as well for what no longer fits the schema or the task's check."""
        raw = self._store.get(self._key(task))
        if raw is None:
            return None
        try:
            stored = _Stored.model_validate_json(raw)
            value = task.reply.model_validate(stored.value)
        except ValidationError:
            return None
        if task.check is not None and task.check(value) is not None:
            return None
        return JudgeReply(value, notes=stored.notes)

    async def close(self) -> None:
        self._store.close()
        await self._judge.close()


class CachedEmbedder:
    """Wraps any embedder; one entry per text, exact to the last bit."""

    def __init__(self, embedder: Embedder, store: VerdictStore, *, origin: str = "") -> None:
        self._embedder = embedder
        self._store = store
        self._origin = origin

    @property
    def identity(self) -> EmbedderIdentity:
        return self._embedder.identity

    async def embed(self, texts: Sequence[str]) -> Embedded:
        known = {text: self._remembered(text) for text in texts}
        missing = [text for text, vector in known.items() if vector is None]
        if not missing:
            return Embedded(tuple(known[text] or () for text in texts))
        fresh = await self._embedder.embed(missing)
        made = dict(zip(missing, fresh.vectors, strict=True))
        for text, vector in made.items():
            self._store.put(self._key(text), array("d", vector).tobytes())
        return Embedded(tuple(known[text] or made[text] for text in texts), fresh.usage)

    def _remembered(self, text: str) -> tuple[float, ...] | None:
        raw = self._store.get(self._key(text))
        if raw is None or not raw or len(raw) % 8:
            return None
        numbers = array("d")
        numbers.frombytes(raw)
        return tuple(numbers)

    def _key(self, text: str) -> str:
        return _digest(["vector", FORM, self._origin, self._embedder.identity.model_dump(), text])

    async def close(self) -> None:
        """The store is the judge's to close."""
        await self._embedder.close()


def task_key(task: JudgeTask[R], judge: JudgeIdentity, *, origin: str = "") -> str:
    """Everything that can change a reply: prompt, material, schema, repeat, and the judge, where and with what."""
    return _digest(
        [
            "reply",
            FORM,
            origin,
            judge.model_dump(),
            task.name,
            task.prompt_digest,
            task.language,
            _schema(task.reply),
            dict(task.fields),
            task.sample,
        ]
    )


@cache
def _schema(reply: type[BaseModel]) -> str:
    return json.dumps(reply.model_json_schema(), sort_keys=True)


def _digest(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class _Gates:
    """One lock per key, for as long as somebody needs it."""

    def __init__(self) -> None:
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def gate(self, key: str) -> AsyncIterator[None]:
        lock, users = self._locks.get(key, (asyncio.Lock(), 0))
        self._locks[key] = lock, users + 1
        try:
            async with lock:
                yield
        finally:
            lock, users = self._locks.pop(key)
            if users > 1:
                self._locks[key] = lock, users - 1
