"""After a cut stream: fetch the finished answer, which the server goes on to write.

The run's detail comes first, then the message history; an empty answer in the history of a cut run (1.9) is not an
empty answer. The detail holds no passages, so an answer counts as recovered only where all its passages are known too:
from the stream before the cut (once the app had begun to speak: retrieval was over), or from the history. What the
answer cost is told at the end of a stream only.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote

from ragjudge.dify.ending import Ending, Kind, Refusal
from ragjudge.dify.fold import Reading
from ragjudge.dify.listening import Request
from ragjudge.dify.outputs import answer_in, read_outputs, with_outputs
from ragjudge.dify.passages import of_resources
from ragjudge.dify.transport import BodyUnreadable, NoReply, Reply, Transport
from ragjudge.dify.wire import list_of, mapping_of, text_of
from ragjudge.ports import Clock
from ragjudge.results.usage import Usage

_DONE = ("succeeded", "partial-succeeded")
_GOING_ON = ("running", "scheduled")
_BLIND_S = 8.0
"""How long to wait for an answer of which nothing tells that it is still being made."""
_SHARE = 0.6
"""Share of the time left that may be waited for a run that goes on: the rest is for asking once more."""
NOTE = "recovered_after_cut"


@dataclass(frozen=True, slots=True)
class Recovery:
    """`time_left` tells how many seconds the question still has."""

    transport: Transport
    reading: Reading
    clock: Clock
    time_left: Callable[[], float]

    async def recover(self, request: Request, cut: Ending) -> Ending | None:
        """The whole answer, or how its run failed; None where the server does not have it."""
        if self.reading.mode == "completion" or not (cut.ids.run or cut.ids.conversation):
            return None
        most, waited, pause = _SHARE * self.time_left(), 0.0, 0.5
        while True:
            status = await self._run(cut) if cut.ids.run else {}
            ending = self._from_run(status, cut)
            if ending is not None and ending.kind is not Kind.ANSWERED:
                return ending
            ending = await self._from_history(request, cut) or ending
            evidence = ending.evidence.whole() if ending is not None else None
            if ending is not None and evidence is not None:
                usage = ending.usage + Usage(unreported=1)
                return replace(ending, evidence=evidence, notes=(*ending.notes, NOTE), usage=usage)
            going_on = text_of(status.get("status")) in _GOING_ON
            if waited + pause > (most if going_on else min(most, _BLIND_S)) or (
                ending is not None and not going_on
            ):
                return None
            await self.clock.sleep(pause)
            waited += pause
            pause = min(4.0, 2 * pause)

    async def _run(self, cut: Ending) -> dict[str, object]:
        return await self._get(f"/workflows/run/{quote(cut.ids.run, safe='')}", {})

    def _from_run(self, body: Mapping[str, object], cut: Ending) -> Ending | None:
        status = text_of(body.get("status"))
        if not status or status in _GOING_ON:
            return None
        if status not in _DONE:
            refusal = Refusal(status=200, message=text_of(body.get("error")) or status)
            return replace(cut, kind=Kind.STOPPED if status == "stopped" else Kind.FAILED, refusal=refusal)
        outputs = read_outputs(body.get("outputs"))
        evidence = cut.evidence
        if self.reading.mode == "workflow":
            evidence = with_outputs(evidence, outputs, self.reading.contexts_path)
            text = answer_in(outputs, self.reading.answer_path)
        else:
            text = answer_in(outputs, "answer") or ""
        return replace(cut, kind=Kind.ANSWERED, text=text, evidence=evidence, output_names=tuple(outputs))

    async def _from_history(self, request: Request, cut: Ending) -> Ending | None:
        if not cut.ids.message or not cut.ids.conversation:
            return None
        params = {"conversation_id": cut.ids.conversation, "user": request.user, "limit": "20"}
        body = await self._get("/messages", params)
        for item in list_of(body.get("data")):
            message = mapping_of(item)
            if text_of(message.get("id")) == cut.ids.message and text_of(message.get("answer")):
                resources = of_resources(message.get("retriever_resources"))
                evidence = replace(cut.evidence, history=resources, lost=not resources)
                return replace(
                    cut, kind=Kind.ANSWERED, text=text_of(message.get("answer")), evidence=evidence
                )
        return None

    async def _get(self, path: str, params: dict[str, str]) -> dict[str, object]:
        try:
            reply: Reply = await self.transport.call("GET", path, params=params or None)
        except (NoReply, BodyUnreadable):
            return {}
        return dict(reply.body) if reply.ok else {}
