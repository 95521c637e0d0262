"""Every secret against every setting of a pull request's config: what each server on loopback really hears."""

import asyncio
import base64
import contextlib
import itertools
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal, get_args, get_origin

import pytest
from pydantic import BaseModel, SecretStr

from ragjudge import wiring
from ragjudge.dify.console.credentials import Person
from ragjudge.errors import RagjudgeError
from ragjudge.preview.leased import at_console
from ragjudge.settings import Settings, load, protect
from ragjudge.settings.sources import SECRET_PATHS

SECRETS = {
    "DIFY_API_KEY": "app-key-of-the-app",
    "DIFY_DATASET_KEY": "dataset-key-of-the-app",
    "OPENAI_API_KEY": "sk-key-of-the-judge",
    "DIFY_JUDGE_API_KEY": "app-key-of-the-judge",
    "EMBEDDING_API_KEY": "sk-key-of-the-vectors",
    "password": "password-of-the-console",
}


class Listener:
    """Refuses everybody and remembers which secrets it heard."""

    def __init__(self):
        self.heard = set()
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
                told = f"{self.path} {self.headers} {body}"
                listener.heard |= {n for n, s in SECRETS.items() if s in told or _base64(s) in told}
                self.send_response(401)
                answer = json.dumps({"code": "unauthorized", "message": "no"}).encode()
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_POST = do_GET  # noqa: N815 - the name is http.server's

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"


def _base64(secret):
    return base64.b64encode(secret.encode()).decode()


@pytest.fixture
def hosts():
    """One server for each that a team may have, and a stranger's."""
    names = ("app", "judge", "judging_app", "vectors", "console", "stranger")
    found = {name: Listener() for name in names}
    for host in found.values():
        threading.Thread(target=host.server.serve_forever, args=(0.01,), daemon=True).start()
    yield found
    for host in found.values():
        host.server.shutdown()
        host.server.server_close()


async def _send(settings):
    """What a run begins with, each at the server that the settings name."""
    hurried = settings.judge.model_copy(update={"timeout_s": 1.0})
    settings = settings.model_copy(update={"judge": hurried})
    for make, say in (
        (wiring.chat_app, lambda app: app.probe()),
        (wiring.judge, lambda judge: judge.probe()),
        (wiring.embedder, lambda embedder: embedder.embed(["x"])),
    ):
        with contextlib.suppress(RagjudgeError):
            async with contextlib.aclosing(_Closing(make(settings))) as part:
                await say(part.it)


class _Closing:
    def __init__(self, it):
        self.it = it
        self.aclose = it.close


def _sign_in(settings):
    person = Person("a@b.example", SecretStr(SECRETS["password"]))
    with contextlib.suppress(RagjudgeError):
        at_console(settings, person, lambda console: console.apps(), clock=wiring.SystemClock())


def _bases(hosts):
    """Configs and workflows of teams: the base branch's text, the environment, the inputs, and who may hear what."""
    app, judge, judging, vectors = (hosts[n].url for n in ("app", "judge", "judging_app", "vectors"))
    keys = {name: secret for name, secret in SECRETS.items() if name != "password"}
    usual = {
        "app": {"DIFY_API_KEY", "password"},
        "judge": {"OPENAI_API_KEY"},
        "vectors": {"EMBEDDING_API_KEY"},
    }
    environ = keys | {"OPENAI_BASE_URL": judge, "EMBEDDING_BASE_URL": vectors}
    console = {"console": {"password"}, "app": {"DIFY_API_KEY"}}
    dify = {"judging_app": {"DIFY_JUDGE_API_KEY"}, "judge": set()}
    yield f"app: {app}\njudge: {{model: m}}", environ, {}, usual
    yield f"app: {app}\njudge: {{provider: openai, model: m}}\nembedding: v", environ, {}, usual
    yield (
        f"app: {app}\njudge: {{provider: dify, base_url: {judging}}}\ndsl: {{console_url: {hosts['console'].url}}}",
        environ,
        {},
        usual | dify | console,
    )
    yield f"app: {app}\njudge: offline", environ, {}, usual | {"judge": set()}
    # One key for any judge, as the action's input: whose it is, the provider of the base branch tells.
    one_key = {"DIFY_API_KEY": SECRETS["DIFY_API_KEY"], "OPENAI_BASE_URL": judge}
    given = {"judge-api-key": SECRETS["OPENAI_API_KEY"]}
    alone = usual | {"vectors": set()}
    yield f"app: {app}\njudge: {{provider: openai, model: m}}", one_key, given, alone
    yield None, one_key | {"DIFY_BASE_URL": app}, given, alone
    given = {"judge-api-key": SECRETS["DIFY_JUDGE_API_KEY"]}
    in_the_app = {"app": {"DIFY_API_KEY", "DIFY_JUDGE_API_KEY", "password"}, "judge": set(), "vectors": set()}
    yield f"app: {app}\njudge: dify", one_key, given, in_the_app


def _every_setting(stranger, model=Settings, path=()):
    """Each setting on its own, with each of its values or with a stranger's address."""
    for name, field in model.model_fields.items():
        kind, here = field.annotation, (*path, name)
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _every_setting(stranger, kind, here)
        elif ".".join(here) not in SECRET_PATHS:
            for value in _values(kind, stranger):
                yield _nested(here, value)


def _values(kind, stranger):
    choices = [c for part in (kind, *get_args(kind)) if get_origin(part) is Literal for c in get_args(part)]
    if choices:
        return choices
    return {bool: (True, False), int: (2,), float: (2.0,)}.get(kind, (stranger, [stranger]))


def _nested(path, value):
    for name in reversed(path):
        value = {name: value}
    return value


def _every_judge(stranger):
    """All that decides who judges and who makes vectors, in every combination."""
    provider, model, address, version, vectors, app = (
        (None, "openai", "dify", "offline"),
        (None, "m2"),
        (None, stranger),
        (None, "2024-10-21"),
        ({}, {"model": "v2"}, {"model": "v2", "base_url": stranger}),
        (None, stranger),
    )
    for p, m, a, n, v, b in itertools.product(provider, model, address, version, vectors, app):
        judge = {"provider": p, "model": m, "base_url": a, "api_version": n}
        yield {"judge": judge, "embedding": v, "app": {"base_url": b}}


def _effective(config, base, environ, inputs):
    try:
        pr = load(json.dumps(config), environ=environ, inputs=inputs)
    except RagjudgeError:
        return None
    return protect(pr, base).settings


@pytest.mark.slow
def test_no_setting_of_a_pull_request_draws_a_secret_to_another_server(hosts):
    """Over every setting alone and every combination of judge and vectors, for teams of seven kinds."""
    tried = 0
    for text, environ, inputs, may_hear in _bases(hosts):
        base = load(text, environ=environ, inputs=inputs)
        stranger = hosts["stranger"].url
        configs = [*_every_setting(stranger), *_every_judge(stranger)]
        effective = [found for c in configs if (found := _effective(c, base, environ, inputs)) is not None]
        where = {(s.app.base_url, s.dsl.console_url): s for s in effective}
        for settings in where.values():
            _sign_in(settings)
        asked = {repr((s.judge, s.embedding, s.app.base_url, _keys(s))): s for s in effective}
        assert [s for s in asked.values() if _at_the_default_server(s)] == [], text
        for settings in asked.values():
            asyncio.run(_send(settings))
        tried += len(effective)

        heard = {name: host.heard for name, host in hosts.items()}
        assert {name: found - may_hear.get(name, set()) for name, found in heard.items()} == {
            name: set() for name in hosts
        }, text
        for host in hosts.values():
            host.heard = set()
    assert tried > 1000


def _at_the_default_server(settings):
    """OpenAI's own, which no test may call; every team here names its servers."""
    grading = settings.judge.provider == "openai" or (
        settings.embedding.model and not settings.embedding.base_url
    )
    return bool(grading and not settings.judge.base_url)


def _keys(settings):
    return [part.api_key.get_secret_value() for part in (settings.app, settings.judge, settings.embedding)]
