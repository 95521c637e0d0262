"""Search a knowledge base by its own API: what the app would probably have found, marked as "retrieved apart"."""

from urllib.parse import quote

from ragjudge.dify.calls import Caller
from ragjudge.dify.passages import Collected
from ragjudge.dify.transport import Transport
from ragjudge.dify.wire import list_of, mapping_of, name_of, number_of, text_of
from ragjudge.results.answer import Context

_LONGEST_QUERY = 250
"""Dify refuses a longer one."""


class Knowledge:
    """The knowledge bases named in `app.datasets`, each searched with its own settings."""

    def __init__(self, transport: Transport, caller: Caller, datasets: tuple[str, ...]) -> None:
        self._transport = transport
        self._caller = caller
        self._datasets = datasets

    async def search(self, query: str) -> tuple[Context, ...]:
        """Passages of all of them, best score first. Raises where a server says no."""
        found: list[Context] = []
        for dataset in self._datasets:
            path = f"/datasets/{quote(dataset, safe='')}/retrieve"
            reply = await self._caller.call("POST", path, body={"query": query[:_LONGEST_QUERY]})
            self._caller.check(reply)
            found += (
                context
                for record in list_of(reply.body.get("records"))
                if (context := _passage(record, dataset)) is not None
            )
        ranked = Collected()
        ranked.add(sorted(found, key=lambda context: -(context.score or 0.0)))
        return ranked.all

    async def close(self) -> None:
        await self._transport.close()


def _passage(record: object, dataset: str) -> Context | None:
    segment = mapping_of(mapping_of(record).get("segment"))
    document = mapping_of(segment.get("document"))
    content = text_of(segment.get("content"))
    if not content.strip():
        return None
    return Context(
        rank=1,
        content=content,
        score=number_of(mapping_of(record).get("score")),
        document_id=name_of(segment.get("document_id")) or name_of(document.get("id")),
        document_name=name_of(document.get("name")),
        dataset_id=dataset,
        segment_id=name_of(segment.get("id")),
    )
