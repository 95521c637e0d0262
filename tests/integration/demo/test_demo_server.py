"""The demo app over real HTTP: what a person with curl would see."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ragjudge.demo.corpus import load_corpus
from ragjudge.demo.definition import load_app
from ragjudge.demo.packaged import APP, CORPUS, DEGRADED_APP
from ragjudge.demo.server import DemoServer, ServerOptions
from tests.integration.demo.asking import ask, send

GOOD = load_app(APP)
RULES = load_corpus(CORPUS)
PER_DIEM = "国内出張の日当はいくらですか？"


@pytest.fixture
def server():
    with DemoServer(GOOD, RULES) as running:
        yield running


def serve(**options):
    return DemoServer(GOOD, RULES, ServerOptions(**options))


def names(heard):
    collapsed = []
    for event in heard.events:
        if not collapsed or collapsed[-1] != event["event"]:
            collapsed.append(event["event"])
    return collapsed


def test_the_same_question_is_answered_by_the_askers_own_rules(server):
    """The app's input decides: head office and branch have different rules."""
    assert "2,500円" in ask(server, PER_DIEM, entity="本社").answer
    assert "1,800円" in ask(server, PER_DIEM, entity="支店").answer


def test_an_english_question_is_answered_from_the_english_rules(server):
    """One corpus, two languages."""
    assert "eight hours" in ask(server, "Can I fly business class?").answer


def test_a_question_outside_the_rules_is_refused_in_the_prompts_own_words(server):
    """The prompt says what to say when nothing fits."""
    assert (
        "規程に該当する記載が見つかりませんでした。" == ask(server, "量子コンピューターの仕組みは？").answer
    )


def test_retrieved_passages_are_shown_by_the_node_and_cited_at_the_end(server):
    """Both places name the same segments, best first."""
    heard = ask(server, PER_DIEM)
    node = next(
        e["data"] for e in heard.events
        if e["event"] == "node_finished" and e["data"]["node_type"] == "knowledge-retrieval"
    )  # fmt: skip
    cited = heard.event("message_end")["metadata"]["retriever_resources"]

    assert [r["metadata"]["segment_id"] for r in node["outputs"]["result"]] == [
        r["segment_id"] for r in cited
    ]
    assert 4 == len(cited)
    assert "02-travel.md" == cited[0]["document_name"]


def test_usage_is_reported(server):
    """Tokens and a price as text, as Dify does."""
    usage = ask(server, PER_DIEM).event("message_end")["metadata"]["usage"]

    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] > 100
    assert float(usage["total_price"]) > 0


@pytest.mark.parametrize(
    ("release", "ends_with"),
    [("1.9.2", ["workflow_finished", "message_end"]), ("1.14.2", ["message_end", "workflow_finished"])],
)
def test_each_release_ends_a_stream_in_its_own_order(release, ends_with):
    """The order of the last two events changed between the releases."""
    with serve(release=release) as server:
        heard = ask(server, PER_DIEM)

    assert ends_with == names(heard)[-2:]
    assert release == heard.headers["X-Version"]


def test_a_degraded_version_published_while_running_answers_worse_under_a_new_id(server):
    """The workflow id tells the versions apart; the branch now gets the head office's rule."""
    before = ask(server, PER_DIEM, entity="支店")
    server.publish(load_app(DEGRADED_APP))
    after = ask(server, PER_DIEM, entity="支店")

    assert "1,800円" in before.answer
    assert "2,500円" in after.answer
    assert (
        before.event("workflow_started")["data"]["workflow_id"]
        != after.event("workflow_started")["data"]["workflow_id"]
    )


def test_the_retrieval_log_tells_what_was_found_for_each_question(server):
    """It is the server's own truth, in memory and at an address of its own."""
    ask(server, PER_DIEM, user="u1")
    (entry,) = server.log.entries()
    shown = send(server, "GET", "/demo/retrievals", headers={}).json["retrievals"]

    assert (PER_DIEM, "u1", GOOD.workflow_id) == (entry.question, entry.user, entry.workflow_id)
    assert "02-travel.md#国内出張の日当" == entry.keys[0]
    assert [list(entry.keys)] == [found["keys"] for found in shown]


def test_conversations_belong_to_their_user_and_can_be_deleted(server):
    """A second turn needs the same user; after the deletion nothing is left."""
    first = ask(server, PER_DIEM).event("message_end")
    conversation = first["conversation_id"]
    second = ask(server, "支店の場合は？", conversation_id=conversation)
    stranger = ask(server, "誰？", mode="blocking", conversation_id=conversation, user="stranger")
    history = send(server, "GET", f"/v1/messages?conversation_id={conversation}&user=tester").json["data"]
    deleted = send(server, "DELETE", f"/v1/conversations/{conversation}", {"user": "tester"})
    again = send(server, "DELETE", f"/v1/conversations/{conversation}", {"user": "tester"})

    assert conversation == second.event("message_end")["conversation_id"]
    assert (404, "not_found") == (stranger.status, stranger.json["code"])
    assert [PER_DIEM, "支店の場合は？"] == [message["query"] for message in history]
    assert (204, 404) == (deleted.status, again.status)
    assert [] == send(server, "GET", "/v1/conversations?user=tester").json["data"]


def test_conversations_are_listed_latest_first_in_pages(server):
    """`last_id` gives the next page; `has_more` says whether there is one."""
    for number in range(3):
        ask(server, f"{number}番目の質問")
    page = send(server, "GET", "/v1/conversations?user=tester&limit=2").json
    rest = send(server, "GET", f"/v1/conversations?user=tester&limit=2&last_id={page['data'][-1]['id']}").json

    assert (2, True, 1, False) == (len(page["data"]), page["has_more"], len(rest["data"]), rest["has_more"])


def test_feedback_is_kept_with_its_message(server):
    """Likes can be read back from the history."""
    said = ask(server, PER_DIEM).event("message_end")
    sent = send(server, "POST", f"/v1/messages/{said['id']}/feedbacks", {"user": "tester", "rating": "like"})
    path = f"/v1/messages?conversation_id={said['conversation_id']}&user=tester"

    assert {"result": "success"} == sent.json
    assert {"rating": "like"} == send(server, "GET", path).json["data"][0]["feedback"]


@pytest.mark.parametrize("release", ["1.9.2", "1.14.2"])
def test_a_finished_run_can_be_looked_up(release):
    """Outputs are a JSON text in the older release and an object in the newer one."""
    with serve(release=release) as server:
        heard = ask(server, PER_DIEM)
        run_id = heard.event("workflow_started")["workflow_run_id"]
        run = send(server, "GET", f"/v1/workflows/run/{run_id}").json
    outputs = json.loads(run["outputs"]) if release == "1.9.2" else run["outputs"]

    assert ("succeeded", heard.answer) == (run["status"], outputs["answer"])


def test_a_stopped_answer_ends_at_once(server):
    """The stream says `stopped`, without waiting for the model."""
    with serve(answer_delay_s=30, ping_every_s=30) as slow, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(ask, slow, PER_DIEM)
        while not (task := _task_of(slow)):
            time.sleep(0.005)
        send(slow, "POST", f"/v1/chat-messages/{task}/stop", {"user": "tester"})
        finished = waiting.result(timeout=5).event("workflow_finished")["data"]

    assert ("stopped", "Stopped by user.", {}) == (finished["status"], finished["error"], finished["outputs"])


def _task_of(server):
    return next(iter(server._memory._tasks), None)


def test_pings_keep_a_slow_answer_alive():
    """The connection hears `event: ping` while the model thinks."""
    with serve(release="1.9.2", answer_delay_s=0.1, ping_every_s=0.02) as server:
        heard = ask(server, PER_DIEM)

    assert heard.text.count("event: ping\n\n") >= 2
    assert heard.answer


def test_a_stream_that_cannot_start_is_silent_in_the_newer_release():
    """HTTP 200, one ping, then nothing: the trap that clients must avoid."""
    with serve(silence_s=0.05) as server:
        heard = ask(server, PER_DIEM, entity="工場")

    assert (200, "event: ping\n\n") == (heard.status, heard.text)


def test_the_answer_of_a_cut_stream_can_be_fetched_afterwards():
    """A client that goes away does not stop the run; the newer release remembers its answer."""
    import socket

    with serve(answer_delay_s=0.05) as server:
        port = int(server.base_url.split(":")[2].split("/")[0])
        body = json.dumps(
            {"inputs": {"Entity": "本社"}, "query": PER_DIEM, "user": "gone", "response_mode": "streaming"}
        )
        head = f"POST /v1/chat-messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {server.api_key}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body.encode())}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", port)) as raw:
            raw.sendall((head + body).encode())
            raw.recv(200)
        for _ in range(400):
            kept = [m for c in server._memory.conversations("gone") for m in c.messages]
            if kept:
                break
            time.sleep(0.005)

    assert "2,500円" in kept[0].answer


@pytest.mark.parametrize("release", ["1.9.2", "1.14.2"])
def test_more_blocking_requests_than_allowed_are_refused_as_a_bad_parameter(release):
    """Dify calls its concurrency limit `invalid_param`; the text alone tells."""
    options = ServerOptions(release=release, answer_delay_s=0.3, max_active_requests=1)
    with DemoServer(GOOD, RULES, options) as server, ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(ask, server, PER_DIEM, mode="blocking") for _ in range(2)]
        replies = sorted((w.result(timeout=5) for w in waiting), key=lambda heard: heard.status)

    assert [200, 400] == [heard.status for heard in replies]
    assert "Too many requests. Please try again later." in replies[1].json["message"]


def test_twenty_streams_at_once_are_all_answered(server):
    """No answer is mixed up with another."""
    started = threading.Barrier(20)

    def one(number):
        started.wait()
        return ask(server, PER_DIEM, entity="本社" if number % 2 else "支店", user=f"u{number}").answer

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(one, range(20)))

    assert ["1,800円", "2,500円"] * 10 == [a[a.index("円") - 5 : a.index("円") + 1] for a in answers]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "bad_request"),
        (b"[1]", 400, "invalid_param"),
        (b"[" * 100_000, 400, "bad_request"),
        (b'{"user": "u", "inputs": [], "query": "q"}', 400, "invalid_param"),
        (b'{"user": "u", "inputs": {}, "query": 5}', 400, "invalid_param"),
        (b'{"user": "u", "inputs": {"Entity": 5}, "query": "q"}', 400, "invalid_param"),
        (b"\xff\xfe", 400, "bad_request"),
        (b'{"user": "\\ud800", "inputs": {}, "query": "q"}', 400, "bad_request"),
        (b'{"user": "u", "inputs": {"Entity": NaN}, "query": "q"}', 400, "bad_request"),
    ],
)
def test_a_body_of_the_wrong_shape_is_refused_not_a_crash(server, body, status, code):
    """Whatever is sent, the answer is one of Dify's own refusals."""
    heard = send(server, "POST", "/v1/chat-messages", body)

    assert (status, code) == (heard.status, heard.json["code"])


def test_a_body_without_a_usable_length_is_not_read(server):
    """A negative or huge Content-Length ends the connection instead of the memory."""
    for length in ("-1", "99999999999", "x"):
        heard = send(server, "POST", "/v1/chat-messages", None, headers={"Content-Length": length})

        assert 413 == heard.status


def test_health_needs_no_key(server):
    """A cheap way to see whether the demo is up."""
    assert "ok" == send(server, "GET", "/health", headers={}).json["status"]


def test_the_knowledge_base_needs_its_own_key(server):
    """An app key finds nothing there, and the dataset key opens no app."""
    path = f"/v1/datasets/{RULES.dataset_id}/retrieve"
    found = send(server, "POST", path, {"query": PER_DIEM}, key="dataset-demo")

    assert "国内出張の日当" in found.json["records"][0]["segment"]["content"]
    assert 401 == send(server, "POST", path, {"query": PER_DIEM}).status
    assert 401 == send(server, "GET", "/v1/info", key="dataset-demo").status


@pytest.mark.parametrize("body", [b"", b"--x\r\n", b"\x00\xff", b"--x\r\n\r\n\r\n--x--"])
def test_a_broken_form_is_refused(server, body):
    """An upload without a usable form is the client's fault."""
    headers = {"Authorization": f"Bearer {server.api_key}", "Content-Type": "multipart/form-data; boundary=x"}

    assert 400 == send(server, "POST", "/v1/files/upload", body, headers=headers).status
