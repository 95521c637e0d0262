"""Signing in to a console, staying signed in, and every way of not getting in, over real HTTP."""

import asyncio
import base64
import json

import pytest
from pydantic import SecretStr

from ragjudge.demo.server.wire import Reply
from ragjudge.dify.console.credentials import Admin, Person
from ragjudge.dify.console.door import ConsoleDoor
from ragjudge.errors import ConsoleMisconfigured, ConsoleUnreachable, RagjudgeError
from ragjudge.preview.leased import open_console
from ragjudge.settings import AppSettings, Settings
from tests.console_server import ADMIN_KEY, EMAIL, PASSWORD, WORKSPACE_ID, ConsoleServer
from tests.fakes import FakeClock
from tests.preview_app import dsl, person, settings

ADMIN = Admin(SecretStr(ADMIN_KEY), WORKSPACE_ID)


def with_console(server, use, *, credentials=None, address: str = "", clock=None):
    """Let `use` work with a console; its result, or the error."""

    async def run():
        own = Settings(app=AppSettings(base_url=address)) if address else settings(server)
        console = open_console(own, credentials or person(), clock=clock or FakeClock())
        try:
            return await use(console)
        except RagjudgeError as error:
            return error
        finally:
            await console.close()

    return asyncio.run(run())


async def names(console):
    return [app.name for app in await console.apps()]


def login_calls(server):
    return server.calls.count(("POST", "/console/api/login"))


@pytest.mark.parametrize("release", ["1.9.2", "1.11.2", "1.14.2"])
def test_the_password_travels_as_the_release_wants_it(release):
    """Plain up to 1.11.1, base64 afterwards: one login either way, none wasted."""
    with ConsoleServer(release) as server:
        assert with_console(server, names) == []
        assert login_calls(server) == 1


@pytest.mark.parametrize("release", ["1.9.2", "1.14.2"])
def test_behind_a_proxy_that_hides_the_version_both_forms_are_tried(release):
    """Without a version header plain comes first: a newer server refuses it without counting a failure."""
    with ConsoleServer(release) as server:
        server.show_version = False
        assert with_console(server, names) == []
        assert server.logins[EMAIL] == 1


def test_an_expired_session_is_refreshed_in_the_middle_of_a_run():
    """A run may last longer than the hour that a session does."""
    with ConsoleServer() as server:

        async def use(console):
            first = await names(console)
            server.expire_sessions()
            return first, await names(console)

        assert with_console(server, use) == ([], [])
        assert login_calls(server) == 1
        assert server.calls.count(("POST", "/console/api/refresh-token")) == 1


def test_without_a_refresh_token_it_signs_in_again():
    """A server that was restarted knows neither token."""
    with ConsoleServer() as server:

        async def use(console):
            await names(console)
            server.expire_sessions(refresh=True)
            return await names(console)

        assert with_console(server, use) == []
        assert login_calls(server) == 2


def test_calls_side_by_side_renew_once():
    """Ten calls that meet the same expired session need one refresh."""
    with ConsoleServer() as server:

        async def use(console):
            await names(console)
            server.expire_sessions()
            return await asyncio.gather(*(names(console) for _ in range(10)))

        assert with_console(server, use) == [[]] * 10
        assert server.calls.count(("POST", "/console/api/refresh-token")) == 1
        assert login_calls(server) == 1


def test_the_admin_key_works_without_a_login():
    """Self-hosted, 1.11 and later."""
    with ConsoleServer("1.14.2") as server:
        assert with_console(server, names, credentials=ADMIN) == []
        assert login_calls(server) == 0


def test_the_admin_key_alone_is_not_enough_before_1_11():
    """1.9.2 wants a CSRF pair: the cure names the other way."""
    with ConsoleServer("1.9.2") as server:
        error = with_console(server, names, credentials=ADMIN)
        assert isinstance(error, ConsoleMisconfigured)
        assert "DIFY_CONSOLE_EMAIL" in error.in_language("ja")
        assert ADMIN_KEY not in error.in_language("en")


def test_a_wrong_password_is_said_once_without_showing_it():
    """One attempt, one sentence, no password; five would lock the account."""
    with ConsoleServer() as server:
        error = with_console(server, names, credentials=person(password="wrong-password-1"))
        assert isinstance(error, ConsoleMisconfigured)
        assert "DIFY_CONSOLE_PASSWORD" in error.in_language("en")
        assert "wrong-password-1" not in error.in_language("en")
        assert login_calls(server) == 1


def test_a_locked_account_is_told_apart_from_a_wrong_password():
    """Waiting is the cure, not trying."""
    with ConsoleServer() as server:
        for _ in range(5):
            with_console(server, names, credentials=person(password="wrong-password-1"))
        error = with_console(server, names)
        assert "locked" in error.in_language("en")
        assert "ロック" in error.in_language("ja")


@pytest.mark.parametrize(
    "features", [{"sso_enforced_for_signin": True}, {"enable_email_password_login": False}]
)
def test_a_single_sign_on_console_gets_no_password(features):
    """The sentence names the admin key and the API key alone as other ways; the password is not sent."""
    with ConsoleServer() as server:
        server.features = features
        error = with_console(server, names)
        assert isinstance(error, ConsoleMisconfigured)
        assert "DIFY_ADMIN_API_KEY" in error.in_language("en")
        assert "dsl.preview: false" in error.in_language("ja")
        assert login_calls(server) == 0


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b'{"result": "success", "data": {"mfa_token": "x", "need": "code"}}'),
        (401, b'{"code": "mfa_required", "message": "Enter the code", "status": 401}'),
    ],
)
def test_a_second_factor_is_recognised(status, body):
    """A login that ends without a session wants more than a password."""
    with ConsoleServer() as server:
        server.answer_first = lambda _, path: Reply(status, body) if path.endswith("/login") else None
        error = with_console(server, names)
        assert "more than a password" in error.in_language("en")


def test_an_account_without_a_workspace():
    """Dify says 200 and fail."""
    body = b'{"result": "fail", "data": "workspace not found, please contact system admin"}'
    with ConsoleServer() as server:
        server.answer_first = lambda _, path: Reply(200, body) if path.endswith("/login") else None
        assert "does not let this account work" in with_console(server, names).in_language("en")


def test_tokens_in_the_body_are_used_as_bearer():
    """Up to 1.9.1 the login's reply holds the tokens; no cookie is set."""
    seen = []

    def old(_method, path):
        seen.append(path)
        if path.endswith("/login"):
            return Reply(200, b'{"result": "success", "data": {"access_token": "jwt", "refresh_token": "r"}}')
        return Reply(200, b'{"data": [], "has_more": false}')

    with ConsoleServer() as server:
        server.answer_first = old
        assert with_console(server, names) == []
        assert seen.count("/console/api/login") == 1


def test_no_one_at_the_address():
    """A closed port is an outage: try later."""
    clock = FakeClock()
    error = with_console(None, names, address="http://127.0.0.1:1/v1", clock=clock)
    assert isinstance(error, ConsoleUnreachable)
    assert clock.slept == [1.0, 3.0]


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (
            Reply(200, b"<!doctype html><title>Portal</title>", "text/html"),
            ConsoleMisconfigured,
            "no Dify console",
        ),
        (
            Reply(302, headers={"Location": "https://login.example/x"}),
            ConsoleMisconfigured,
            "redirects to https://login.example/x",
        ),
        (Reply(502, b"<html>Bad Gateway</html>", "text/html"), ConsoleUnreachable, "does not answer"),
    ],
)
def test_what_is_no_console_gets_no_password(reply, kind, words):
    """Another page, a redirect, a proxy's outage: found before anything secret is sent."""
    with ConsoleServer() as server:
        server.answer_first = lambda *_: reply
        error = with_console(server, names)
        assert isinstance(error, kind)
        assert words in error.in_language("en")
        assert login_calls(server) == 0


def test_a_passing_outage_is_waited_out_for_calls_that_may_be_repeated():
    """A GET meets two 503s and succeeds; nothing else is repeated."""
    with ConsoleServer() as server:
        left = [503, 503]

        def busy(method, path):
            return Reply(left.pop(), b"{}") if path.endswith("/apps") and left else None

        server.answer_first = busy
        clock = FakeClock()
        assert with_console(server, names, clock=clock) == []
        assert clock.slept == [1.0, 3.0]


def test_missing_rights_are_named():
    """An account that may only look cannot import."""
    with ConsoleServer() as server:
        body = b'{"code": "forbidden", "message": "You do not have permission", "status": 403}'
        server.answer_first = lambda _, path: Reply(403, body) if path.endswith("/imports") else None

        async def use(console):
            return await console.import_dsl(dsl().decode())

        assert "may not do this" in with_console(server, use).in_language("en")


def test_all_pages_of_a_long_list_are_read():
    """A workspace with hundreds of apps is swept as well."""
    with ConsoleServer() as server:
        text = dsl().decode()
        first = server.workspace.import_dsl(text, None, EMAIL)["app_id"]
        app = server.workspace.apps[first]
        for number in range(229):
            server.workspace.apps[f"copy-{number}"] = app
        assert len(with_console(server, names)) == 230


def test_it_signs_out_at_the_end():
    """No session of ours outlives the run."""
    with ConsoleServer() as server:
        with_console(server, names, credentials=Person(EMAIL, SecretStr(PASSWORD)))
        assert server.calls[-1] == ("POST", "/console/api/logout")


@pytest.mark.parametrize("echo", [PASSWORD, base64.b64encode(PASSWORD.encode()).decode()])
def test_a_password_that_a_server_echoes_is_not_shown(echo):
    """A validation error may quote the body it was sent, plain or encoded."""
    with ConsoleServer() as server:
        body = json.dumps({"code": "invalid_param", "message": f"bad input: {echo}", "status": 400}).encode()
        server.answer_first = lambda _, path: Reply(400, body) if path.endswith("/login") else None
        told = with_console(server, names).in_language("en")
        assert "bad input: ***" in told
        assert echo not in told


def test_cookies_behind_https_carry_a_prefix():
    """Dify adds `__Host-` where it is served by https."""
    door = ConsoleDoor("https://dify.example/console/api")
    door._client.cookies.set("__Host-csrf_token", "c", domain="dify.example")
    assert (door.cookie("csrf_token"), door.cookie("access_token")) == ("c", "")
    asyncio.run(door.close())
