"""The demo server against a real server's recordings: every exchange that it claims to support, both releases."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ragjudge.demo.definition import read_app
from ragjudge.demo.server import DemoServer
from ragjudge.demo.server.dialogue import draft_id
from tests.integration.demo.recorded import (
    CORPUS,
    RELEASES,
    assert_same,
    chain,
    dsl,
    exchange,
    named,
    node_data,
    options,
    repeat,
)

pytestmark = pytest.mark.recordings

APPS = {
    "rag_chatflow": """
        chatflow_rag_streaming chatflow_rag_blocking chatflow_response_mode_absent chatflow_no_response_mode
        auth_missing auth_not_bearer auth_wrong_key auth_dataset_key_on_app body_not_json body_wrong_content_type
        method_not_allowed not_found_path root info_rag_chatflow info_wrong_key parameters_rag_chatflow
        meta_rag_chatflow site_rag_chatflow query_empty query_empty_streaming query_missing inputs_missing
        response_mode_invalid user_missing conversation_null conversation_not_uuid conversation_unknown
        conversation_unknown_streaming wrong_mode_chat_on_completion wrong_mode_chat_on_workflow
        staging_chat_pinned_bad staging_chat_pinned_unknown staging_chat_before
        file_upload file_upload_exe file_upload_missing annotations_create
        slow_blocking chatflow_rag_nohit_streaming chatflow_rag_economy_streaming
    """,
    "rag_chatflow_inputs": """
        inputs_ok inputs_required_missing inputs_required_missing_streaming inputs_required_null
        inputs_required_empty inputs_select_not_allowed inputs_select_not_allowed_streaming inputs_too_long
        inputs_unknown_key inputs_wrong_type_number inputs_wrong_type_text inputs_number_as_string
        inputs_number_as_list inputs_checkbox_wrong info_rag_chatflow_inputs parameters_rag_chatflow_inputs
        meta_rag_chatflow_inputs site_rag_chatflow_inputs
    """,
    "chat_basic": """
        chat_basic_streaming chat_basic_blocking info_chat_basic parameters_chat_basic meta_chat_basic
        site_chat_basic conversation_unknown_basic_streaming multiturn_basic_1
    """,
    "agent_chat": """
        agent_chat_streaming agent_chat_blocking_refused info_agent_chat parameters_agent_chat meta_agent_chat
        site_agent_chat
    """,
    "completion_rag": """
        completion_streaming completion_blocking info_completion_rag parameters_completion_rag meta_completion_rag
        site_completion_rag wrong_mode_completion_on_chat
    """,
    "workflow_rag": """
        workflow_streaming workflow_blocking info_workflow_rag parameters_workflow_rag meta_workflow_rag
        site_workflow_rag wrong_mode_workflow_on_chat inputs_workflow_required_missing
        inputs_workflow_required_missing_streaming
    """,
}
UNPUBLISHED = {
    "rag_chatflow": """
        info_unpublished parameters_unpublished workflow_unpublished_chatflow workflow_unpublished_chatflow_streaming
    """,
    "workflow_rag": "workflow_unpublished",
}
WITHOUT_CITATION = {
    "rag_chatflow": "chatflow_rag_nocite_streaming chatflow_rag_nocite_blocking",
    "chat_basic": "chat_basic_nocite_streaming chat_basic_nocite_blocking",
}
SLOW = {
    "rag_chatflow": "ping_streaming",
    "chat_basic": "ping_basic_streaming",
    "workflow_rag": "ping_workflow_streaming",
}


@pytest.mark.parametrize(("release", "app", "name"), named(APPS))
def test_demo_says_what_the_real_server_said(release, app, name):
    """Same status, headers, fields, types, event order and error wording as recorded."""
    recording = exchange(release, name)
    with DemoServer(read_app(dsl(release, app)), CORPUS, options(release)) as server:
        assert_same(recording, repeat(server, recording["request"]))


@pytest.mark.parametrize(("release", "app", "name"), named(UNPUBLISHED))
def test_unpublished_app_refuses_as_recorded(release, app, name):
    """An app that was never published is told apart in the recorded words."""
    recording = exchange(release, name)
    with DemoServer(read_app(dsl(release, app)), CORPUS, options(release, published=False)) as server:
        assert_same(recording, repeat(server, recording["request"]))


@pytest.mark.parametrize("name", ["info_api_disabled", "app_api_disabled"])
@pytest.mark.parametrize("release", RELEASES)
def test_app_whose_api_is_off_refuses_as_recorded(release, name):
    """403 on every page."""
    recording = exchange(release, name)
    app = read_app(dsl(release, "rag_chatflow"))
    with DemoServer(app, CORPUS, options(release, api_enabled=False)) as server:
        assert_same(recording, repeat(server, recording["request"]))


@pytest.mark.parametrize(("release", "app", "name"), named(WITHOUT_CITATION))
def test_app_without_citation_keeps_its_sources_to_itself_as_recorded(release, app, name):
    """With the citation switch off the metadata lists nothing; the chatflow's node still shows its passages."""
    recording = exchange(release, name)
    on = "retriever_resource:\n{0}enabled: true"
    silent = dsl(release, app)
    for indent in ("    ", "      "):
        silent = silent.replace(on.format(indent), on.format(indent).replace("true", "false"))
    with DemoServer(read_app(silent), CORPUS, options(release)) as server:
        assert_same(recording, repeat(server, recording["request"]))


@pytest.mark.parametrize("release", RELEASES)
def test_two_models_are_cited_as_recorded(release):
    """The older release cites the last model's passages only, the newer one all of them, renumbered."""
    recordings = [exchange(release, f"chatflow_two_llms_{mode}") for mode in ("streaming", "blocking")]
    retrieval, model = node_data(release, "knowledge-retrieval"), node_data(release, "llm")
    second = {**model, "context": {"enabled": True, "variable_selector": ["r2", "result"]}}
    first = {**model, "context": {"enabled": True, "variable_selector": ["r1", "result"]}}
    nodes = (("r1", retrieval), ("llm1", first), ("r2", retrieval), ("llm", second))
    with DemoServer(read_app(_both_heard(chain(release, *nodes))), CORPUS, options(release)) as server:
        said = [repeat(server, recording["request"]) for recording in recordings]
        cited = json.loads(said[1][1])["metadata"]["retriever_resources"]

    for recording, one in zip(recordings, said, strict=True):
        assert_same(recording, one)
    there = recordings[1]["response"]["body"]["metadata"]["retriever_resources"]
    assert [r["position"] for r in there] == [r["position"] for r in cited]


def _both_heard(app):
    return app.replace("'{{#llm.text#}}'", "'{{#llm1.text#}} {{#llm.text#}}'")


@pytest.mark.parametrize("release", RELEASES)
def test_a_second_retrieval_that_no_model_uses_is_not_cited_as_recorded(release):
    """Its node shows passages, the metadata lists the first one's only."""
    recording = exchange(release, "chatflow_two_retrievals_streaming")
    retrieval, model = node_data(release, "knowledge-retrieval"), node_data(release, "llm")
    used = {**model, "context": {"enabled": True, "variable_selector": ["r1", "result"]}}
    app = read_app(chain(release, ("r1", retrieval), ("r2", retrieval), ("llm", used)))
    with DemoServer(app, CORPUS, options(release)) as server:
        assert_same(recording, repeat(server, recording["request"]))


@pytest.mark.parametrize("release", RELEASES)
def test_passages_read_as_a_variable_are_not_cited_as_recorded(release):
    """The model's context switch is off and its prompt names the result: nothing is cited, yet it was used."""
    recording = exchange(release, "chatflow_context_by_variable_streaming")
    retrieval, model = node_data(release, "knowledge-retrieval"), node_data(release, "llm")
    model["context"] = {"enabled": False, "variable_selector": []}
    model["prompt_template"][0]["text"] = "Use this: {{#r1.result#}}"
    with DemoServer(
        read_app(chain(release, ("r1", retrieval), ("llm", model))), CORPUS, options(release)
    ) as server:
        said = repeat(server, recording["request"])

    assert_same(recording, said)
    assert "Refunds" in said[1]


@pytest.mark.parametrize("release", RELEASES)
def test_an_app_that_lost_its_dataset_answers_without_passages_as_recorded(release):
    """No error anywhere: an empty result, and a prompt without context."""
    recording = exchange(release, "staging_chat_no_dataset")
    retrieval = {**node_data(release, "knowledge-retrieval"), "dataset_ids": []}
    model = node_data(release, "llm")
    model["context"]["variable_selector"] = ["r1", "result"]
    app = read_app(chain(release, ("r1", retrieval), ("llm", model)))
    with DemoServer(app, CORPUS, options(release)) as server:
        assert_same(recording, repeat(server, recording["request"]))


@pytest.mark.parametrize(("release", "app", "name"), named(SLOW))
def test_a_slow_answer_pings_as_recorded(release, app, name):
    """`event: ping` without data, between the events of the same stream."""
    recording = exchange(release, name)
    slow = options(release, answer_delay_s=0.05, ping_every_s=0.02)
    with DemoServer(read_app(dsl(release, app)), CORPUS, slow) as server:
        assert_same(recording, repeat(server, recording["request"]))


@pytest.mark.parametrize("release", RELEASES)
def test_a_stopped_stream_ends_as_recorded(release):
    """workflow_finished says stopped; message_end follows in the older release only."""
    asked, stopped = exchange(release, "stop_streaming"), exchange(release, "stop_request")
    slow = options(release, answer_delay_s=30, ping_every_s=30)
    app = read_app(dsl(release, "rag_chatflow"))
    with DemoServer(app, CORPUS, slow) as server, ThreadPoolExecutor(1) as pool:
        stream = pool.submit(repeat, server, asked["request"])
        while not (task := next(iter(server._memory._tasks), None)):
            time.sleep(0.005)
        said = repeat(server, stopped["request"], path=f"/v1/chat-messages/{task}/stop")

        assert_same(stopped, said)
        assert_same(asked, stream.result(timeout=5), without=("message",))


@pytest.mark.parametrize("release", RELEASES)
def test_looking_back_on_a_conversation_shows_what_was_recorded(release):
    """Second turn, lists, feedback, other users, deletion."""
    names = (
        "multiturn_1_blocking", "multiturn_2_blocking", "multiturn_2_other_user", "messages_list",
        "messages_list_other_user", "conversations_list", "message_feedback", "messages_suggested",
        "conversation_delete",
    )  # fmt: skip
    tape = {name: exchange(release, name) for name in names}
    with DemoServer(read_app(dsl(release, "rag_chatflow")), CORPUS, options(release)) as server:
        first = repeat(server, tape["multiturn_1_blocking"]["request"])
        opened = json.loads(first[1])
        turn = {
            **tape["multiturn_2_blocking"]["request"]["json"],
            "conversation_id": opened["conversation_id"],
        }
        second = repeat(server, tape["multiturn_2_blocking"]["request"], body=turn)
        stranger = repeat(
            server, tape["multiturn_2_other_user"]["request"], body={**turn, "user": "someone-else"}
        )
        for _ in range(3):
            repeat(server, tape["multiturn_1_blocking"]["request"])
        conversation, message = opened["conversation_id"], json.loads(second[1])["id"]
        page = f"/v1/messages?conversation_id={conversation}&user="
        said = {
            "multiturn_1_blocking": first,
            "multiturn_2_blocking": second,
            "multiturn_2_other_user": stranger,
            "messages_list": _get(server, tape, "messages_list", f"{page}ci-runner&limit=5"),
            "messages_list_other_user": _get(server, tape, "messages_list_other_user", f"{page}someone-else"),
            "conversations_list": _get(server, tape, "conversations_list"),
            "message_feedback": _get(server, tape, "message_feedback", f"/v1/messages/{message}/feedbacks"),
            "messages_suggested": _get(
                server, tape, "messages_suggested", f"/v1/messages/{message}/suggested?user=ci-runner"
            ),
            "conversation_delete": _get(
                server, tape, "conversation_delete", f"/v1/conversations/{conversation}"
            ),
        }

    for name, one in said.items():
        assert_same(tape[name], one)


def _get(server, tape, name, path=None):
    return repeat(server, tape[name]["request"], path=path)


@pytest.mark.parametrize("release", RELEASES)
def test_a_finished_run_is_shown_as_recorded(release):
    """Outputs are a text in the older release, an object in the newer one."""
    recording = exchange(release, "workflow_run_detail")
    asked = exchange(release, "workflow_blocking")["request"]
    with DemoServer(read_app(dsl(release, "workflow_rag")), CORPUS, options(release)) as server:
        run = json.loads(repeat(server, asked)[1])["workflow_run_id"]

        assert_same(recording, repeat(server, recording["request"], path=f"/v1/workflows/run/{run}"))


@pytest.mark.parametrize("name", ["workflow_events_finished", "workflow_events_other_user"])
def test_a_run_can_be_heard_again_as_recorded_in_the_newer_release(name):
    """One workflow_finished for its own user, 404 for another."""
    recording = exchange("1.14.2", name)
    asked = exchange("1.14.2", "chatflow_rag_streaming")["request"]
    with DemoServer(read_app(dsl("1.14.2", "rag_chatflow")), CORPUS, options("1.14.2")) as server:
        streamed = repeat(server, asked)[1]
        run = json.loads(streamed.split("data: ")[1])["workflow_run_id"]
        query = recording["request"]["path"].partition("?")[2]

        assert_same(
            recording, repeat(server, recording["request"], path=f"/v1/workflow/{run}/events?{query}")
        )


@pytest.mark.parametrize("release", RELEASES)
def test_a_draft_cannot_be_pinned_as_recorded(release):
    """The words name the draft's id."""
    recording = exchange(release, "staging_chat_pinned_draft")
    app = read_app(dsl(release, "rag_chatflow"))
    body = {**recording["request"]["json"], "workflow_id": draft_id(app.workflow_id)}
    with DemoServer(app, CORPUS, options(release)) as server:
        assert_same(recording, repeat(server, recording["request"], body=body))


@pytest.mark.parametrize("mode", ["blocking", "streaming"])
@pytest.mark.parametrize("release", RELEASES)
def test_one_request_too_many_is_refused_as_recorded(release, mode):
    """The limit of the app, as `invalid_param`."""
    recording = exchange(release, f"rate_limit_concurrent_{mode}")
    asked = exchange(release, "chatflow_rag_blocking")["request"]
    slow = options(release, answer_delay_s=0.3, ping_every_s=1, max_active_requests=1)
    app = read_app(dsl(release, "rag_chatflow"))
    with DemoServer(app, CORPUS, slow) as server, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(repeat, server, asked)
        while not server._memory._tasks:
            time.sleep(0.005)
        refused = repeat(server, recording["request"])
        waiting.result(timeout=5)

        assert_same(recording, refused)
        released = exchange(release, "rate_limit_released")
        assert_same(released, repeat(server, released["request"]))


@pytest.mark.parametrize("release", RELEASES)
def test_a_limit_of_one_stream_is_as_recorded(release):
    """The newer release counts the only stream twice and refuses it."""
    recording = exchange(release, "rate_limit_one_streaming_alone")
    with DemoServer(
        read_app(dsl(release, "rag_chatflow")), CORPUS, options(release, max_active_requests=1)
    ) as server:
        assert_same(recording, repeat(server, recording["request"]))


@pytest.mark.parametrize("release", RELEASES)
def test_annotations_are_listed_in_pages_as_recorded(release):
    """The older release always answers with its own error."""
    created = exchange(release, "annotations_create")
    app = read_app(dsl(release, "rag_chatflow"))
    with DemoServer(app, CORPUS, options(release)) as server:
        for _ in range(3):
            repeat(server, created["request"])
        for name in ("annotations_list", "annotations_list_page2", "annotations_list_limit500"):
            recording = exchange(release, name)
            assert_same(recording, repeat(server, recording["request"]))


@pytest.mark.parametrize(
    "name",
    [
        "dataset_retrieve",
        "dataset_retrieve_default",
        "dataset_retrieve_long_query",
        "dataset_retrieve_unknown",
    ],
)
@pytest.mark.parametrize("release", RELEASES)
def test_the_knowledge_base_is_searched_as_recorded(release, name):
    """With a dataset key; the echo of the query changed between the releases."""
    recording = exchange(release, name)
    path = recording["request"]["path"]
    if name != "dataset_retrieve_unknown":
        path = f"/v1/datasets/{CORPUS.dataset_id}/retrieve"
    with DemoServer(read_app(dsl(release, "rag_chatflow")), CORPUS, options(release)) as server:
        assert_same(recording, repeat(server, recording["request"], path=path))
