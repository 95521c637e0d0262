"""The knowledge API's retrieve call: what the knowledge base finds for a text, without any app around it."""

from ragjudge.demo.answering import estimate_tokens
from ragjudge.demo.corpus import stable_id
from ragjudge.demo.definition import Retrieval
from ragjudge.demo.loose import JsonObject, mapping, number
from ragjudge.demo.retrieval import Hit
from ragjudge.demo.server.asking import World, now
from ragjudge.demo.server.refusals import BadField, bad_field, invalid, missing_field, refused
from ragjudge.demo.server.replies import json_reply, read_json
from ragjudge.demo.server.wire import Reply, Request

_LONGEST_QUERY = 250
_MODEL = "HitTestingPayload"


class Knowledge:
    """Needs a dataset key; an app's key is not enough."""

    def __init__(self, world: World) -> None:
        self._world = world

    def retrieve(self, request: Request, dataset_id: str) -> Reply:
        body = read_json(request)
        if dataset_id != self._world.index.corpus.dataset_id:
            raise refused(404, "not_found", "Dataset not found.")
        query = self._query(body)
        wanted = mapping(body.get("retrieval_model"))
        threshold = number(wanted.get("score_threshold")) if wanted.get("score_threshold_enabled") else None
        how = Retrieval(int(number(wanted.get("top_k")) or Retrieval().top_k), threshold)
        hits = self._world.index.search(query, top_k=how.top_k, score_threshold=how.score_threshold)
        older = self._world.dialect.field_errors
        records: list[object] = [self._record(hit) for hit in hits]
        return json_reply(self._world, {"query": {"content": query} if older else query, "records": records})

    def _query(self, body: JsonObject) -> str:
        query = body.get("query")
        older = "Query is required and cannot exceed 250 characters"
        if isinstance(query, str) and 0 < len(query) <= _LONGEST_QUERY:
            return query
        if self._world.dialect.field_errors or not query:
            raise invalid(older) if query is not None else self._missing(body, older)
        newer = f"String should have at most {_LONGEST_QUERY} characters"
        raise bad_field(
            self._world.dialect, BadField(_MODEL, "query", older, newer, "string_too_long", query)
        )

    def _missing(self, body: JsonObject, older: str) -> Exception:
        if self._world.dialect.field_errors:
            return invalid(older)
        return missing_field(self._world.dialect, body, model=_MODEL, field="query", about="")

    def _record(self, hit: Hit) -> JsonObject:
        passage = hit.passage
        newer = not self._world.dialect.field_errors
        document: JsonObject = {
            "id": passage.document_id,
            "data_source_type": "upload_file",
            "name": passage.document_name,
            "doc_type": None,
            "doc_metadata": None,
        }
        segment: JsonObject = {
            "id": passage.segment_id,
            "position": passage.position,
            "document_id": passage.document_id,
            "content": passage.content,
            "sign_content": None if newer else passage.content,
            "answer": None,
            "word_count": len(passage.content),
            "tokens": estimate_tokens(passage.content),
            "keywords": [] if newer else None,
            "index_node_id": stable_id("node", passage.key),
            "index_node_hash": passage.index_node_hash,
            "hit_count": self._world.memory.hit(passage.segment_id),
            "enabled": True,
            "disabled_at": None,
            "disabled_by": None,
            "status": "completed",
            "created_by": stable_id("account", "demo"),
            "created_at": None if newer else now(),
            "indexing_at": now(),
            "completed_at": now(),
            "error": None,
            "stopped_at": None,
            "document": document,
        }
        children: object = [] if newer else None
        record: JsonObject = {"segment": segment, "child_chunks": children, "score": hit.score}
        record["tsne_position"] = None
        return record | {"files": [], "summary": None} if newer else record
