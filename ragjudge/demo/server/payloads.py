"""The JSON objects that several events and bodies share: passages, citations, usage."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from ragjudge.demo.corpus import Corpus
from ragjudge.demo.loose import JsonObject
from ragjudge.demo.retrieval import Hit
from ragjudge.demo.server.options import Dialect

_PROMPT_PRICE = Decimal("0.15")
_ANSWER_PRICE = Decimal("0.60")
_PER = Decimal("0.000001")
_PLACES = Decimal("0.0000001")


@dataclass(frozen=True, slots=True)
class Spent:
    """What one or several model calls took."""

    prompt_tokens: int = 0
    answer_tokens: int = 0
    latency_s: float = 0.0

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.answer_tokens

    @property
    def price(self) -> str:
        if not self.tokens:
            return "0.0"
        cost = (self.prompt_tokens * _PROMPT_PRICE + self.answer_tokens * _ANSWER_PRICE) * _PER
        return f"{cost.quantize(_PLACES):f}"

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(
            self.prompt_tokens + other.prompt_tokens,
            self.answer_tokens + other.answer_tokens,
            self.latency_s + other.latency_s,
        )


def usage(spent: Spent, dialect: Dialect, *, timed: bool = True) -> JsonObject:
    """Dify's usage object; prices are strings, and all is zero (not absent) where no model was called.

    `timed`: apps without a graph never tell when the first token came.
    """
    called = spent.tokens > 0
    shown: JsonObject = {
        "prompt_tokens": spent.prompt_tokens,
        "prompt_unit_price": str(_PROMPT_PRICE) if called else "0.0",
        "prompt_price_unit": str(_PER) if called else "0.0",
        "prompt_price": Spent(spent.prompt_tokens).price,
        "completion_tokens": spent.answer_tokens,
        "completion_unit_price": str(_ANSWER_PRICE) if called else "0.0",
        "completion_price_unit": str(_PER) if called else "0.0",
        "completion_price": Spent(0, spent.answer_tokens).price,
        "total_tokens": spent.tokens,
        "total_price": spent.price,
        "currency": "USD",
        "latency": round(spent.latency_s, 3),
    }
    if dialect.timing_in_usage:
        shown["time_to_first_token"] = round(spent.latency_s, 3) if called and timed else None
        shown["time_to_generate"] = 0.001 if called and timed else None
    return shown


def node_results(
    corpus: Corpus, hits: Sequence[Hit], dialect: Dialect, *, count: Callable[[str], int]
) -> list[JsonObject]:
    """Passages as a knowledge-retrieval node puts them out. `count` counts one more use of a segment."""
    return [
        _node_result(corpus, hit, position, dialect, count(hit.passage.segment_id))
        for position, hit in enumerate(hits, start=1)
    ]


def _node_result(corpus: Corpus, hit: Hit, position: int, dialect: Dialect, hit_count: int) -> JsonObject:
    passage = hit.passage
    result: JsonObject = {
        "metadata": {
            "_source": "knowledge",
            "dataset_id": corpus.dataset_id,
            "dataset_name": corpus.name,
            "document_id": passage.document_id,
            "document_name": passage.document_name,
            "data_source_type": "upload_file",
            "segment_id": passage.segment_id,
            "retriever_from": "workflow",
            "score": hit.score,
            "child_chunks": [],
            "segment_hit_count": hit_count,
            "segment_word_count": len(passage.content),
            "segment_position": passage.position,
            "segment_index_node_hash": passage.index_node_hash,
            "doc_metadata": None,
            "position": position,
        },
        "title": passage.document_name,
        "content": passage.content,
    }
    return result | {"files": None, "summary": None} if dialect.files_in_resources else result


def cited(result: JsonObject, position: int, dialect: Dialect) -> JsonObject:
    """A node's passage as `retriever_resources` shows it."""
    found = result["metadata"]
    assert isinstance(found, dict)
    shared = ("dataset_id", "dataset_name", "document_id", "document_name", "data_source_type", "segment_id")
    resource: JsonObject = {"position": position, **{name: found[name] for name in shared}}
    resource |= {
        "retriever_from": found["retriever_from"],
        "score": found["score"],
        "hit_count": found["segment_hit_count"],
        "word_count": found["segment_word_count"],
        "segment_position": found["segment_position"],
        "index_node_hash": found["segment_index_node_hash"],
        "content": result["content"],
        "page": None,
        "doc_metadata": None,
        "title": None,
    }
    return resource | {"files": None, "summary": None} if dialect.files_in_resources else resource


def cited_by_plain_app(result: JsonObject, position: int, dialect: Dialect) -> JsonObject:
    """The same for apps without a graph: they know less about the segment."""
    unknown: JsonObject = dict.fromkeys(("hit_count", "word_count", "segment_position", "index_node_hash"))
    return cited(result, position, dialect) | unknown | {"retriever_from": "api"}
