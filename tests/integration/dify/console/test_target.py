"""What the console tells about the server: DSL version and plugins, read without changing anything."""

import json

import pytest

from ragjudge.demo.server.wire import Reply
from ragjudge.errors import ConsoleUnreachable
from ragjudge.preview.target import Target, look
from tests.console_server import ConsoleServer
from tests.integration.dify.console.test_session import with_console
from tests.preview_app import basic_dsl, console, dsl

LIST = "/console/api/workspaces/current/plugin/list"


def replying(path, body, status=200):
    """The server gives another answer at one path."""
    return lambda _method, asked: Reply(status, json.dumps(body).encode()) if asked == path else None


@pytest.mark.parametrize(("release", "version"), [("1.9.2", "0.4.0"), ("1.14.2", "0.6.0")])
def test_version_plugins_and_workspace_are_read(release, version):
    """1.14.2 says its DSL version outright, 1.9.2 shows it in an export; only reading calls are made."""
    with console(release) as server:
        server.workspace.import_dsl(dsl(version=version).decode(), None, "someone")
        found = with_console(server, look)

        assert found == Target(
            "CI Workspace", version, frozenset({"langgenius/openai", "example/extractive"})
        )
        writing = {call for call in server.calls if call[0] != "GET"}
        assert writing == {("POST", "/console/api/login"), ("POST", "/console/api/logout")}


def test_an_old_server_without_any_app_does_not_tell_its_version():
    """Nothing to export: not known, and nothing is imported to find out."""
    with console("1.9.2") as server:
        assert with_console(server, look).dsl is None


def test_the_next_app_tells_where_one_may_not_be_exported():
    """A refused export is no end."""
    with console("1.9.2") as server:
        for content in (dsl(version="0.4.0"), basic_dsl().replace(b"0.6.0", b"0.4.0")):
            server.workspace.import_dsl(content.decode(), None, "someone")
        first = f"/console/api/apps/{server.apps[0].id}/export"
        server.answer_first = replying(first, {"code": "forbidden"}, 403)

        assert with_console(server, look).dsl == "0.4.0"


def test_a_long_list_of_plugins_is_read_whole():
    """Page by page, as newer servers give it."""
    with console() as server:
        server.plugins_page = 1
        server.workspace.plugins |= {f"author/tool-{n}" for n in range(5)}

        assert len(with_console(server, look).plugins) == 7


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"code": "not_found"}, 404),
        ({"code": "internal_server_error"}, 500),
        ({"plugins": None}, 200),
        ({"plugins": [{"plugin_id": "langgenius/openai"}, {"name": "?"}]}, 200),
        ({"plugins": [{"plugin_id": "langgenius/openai"}], "total": 9}, 200),
        ({"data": []}, 200),
    ],
)
def test_a_list_that_is_not_understood_is_no_list(body, status):
    """Unknown is said as unknown: no plugin is called missing for it."""
    with console() as server:
        server.answer_first = replying(LIST, body, status)
        found = with_console(server, look)

        assert found.plugins is None
        assert [text.en for text in found.unknown()] == [
            "The server's list of plugins could not be read: plugins are not checked."
        ]


def test_an_older_server_gives_the_list_at_once():
    """Without a total the page is the list; an id may stand in the longer name alone."""
    with ConsoleServer() as server:
        long = {"plugin_unique_identifier": "langgenius/openai:0.2.6@abc"}
        server.answer_first = replying(LIST, {"plugins": [long]})

        assert with_console(server, look).plugins == frozenset({"langgenius/openai"})


def test_a_console_that_is_down_is_said_as_such():
    """Trouble is an error of the tree, not an empty answer."""
    with console() as server:
        address = f"{server.url}/v1"
    error = with_console(server, look, address=address)

    assert isinstance(error, ConsoleUnreachable)
