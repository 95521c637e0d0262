"""Vectors from an OpenAI-compatible server."""

import math
from collections.abc import Sequence
from random import Random
from typing import NoReturn

from pydantic import JsonValue

from ragjudge.errors import JudgeCouldNotScore, JudgeMisconfigured
from ragjudge.judge.address import Address
from ragjudge.judge.completion import usage_of
from ragjudge.judge.door import Door
from ragjudge.judge.lines import Line
from ragjudge.judge.patience import Passing, Patience
from ragjudge.judge.refusals import Kind, Refused, Silent, kind_of
from ragjudge.judge.trouble import as_error, distrusted, shortened, timed_out, unreachable
from ragjudge.language import Text
from ragjudge.ports import Clock, Embedded
from ragjudge.results.fingerprint import EmbedderIdentity
from ragjudge.results.outcome import Cause
from ragjudge.settings import EmbeddingSettings, JudgeSettings


class OpenAIEmbedder:
    """Checks what comes back: one finite, nonzero vector per text, all of one length for the whole run."""

    def __init__(
        self,
        settings: EmbeddingSettings,
        *,
        judge: JudgeSettings,
        ca_file: str | None = None,
        clock: Clock,
        random: Random,
    ) -> None:
        """Address and key are the judge's where the embedding has none of its own."""
        self._model = settings.model or ""
        own = settings.base_url is not None
        key = settings.api_key if own or settings.api_key.get_secret_value() else judge.api_key
        if own and settings.base_url != judge.base_url:
            self._address = Address(settings.base_url, key, settings.api_version, ca_file)
        else:
            version = settings.api_version or judge.api_version
            self._address = Address(judge.base_url, key, version, ca_file).for_another_model()
        self._door = Door(self._address, most_in_flight=judge.concurrency)
        self._timeout_s = judge.timeout_s
        self._clock = clock
        self._random = random
        self._length: int | None = None

    @property
    def identity(self) -> EmbedderIdentity:
        return EmbedderIdentity(provider="openai", model=self._model)

    async def embed(self, texts: Sequence[str]) -> Embedded:
        """Raises JudgeCouldNotScore (EMBEDDING_UNUSABLE or as the judge), JudgeMisconfigured, JudgeOutOfQuota."""
        if not texts:
            return Embedded(())
        if self._address.problem is not None:
            raise JudgeMisconfigured(self._address.problem)
        patience = Patience(self._timeout_s, clock=self._clock, random=self._random)
        with self._door.line() as line:
            answer = await patience.through(lambda: self._one(list(texts), patience, line))
        vectors = vectors_of(answer, len(texts))
        if isinstance(vectors, str):
            _unusable(shortened(vectors))
        length = len(vectors[0])
        if self._length not in (None, length):
            _unusable(f"vectors of {length} numbers after vectors of {self._length}")
        self._length = length
        return Embedded(vectors, usage_of(answer) if isinstance(answer, dict) else usage_of({}))

    async def close(self) -> None:
        await self._door.close()

    async def _one(self, texts: list[str], patience: Patience, line: Line) -> object:
        secrets = (self._address.api_key.get_secret_value(),)
        try:
            async with patience.counted() as begins:
                wanted: dict[str, JsonValue] = {"model": self._model, "input": [*texts]}
                return await self._door.post("/embeddings", wanted, line, begins)
        except Refused as refused:
            error = as_error(refused.refusal, model=self._model, address=self._address.shown, secrets=secrets)
            if kind_of(refused.refusal) in (Kind.PASSING, Kind.RATE_LIMITED):
                raise Passing(error, retry_after=refused.refusal.retry_after) from None
            raise error from None
        except Silent as silent:
            said, where = shortened(str(silent), secrets), self._address.shown
            if silent.distrusted:
                raise distrusted(where, said) from None
            raise Passing(unreachable(where, said)) from None
        except TimeoutError:
            raise timed_out() from None


def vectors_of(answer: object, expected: int) -> tuple[tuple[float, ...], ...] | str:
    """The vectors in the order of the texts, or what is wrong with them, in words."""
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list) or len(data) != expected:
        return f"{len(data) if isinstance(data, list) else 'no'} vectors for {expected} texts"
    placed: dict[int, tuple[float, ...]] = {}
    for position, item in enumerate(data):
        vector = item.get("embedding") if isinstance(item, dict) else None
        if not isinstance(vector, list) or not vector or not all(_is_number(value) for value in vector):
            return "a vector that is not a list of finite numbers"
        index = item.get("index", position)
        if index not in range(expected) or index in placed:
            return f"a vector with the index {index!r}"
        placed[index] = tuple(float(value) for value in vector)
    if len({len(vector) for vector in placed.values()}) != 1:
        return "vectors of different lengths"
    if any(not any(vector) for vector in placed.values()):
        return "a vector that is all zero"
    return tuple(placed[index] for index in range(expected))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _unusable(said: str) -> NoReturn:
    raise JudgeCouldNotScore(
        Text(
            f"The embedding model's answer can't be used: {said}", f"埋め込みモデルの応答を使えません: {said}"
        ),
        cause=Cause.EMBEDDING_UNUSABLE,
        passing=True,
    )
