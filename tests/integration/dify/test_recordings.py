"""Every recorded exchange of two real servers, replayed byte for byte over a real socket."""

import asyncio
import json
import os
import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from pydantic import SecretStr

from ragjudge.dify.client import DifyApp
from ragjudge.dify.ending import Kind
from ragjudge.dify.events import read
from ragjudge.dify.fold import Fold, Reading
from ragjudge.dify.form import read_form
from ragjudge.dify.limits import Limits
from ragjudge.dify.profile import read_profile
from ragjudge.dify.sse import SseDecoder
from ragjudge.errors import RagjudgeError
from ragjudge.ports import AppQuestion
from ragjudge.results.answer import Answer, Retrieved
from ragjudge.settings import AppSettings
from tests.dify_app import with_app
from tests.dify_server import Hang, Reply, ScriptedDify, SkippingClock, event, json_reply, stream_reply

pytestmark = pytest.mark.recordings
FOLDER = os.environ.get("RAGJUDGE_RECORDINGS")
ENDPOINTS = {
    "/v1/chat-messages": "advanced-chat",
    "/v1/completion-messages": "completion",
    "/v1/workflows/run": "workflow",
}
LIMITS = Limits(first_event_s=0.2, idle_s=0.2, grace_s=0.05)


def recordings() -> list[Path]:
    if FOLDER is None:
        return []
    return [p for p in sorted(Path(FOLDER).glob("1.*/*.json")) if asks(json.loads(p.read_text("utf-8")))]


def asks(recording: dict) -> bool:
    request = recording["request"]
    return request["method"] == "POST" and request["path"] in ENDPOINTS


@pytest.fixture(
    params=recordings() or [None], ids=lambda p: "none" if p is None else f"{p.parent.name}/{p.stem}"
)
def recording(request) -> dict:
    if request.param is None:
        pytest.skip("RAGJUDGE_RECORDINGS does not name the folder of the recordings")
    return json.loads(request.param.read_text("utf-8"))


def mode_of(recording: dict) -> str:
    name, mode = recording["name"], ENDPOINTS[recording["request"]["path"]]
    if mode == "advanced-chat" and "agent" in name:
        return "agent-chat"
    return "chat" if mode == "advanced-chat" and "basic" in name else mode


def body_of(recording: dict) -> bytes:
    response = recording["response"]
    if "sse" in response:
        return "".join(f"{line['line']}\n" for line in response["sse"]).encode()
    if "body" in response:
        return json.dumps(response["body"], ensure_ascii=False).encode()
    return (response.get("body_text") or "").encode()


def events_of(recording: dict) -> list[dict]:
    lines = [line["line"] for line in recording["response"].get("sse", ())]
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]


def replayed(recording: dict, chunks: list[bytes]) -> Answer | RagjudgeError:
    headers = {
        k: v
        for k, v in recording["response"]["headers"].items()
        if k.lower() in ("content-type", "x-version")
    }
    hangs = "client_error" in recording["response"] and recording["response"]["client_error"]
    reply = Reply((*chunks, *([Hang()] if hangs else [])), recording["response"]["status"], headers)
    request = recording["request"]

    async def run() -> Answer | RagjudgeError:
        async with ScriptedDify() as server:
            server.app(mode_of(recording)).on("POST", request["path"].removeprefix("/v1"), reply)
            settings = AppSettings(base_url=server.url, api_key=SecretStr("app-0000"), timeout_s=20)
            app = DifyApp(settings, clock=SkippingClock(), limits=LIMITS)
            sent = request.get("json") or {}
            question = AppQuestion("1", "1", sent.get("query") or "?", sent.get("inputs") or {}, "ci-runner")
            try:
                return await app.ask(question)
            except RagjudgeError as error:
                return error
            finally:
                await app.close()

    return asyncio.run(run())


def expected(recording: dict) -> dict[str, object]:
    """What the recording says, found by means of its own: no code of ours has a part in it."""
    response, events = recording["response"], events_of(recording)
    body = response.get("body") if isinstance(response.get("body"), dict) else {}
    data = body.get("data") or {}
    finish = next(
        (e["data"] for e in events if e["event"] == "workflow_finished"), data if "status" in data else None
    )
    end = next((e for e in events if e["event"] == "message_end"), None)
    said = "".join(e["answer"] for e in events if e["event"] in ("message", "agent_message"))
    replaced = next((e["answer"] for e in events if e["event"] == "message_replace"), None)
    text = replaced or said or body.get("answer") or ((finish or {}).get("outputs") or {}).get("answer") or ""
    failed = (
        response["status"] != 200
        or any(e["event"] in ("error", "workflow_paused") for e in events)
        or body.get("event") == "workflow_paused"
        or (finish is not None and finish["status"] not in ("succeeded", "partial-succeeded"))
        or (end is None and finish is None and "answer" not in body)
    )
    nodes = [
        item
        for e in events
        if e["event"] == "node_finished" and e["data"]["node_type"] == "knowledge-retrieval"
        for item in (e["data"]["outputs"] or {}).get("result", ())
    ]
    metadata = (end or body).get("metadata") or {}
    outputs = ((finish or {}).get("outputs") or {}).get("contexts") or []
    found = nodes or metadata.get("retriever_resources") or outputs
    usage = metadata.get("usage") or {}
    return {
        "failed": failed,
        "text": text.split("</think>")[-1].strip() if "</think>" in text else text,
        "passages": list(dict.fromkeys(item["content"] for item in found)),
        "tokens": usage.get("total_tokens") or (finish or {}).get("total_tokens") or 0,
        "workflow": (finish or {}).get("workflow_id"),
    }


def check(recording: dict, outcome: Answer | RagjudgeError) -> None:
    want = expected(recording)
    if want["failed"] or not want["text"].strip():
        assert isinstance(outcome, RagjudgeError)
        assert outcome.hint is not None
        return
    assert isinstance(outcome, Answer), outcome
    passages = outcome.contexts.items if isinstance(outcome.contexts, Retrieved) else ()
    assert want["text"] == outcome.text
    assert want["passages"] == list(dict.fromkeys(passage.content for passage in passages))
    assert want["tokens"] == outcome.usage.total_tokens
    assert want["workflow"] == outcome.workflow_id
    assert recording["response"]["headers"].get("X-Version") == outcome.server_version


def test_replay_in_one_piece(recording):
    """Answer, passages, usage and error are those of the recording."""
    check(recording, replayed(recording, [body_of(recording)]))


def test_replay_in_single_bytes_and_random_chunks(recording):
    """The same answer; single bytes for short recordings, else for their end."""
    body, chance = body_of(recording), random.Random(recording["name"])
    ones = [body[i : i + 1] for i in range(max(0, len(body) - 1500), len(body))]
    edges = sorted({0, len(body) - len(ones), *(chance.randrange(len(body) + 1) for _ in range(40))})
    pieces = [body[a:b] for a, b in pairwise(edges) if b <= len(body) - len(ones)]

    check(recording, replayed(recording, [*pieces, *ones]))


def endings(recording: dict) -> Iterator[tuple[Kind, str | None]]:
    fold, decoder = Fold(Reading(mode_of(recording))), SseDecoder()
    yield fold.ending().kind, None
    for line in recording["response"].get("sse", ()):
        for sse in decoder.feed(f"{line['line']}\n".encode()):
            fold.feed(read(sse))
            ending = fold.ending()
            yield ending.kind, ending.text


def test_every_prefix_has_an_ending(recording):
    """A stream cut after any event is cut, or ended; the answer is never half of the final one.

    One exception is the server's: 1.9 sends what output moderation puts in place only after `workflow_finished`.
    """
    found = list(endings(recording))
    final = found[-1]
    withheld = {e["answer"] for e in events_of(recording) if e["event"] == "message_replace"}

    assert {kind for kind, _ in found} <= {Kind.CUT, final[0]}
    assert withheld or {text for kind, text in found if kind is Kind.ANSWERED} <= {final[1]}


def test_single_bytes_give_the_same_events(recording):
    """The pure decoder, byte by byte over the whole recording."""
    body, whole, single = body_of(recording), SseDecoder(), SseDecoder()

    assert list(whole.feed(body)) == [e for i in range(len(body)) for e in single.feed(body[i : i + 1])]


def recorded(name: str) -> list[dict]:
    if FOLDER is None:
        pytest.skip("RAGJUDGE_RECORDINGS does not name the folder of the recordings")
    found = [json.loads(p.read_text("utf-8")) for p in sorted(Path(FOLDER).glob(f"1.*/{name}.json"))]
    assert len(found) >= 2
    return found


def test_reads_every_recorded_app():
    """Kind, citation switch and form of each app on both servers."""
    infos = {
        (r["dify_version"], r["name"][5:]): r for r in recorded("info_*") if r["response"]["status"] == 200
    }
    read_ones = 0
    for parameters in recorded("parameters_*"):
        info = infos.get((parameters["dify_version"], parameters["name"][11:]))
        if info is None or parameters["response"]["status"] != 200:
            continue
        profile = read_profile(
            info["response"]["body"], parameters["response"]["body"], base_url="x", version=None
        )
        form = parameters["response"]["body"]["user_input_form"]
        assert info["response"]["body"]["mode"] == profile.mode
        assert profile.identity.citation is True
        assert [next(iter(v.values()))["variable"] for v in form] == [v.name for v in profile.form.variables]
        read_ones += 1
    assert read_ones >= 10


def test_the_form_refuses_what_the_recorded_servers_refused():
    """And takes what they took, with conversions that they accept: of the recorded `inputs_*` questions."""
    (form_of,) = {
        json.dumps(r["response"]["body"]["user_input_form"])
        for r in recorded("parameters_rag_chatflow_inputs")
    }
    form = read_form(json.loads(form_of))
    for recording in recorded("inputs_*"):
        name, body = recording["name"], recording["request"]["json"] or {}
        if "workflow" in name or "basic" in name or "inputs" not in body:
            continue
        refused = recording["response"]["status"] >= 400 or "streaming" in name
        lenient = name in ("inputs_checkbox_wrong", "inputs_wrong_type_text")  # converted, and sent as fit
        assert lenient or refused == bool(form.misfits(body["inputs"])), name


def test_reads_what_was_retrieved_apart():
    """The knowledge API's own call: passages with their ids and scores, on both servers."""
    for recording in recorded("dataset_retrieve"):
        records = recording["response"]["body"]["records"]

        async def use(app: DifyApp, server: ScriptedDify, recording=recording):
            return await app._knowledge.search("x")

        found = with_app(
            lambda s, r=recording: s.app().on(
                "POST", "/datasets/ds/retrieve", json_reply(r["response"]["body"])
            ),
            use,
            datasets=("ds",),
            dataset_key=SecretStr("dataset-0000000000"),
        )
        assert [r["segment"]["content"] for r in records] == [c.content for c in found]
        assert [r["score"] for r in records] == [c.score for c in found]


def test_fetches_the_recorded_runs_answer_after_a_cut():
    """`GET /workflows/run/{id}`: outputs as a JSON string (1.9.2) and as an object (1.14.2)."""
    for recording in recorded("workflow_run_detail"):
        detail = recording["response"]["body"]
        outputs = detail["outputs"] if isinstance(detail["outputs"], dict) else json.loads(detail["outputs"])
        started = event("workflow_started", workflow_run_id=detail["id"], data={"id": detail["id"]})

        async def use(app: DifyApp, server: ScriptedDify):
            return await app.ask(AppQuestion("1", "1", "?", {}, "ci-runner"))

        answer = with_app(
            lambda s, d=detail, b=started: (
                s.app("workflow")
                .on("POST", "/workflows/run", stream_reply(b))
                .on("GET", f"/workflows/run/{d['id']}", json_reply(d))
            ),
            use,
        )
        assert outputs["answer"] == answer.text
        assert [c["content"] for c in outputs["contexts"]] == [c.content for c in answer.contexts.items]


def test_imports_the_recorded_annotations():
    """1.14.2 lists them; 1.9.2 has an error of its own."""
    for recording in recorded("annotations_list_limit500"):
        status, body = recording["response"]["status"], recording["response"]["body"]

        async def use(app: DifyApp, server: ScriptedDify):
            return [note async for note in app.records.annotations()]

        found = with_app(lambda s, b=body, c=status: s.on("GET", "/apps/annotations", json_reply(b, c)), use)
        if status == 200:
            assert [a["question"] for a in body["data"]] == [note.question for note in found]
        else:
            assert isinstance(found, RagjudgeError)
