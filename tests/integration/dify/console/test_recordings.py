"""The loopback console says what a real server said: each recorded call is made to it, and the replies compared.

Needs the full set of recordings; the shapes that the client relies on are in the other tests as well.
"""

import base64
import http.client
import json
import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml

from ragjudge.dify.console import values
from ragjudge.preview import comparing, document
from tests.console_server import EMAIL, PASSWORD, ConsoleServer

FOLDER = os.environ.get("RAGJUDGE_RECORDINGS", "")
pytestmark = [
    pytest.mark.recordings,
    pytest.mark.skipif(not FOLDER, reason="RAGJUDGE_RECORDINGS is not set"),
]
RELEASES = ("1.9.2", "1.14.2")
EVERY = pytest.mark.parametrize("release", RELEASES)


def recorded(release: str, name: str) -> dict:
    return json.loads((Path(FOLDER) / release / f"{name}.json").read_text("utf-8"))


class Browser:
    """Plain HTTP with the cookies of a login; shares nothing with the client."""

    def __init__(self, server) -> None:
        self._at = urlsplit(server.url)
        encoded = base64.b64encode(PASSWORD.encode()).decode()
        password = PASSWORD if server.release == "1.9.2" else encoded
        status, _, headers = self.call("POST", "/console/api/login", {"email": EMAIL, "password": password})
        assert status == 200
        pairs = [value.partition(";")[0] for name, value in headers if name.lower() == "set-cookie"]
        csrf = next(pair for pair in pairs if pair.startswith("csrf_token"))
        self._session = {"Cookie": "; ".join(pairs), "X-CSRF-Token": csrf.partition("=")[2]}

    def call(self, method: str, path: str, body: object = None, headers: dict | None = None):
        connection = http.client.HTTPConnection(self._at.hostname, self._at.port)
        own = getattr(self, "_session", {}) if headers is None else headers
        sent = None if body is None else json.dumps(body).encode()
        connection.request(method, path, sent, {"Content-Type": "application/json", **own})
        reply = connection.getresponse()
        text = reply.read().decode()
        connection.close()
        return reply.status, json.loads(text) if text.startswith(("{", "null")) else None, reply.getheaders()


@pytest.fixture
def served(release):
    """A server that knows the recording's knowledge base, under the cipher of that workspace's exports."""
    with ConsoleServer(release) as server:
        export = yaml.safe_load(recorded(release, "console_export")["response"]["body"]["data"])
        (cipher,) = [
            i for n in export["workflow"]["graph"]["nodes"] for i in n["data"].get("dataset_ids", [])
        ]
        graph = recorded(release, "console_published_after")["response"]["body"]["graph"]
        (plain,) = [i for node in graph["nodes"] for i in node["data"].get("dataset_ids", [])]
        server.workspace.datasets[plain] = cipher
        yield server, Browser(server)


def new_app(browser, text: str) -> str:
    _, body, _ = browser.call(
        "POST", "/console/api/apps/imports", {"mode": "yaml-content", "yaml_content": text}
    )
    return body["app_id"]


@EVERY
@pytest.mark.parametrize(
    "name",
    [
        "console_import_overwrite", "console_import_older_minor", "console_import_newer_pending",
        "console_import_bad_yaml", "console_import_not_mapping", "console_import_no_app",
        "console_import_unknown_app", "console_import_over_basic_chat", "console_import_new_app",
        "console_import_missing_plugin", "console_import_foreign_dataset", "console_import_mode_mismatch",
    ],
)  # fmt: skip
def test_imports_end_as_recorded(served, release, name):
    """Status and body of every kind of import, ids and the YAML reader's wording aside."""
    server, browser = served
    exchange = recorded(release, name)
    over = exchange["request"]["json"].get("app_id")
    if over is not None and name != "console_import_unknown_app":
        basic = (Path(FOLDER) / "dsl" / f"chat_basic.dify-{release}.yml").read_text("utf-8")
        plain = recorded(release, "console_export")["response"]["body"]["data"]
        own = new_app(browser, basic if name == "console_import_over_basic_chat" else plain)
        server.workspace.apps[over] = server.workspace.apps.pop(own)
        server.workspace.apps[over].id = over
    body_sent = {k: v for k, v in exchange["request"]["json"].items() if k != "name"}
    status, body, _ = browser.call("POST", exchange["request"]["path"], body_sent)
    wanted = exchange["response"]
    assert status == wanted["status"]
    assert body.keys() == wanted["body"].keys()
    for field in ("status", "app_mode", "current_dsl_version", "imported_dsl_version"):
        if field != "app_mode" or wanted["body"][field] is not None:
            assert body[field] == wanted["body"][field], field
    assert body["error"].split(":")[0] == wanted["body"]["error"].split(":")[0]
    assert (body["app_id"] is None) == (wanted["body"]["app_id"] is None)


@EVERY
@pytest.mark.parametrize(
    "app",
    ["rag_chatflow", "rag_chatflow_inputs", "workflow_rag", "chat_basic", "agent_chat", "completion_rag"],
)
def test_export_import_export_is_the_same_app(served, release, app):
    """As on the real servers: nothing is lost on the way, and our comparison says so."""
    _, browser = served
    text = (Path(FOLDER) / "dsl" / f"{app}.dify-{release}.yml").read_text("utf-8")
    pushed = document.read(text.encode(), app)
    app_id = new_app(browser, pushed.text)
    _, body, _ = browser.call("GET", f"/console/api/apps/{app_id}/export?include_secret=false")
    assert yaml.safe_load(body["data"]) == yaml.safe_load(text)
    assert comparing.compare(pushed, body["data"]).equal


@EVERY
def test_versions_and_hashes_are_as_recorded(served, release):
    """Imported and published, the recorded DSL gets the recorded hash; draft and published have the same one."""
    _, browser = served
    text = recorded(release, "console_import_overwrite")["request"]["json"]["yaml_content"]
    app_id = new_app(browser, text)
    mark = recorded(release, "console_publish")["request"]["json"]
    status, body, _ = browser.call("POST", f"/console/api/apps/{app_id}/workflows/publish", mark)
    assert (status, body.keys()) == (200, recorded(release, "console_publish")["response"]["body"].keys())
    wanted = recorded(release, "console_published_after")["response"]["body"]
    for place in ("publish", "draft"):
        _, version, _ = browser.call("GET", f"/console/api/apps/{app_id}/workflows/{place}")
        assert version.keys() == wanted.keys()
        assert version["hash"] == wanted["hash"]
        assert values.version_of(version).datasets == values.version_of(wanted).datasets


@EVERY
def test_foreign_knowledge_is_dropped_as_recorded_and_found_by_the_comparison(served, release):
    """The real draft had an empty list; so has ours, and the export shows it."""
    _, browser = served
    text = recorded(release, "console_import_foreign_dataset")["request"]["json"]["yaml_content"]
    app_id = new_app(browser, text)
    _, draft, _ = browser.call("GET", f"/console/api/apps/{app_id}/workflows/draft")
    wanted = recorded(release, "console_draft_foreign_dataset")["response"]["body"]
    ids = [[n["data"].get("dataset_ids") for n in d["graph"]["nodes"]] for d in (draft, wanted)]
    assert ids[0] == ids[1] == [None, [], None, None]
    _, body, _ = browser.call("GET", f"/console/api/apps/{app_id}/export?include_secret=false")
    (problem,) = comparing.compare(document.read(text.encode(), "bot.yml"), body["data"]).lost
    assert "not in this workspace" in problem.what.en


@EVERY
@pytest.mark.parametrize(
    "name", ["console_no_csrf", "console_login_wrong_password", "console_publish_long_name"]
)
def test_refusals_are_as_recorded(served, release, name):
    """Status and code."""
    _, browser = served
    exchange = recorded(release, name)
    path = exchange["request"]["path"]
    if "/apps/" in path:
        app_id = new_app(browser, recorded(release, "console_export")["response"]["body"]["data"])
        path = f"/console/api/apps/{app_id}/workflows/publish"
    headers = {"Cookie": "access_token=x"} if name == "console_no_csrf" else None
    status, body, _ = browser.call(exchange["request"]["method"], path, exchange["request"]["json"], headers)
    assert status == exchange["response"]["status"]
    assert body["code"] == exchange["response"]["body"]["code"]


@EVERY
def test_keys_lists_and_plugins_have_the_recorded_shape(served, release):
    """What the client reads of each."""
    _, browser = served
    text = recorded(release, "console_import_missing_plugin")["request"]["json"]["yaml_content"]
    app_id = new_app(browser, text)
    base = f"/console/api/apps/{app_id}"
    checks = {
        "console_api_key_create": ("POST", f"{base}/api-keys"),
        "console_api_keys": ("GET", f"{base}/api-keys"),
        "console_check_dependencies": ("GET", f"/console/api/apps/imports/{app_id}/check-dependencies"),
        "console_app_delete": ("DELETE", base),
    }
    for name, (method, path) in checks.items():
        wanted = recorded(release, name)["response"]
        status, body, _ = browser.call(method, path)
        assert status == wanted["status"], name
        assert (body or {}).keys() == (wanted.get("body") or {}).keys(), name
        if name == "console_check_dependencies":
            assert values.missing_plugins_of(body) == values.missing_plugins_of(wanted["body"])
    listed = recorded(release, "console_apps_list")["response"]["body"]
    _, body, _ = browser.call("GET", "/console/api/apps?page=1&limit=3")
    assert body.keys() == listed.keys()
    assert len(values.apps_of(listed)) == 3


@EVERY
def test_the_client_reads_the_recorded_replies(release):
    """Login cookies aside, every recorded reply that the client looks into has what it looks for."""
    body = recorded(release, "console_app_get")["response"]["body"]
    app = values.app_of(body)
    assert (app.id, app.mode, app.identity["name"]) == (body["id"], "advanced-chat", body["name"])
    assert (
        values.imported_of(recorded(release, "console_import_confirm")["response"]["body"]).outcome
        == "completed"
    )
    assert values.key_of(
        recorded(release, "console_api_key_create")["response"]["body"]
    ).token.get_secret_value()
    assert values.version_of(recorded(release, "console_draft_get")["response"]["body"]).hash
    features = recorded(release, "console_system_features")["response"]
    assert features["headers"]["X-Version"] == release
    assert features["body"]["enable_email_password_login"] is True
    assert features["body"]["sso_enforced_for_signin"] is False


@EVERY
def test_the_recordings_tell_workspace_and_dsl_version(release):
    """The current workspace by name; the DSL version outright on 1.14.2, by an export on both."""
    body = recorded(release, "console_workspaces")["response"]["body"]
    assert values.workspace_of(body) == "ci's Workspace"
    features = recorded(release, "console_system_features")["response"]["body"]
    wanted = {"1.9.2": "0.4.0", "1.14.2": "0.6.0"}[release]
    assert features.get("app_dsl_version") == (wanted if release == "1.14.2" else None)
    exported = recorded(release, "console_export")["response"]["body"]["data"]
    assert values.dsl_of(exported) == wanted
    assert recorded(release, "console_import_no_app")["response"]["body"]["current_dsl_version"] == wanted
