"""The demo server against a real server's recordings: every exchange that it claims to support, both releases."""

import http.client
import json
import os
from pathlib import Path

import pytest

from ragjudge.demo.corpus import Corpus, Passage
from ragjudge.demo.definition import read_app
from ragjudge.demo.server import DemoServer, ServerOptions
from tests.integration.demo import shapes

pytestmark = pytest.mark.recordings

FOLDER = os.environ.get("RAGJUDGE_RECORDINGS", "")
QUERY = "When are refunds paid to the payment method?"
CORPUS = Corpus(
    "shop",
    tuple(
        Passage(
            f"{n}",
            f"Rule {n}",
            f"Refunds are paid to the payment method by rule {n}. More in part {n}.",
            f"{n}.md",
            1,
        )
        for n in range(1, 6)
    ),
)
APPS = {
    "rag_chatflow": """
        chatflow_rag_streaming chatflow_rag_blocking chatflow_response_mode_absent chatflow_no_response_mode
        auth_missing auth_not_bearer auth_wrong_key auth_dataset_key_on_app body_not_json body_wrong_content_type
        method_not_allowed not_found_path root info_rag_chatflow info_wrong_key parameters_rag_chatflow
        meta_rag_chatflow site_rag_chatflow query_empty query_empty_streaming query_missing inputs_missing
        response_mode_invalid user_missing conversation_null conversation_not_uuid conversation_unknown
        conversation_unknown_streaming wrong_mode_chat_on_completion wrong_mode_chat_on_workflow
        staging_chat_pinned_bad staging_chat_pinned_unknown staging_chat_before
        stop_request slow_blocking
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
RELEASES = ("1.9.2", "1.14.2")


def named(groups):
    return [
        pytest.param(release, app, name, id=f"{release}-{name}")
        for release in RELEASES
        for app, names in groups.items()
        for name in names.split()
    ]


def recorded(release, name):
    if not FOLDER:
        pytest.skip("RAGJUDGE_RECORDINGS is not set: there are no recordings to compare with")
    return json.loads((Path(FOLDER) / release / f"{name}.json").read_text(encoding="utf-8"))


def dsl(release, app):
    return (Path(FOLDER) / "dsl" / f"{app}.dify-{release}.yml").read_text(encoding="utf-8")


def said_by_demo(server, request, *, path=None, body=None):
    """Sends a recorded request to the demo server; keys are swapped, everything else stays as it was."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", int(server.base_url.split(":")[2].split("/")[0]), timeout=10
    )
    sent = dict(request["headers"])
    if sent.get("Authorization", "").startswith("Bearer app-XXXX"):
        sent["Authorization"] = f"Bearer {server.api_key}"
    given = body if body is not None else request.get("json")
    payload = request.get("body_text", "") if given is None else json.dumps(given)
    connection.request(request["method"], path or request["path"], payload or None, sent)
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply, text


def assert_same(exchange, reply, text):
    response = exchange["response"]

    assert response["status"] == reply.status
    assert shapes.headers(response["headers"]) == shapes.headers(dict(reply.getheaders()))
    if "sse" in response:
        lines = [line["line"] for line in response["sse"]]
        assert shapes.events(lines) == shapes.events(text.split("\n"))
    elif "body_text" in response and not isinstance(response.get("body"), dict):
        assert response["body_text"] == text
    elif response["status"] >= 400:
        assert shapes.wording(response["body"]) == shapes.wording(json.loads(text))
    else:
        assert shapes.shape(response["body"]) == shapes.shape(json.loads(text))


def options(release, **more):
    return ServerOptions(release=release, silence_s=0.05, **more)


@pytest.mark.parametrize(("release", "app", "name"), named(APPS))
def test_demo_says_what_the_real_server_said(release, app, name):
    """Same status, headers, fields, types, event order and error wording as recorded."""
    exchange = recorded(release, name)
    with DemoServer(read_app(dsl(release, app)), CORPUS, options(release)) as server:
        reply, text = said_by_demo(server, exchange["request"])

    assert_same(exchange, reply, text)


@pytest.mark.parametrize(("release", "app", "name"), named(UNPUBLISHED))
def test_unpublished_app_refuses_as_recorded(release, app, name):
    """An app that was never published is told apart in the recorded words."""
    exchange = recorded(release, name)
    with DemoServer(read_app(dsl(release, app)), CORPUS, options(release, published=False)) as server:
        reply, text = said_by_demo(server, exchange["request"])

    assert_same(exchange, reply, text)


@pytest.mark.parametrize(("release", "app", "name"), named(WITHOUT_CITATION))
def test_app_without_citation_keeps_its_sources_to_itself_as_recorded(release, app, name):
    """With the citation switch off the metadata lists nothing; the chatflow's node still shows its passages."""
    exchange = recorded(release, name)
    silent = dsl(release, app).replace(
        "retriever_resource:\n      enabled: true", "retriever_resource:\n      enabled: false"
    )
    silent = silent.replace(
        "retriever_resource:\n    enabled: true", "retriever_resource:\n    enabled: false"
    )
    with DemoServer(read_app(silent), CORPUS, options(release)) as server:
        reply, text = said_by_demo(server, exchange["request"])

    assert_same(exchange, reply, text)
