"""Vectors of texts without a model: character n-grams, hashed, weighted and normed. Deterministic on every machine."""

import math
import zlib
from collections import Counter
from collections.abc import Sequence

from ragjudge.judge.text import folded, grams
from ragjudge.ports import Embedded
from ragjudge.results.fingerprint import EmbedderIdentity
from ragjudge.results.usage import Usage

DIMENSIONS = 1024


class OfflineEmbedder:
    """n-gram vectors: texts with the same wording are near, whatever they mean."""

    @property
    def identity(self) -> EmbedderIdentity:
        return EmbedderIdentity(provider="offline", model="char-ngrams-1")

    async def embed(self, texts: Sequence[str]) -> Embedded:
        return Embedded(tuple(vector(text) for text in texts), Usage())

    async def close(self) -> None:
        return None


def vector(text: str) -> tuple[float, ...]:
    """Length 1. A text without a letter or digit gets a vector of its own, so that none is zero."""
    counts: Counter[str] = Counter()
    plain = folded(text)
    for size in (1, 2, 3):
        counts.update(grams(plain, size))
    values = [0.0] * DIMENSIONS
    for gram, count in counts.items():
        values[zlib.crc32(gram.encode("utf-8", "surrogatepass")) % DIMENSIONS] += _weight(gram, count)
    length = math.sqrt(sum(value * value for value in values))
    if length == 0.0:
        values[0] = length = 1.0
    return tuple(value / length for value in values)


def _weight(gram: str, count: int) -> float:
    """Kana alone carry grammar rather than meaning; longer grams tell more."""
    kana = all("\u3041" <= char <= "\u3096" for char in gram)
    return (1.0 + math.log(count)) * (0.3 if kana else 1.0) * math.sqrt(len(gram))
