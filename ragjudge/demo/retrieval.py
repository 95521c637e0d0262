"""Finds passages for a question: BM25 (Robertson and Zaragoza 2009) over the terms of `words`."""

import heapq
import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import islice

from ragjudge.demo.corpus import Corpus, Passage
from ragjudge.demo.words import terms

_K1 = 1.2
_B = 0.75


@dataclass(frozen=True, slots=True)
class Hit:
    """A found passage. `score` lies in 0..1: its BM25 sum over the highest sum any passage could reach."""

    passage: Passage
    score: float


class Index:
    """An inverted index over one corpus. Building is linear in its size; a search touches matching passages only."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        counted = [Counter(terms(f"{p.title}\n{p.content}")) for p in corpus.passages]
        lengths = [sum(counts.values()) for counts in counted]
        average = sum(lengths) / len(lengths) or 1.0
        for number, counts in enumerate(counted):
            damping = _K1 * (1 - _B + _B * lengths[number] / average)
            for term, count in counts.items():
                self._postings[term].append((number, count * (_K1 + 1) / (count + damping)))

    def weight(self, term: str) -> float:
        """How rare a term is (inverse document frequency, always positive)."""
        holders = len(self._postings.get(term, ()))
        return math.log(1 + (len(self.corpus.passages) - holders + 0.5) / (holders + 0.5))

    def search(self, query: str, *, top_k: int, score_threshold: float | None = None) -> list[Hit]:
        """The best `top_k` passages, best first; ties in corpus order.

        Like a vector search it always finds `top_k`: without a threshold, what shares nothing follows with score 0.
        """
        sums: dict[int, float] = defaultdict(float)
        best_possible = 0.0
        for term in set(terms(query)):
            weight = self.weight(term)
            best_possible += weight * (_K1 + 1)
            for number, saturation in self._postings.get(term, ()):
                sums[number] += weight * saturation
        ranked = heapq.nsmallest(top_k, sums.items(), key=lambda pair: (-pair[1], pair[0]))
        hits = [Hit(self.corpus.passages[number], total / best_possible) for number, total in ranked]
        if score_threshold is not None:
            return [hit for hit in hits if hit.score >= score_threshold]
        others = (passage for number, passage in enumerate(self.corpus.passages) if number not in sums)
        return hits + [Hit(passage, 0.0) for passage in islice(others, top_k - len(hits))]
